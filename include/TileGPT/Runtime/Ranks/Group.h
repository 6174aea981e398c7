// The ranks of a run: how they find each other, hear of each other's end, and
// exchange what lies in memory of the host.
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

/// Every rank is connected to rank 0, which adds up and hands out: for a few
/// ranks on one host, where a message takes a fraction of a step, nothing
/// needs more.
class Group final : public Communicator {
public:
  /// Connects to the other ranks, if there are any.
  /// \returns Device naming the missing rank, the port in use, or a mismatch in
  /// the number of ranks.
  static Result<std::unique_ptr<Group>> join(const RankEnvironment &environment,
                                             GroupOptions options);
  /// Takes leave of the others, whose calls do not succeed any more.
  ~Group() override;

  bundle::Rank rank() const override { return self; }
  Result<void> allReduce(bundle::ElementType type, const std::byte *in,
                         std::byte *out, int64_t count) override;
  Result<void> allGather(const std::byte *in, std::byte *out,
                         int64_t bytes) override;
  bool someHaveLeft() const override;

  /// Gives every rank the texts of all.
  Result<std::vector<std::string>> gather(const std::string &text);
  /// \param what  for the message: "the model".
  /// \returns Device naming a rank that comes with another text than rank 0.
  Result<void> agree(std::string_view what, const std::string &text);

  /// Whether rank 0 has taken its leave.
  bool firstHasLeft() const;

private:
  Group(bundle::Rank self, std::unique_ptr<Connections> connections);

  bundle::Rank self;
  std::unique_ptr<Connections> connections;
  std::vector<std::byte> scratch;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_RANKS_GROUP_H
