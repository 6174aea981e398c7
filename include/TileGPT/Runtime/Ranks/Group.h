// The ranks of a run: connects them, detects lost ranks, and exchanges data in
// host memory.
#ifndef TILEGPT_RUNTIME_RANKS_GROUP_H
#define TILEGPT_RUNTIME_RANKS_GROUP_H

#include "TileGPT/Runtime/Engine/Communicator.h"
#include "TileGPT/Runtime/Ranks/GroupOptions.h"
#include "TileGPT/Runtime/Ranks/RankEnvironment.h"
#include <memory>
#include <string>
#include <vector>

namespace tilegpt::runtime {

class Connections;

/// Every rank is connected to rank 0, which reduces and distributes data:
/// sufficient for a few ranks on one host, where a message takes a fraction of
/// a step.
class Group final : public Communicator {
public:
  /// Connects to the other ranks, if there are any.
  /// \returns Device naming the missing rank, the port in use, or a mismatch in
  /// the number of ranks.
  static Result<std::unique_ptr<Group>> join(const RankEnvironment &environment,
                                             GroupOptions options);
  /// Leaves the run; later calls of the other ranks fail.
  ~Group() override;

  bundle::Rank rank() const override { return self; }
  Result<void> allReduce(bundle::ElementType type, const std::byte *in,
                         std::byte *out, int64_t count) override;
  Result<void> allGather(const std::byte *in, std::byte *out,
                         int64_t bytes) override;
  bool someHaveLeft() const override;

  /// Gathers a text from each rank.
  Result<std::vector<std::string>> gather(const std::string &text);
  /// \param what  for the message: "the model".
  /// \returns Device naming a rank whose text differs from rank 0's.
  Result<void> agree(std::string_view what, const std::string &text);

  /// Whether rank 0 has left the run.
  bool firstHasLeft() const;

private:
  Group(bundle::Rank self, std::unique_ptr<Connections> connections);

  bundle::Rank self;
  std::unique_ptr<Connections> connections;
  std::vector<std::byte> scratch;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_RANKS_GROUP_H
