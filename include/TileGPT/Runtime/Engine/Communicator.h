// Exchanges data in host memory between the ranks that run a model together,
// over any transport.
#ifndef TILEGPT_RUNTIME_ENGINE_COMMUNICATOR_H
#define TILEGPT_RUNTIME_ENGINE_COMMUNICATOR_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Bundle/ElementType.h"
#include "TileGPT/Bundle/WeightShard.h"
#include "TileGPT/Runtime/Error.h"
#include <cstddef>
#include <type_traits>
#include <vector>

namespace tilegpt::runtime {

/// The communicator of one rank. All ranks make the same calls in the same
/// order; a call returns when its result is available. Errors are Device and
/// name the lost rank; every later call fails.
class Communicator {
public:
  virtual ~Communicator() = default;

  virtual bundle::Rank rank() const = 0;

  /// Sums `count` elements of f32, bf16 or f16 in f32, in rank order, and
  /// rounds once: all ranks get identical bits.
  /// \param out  may be `in`.
  virtual Result<void> allReduce(bundle::ElementType type, const std::byte *in,
                                 std::byte *out, int64_t count) = 0;

  /// Concatenates `bytes` of every rank in rank order.
  /// \param out  ranks · bytes.
  virtual Result<void> allGather(const std::byte *in, std::byte *out,
                                 int64_t bytes) = 0;

  /// Whether a rank that this one is connected to has left the run.
  virtual bool someHaveLeft() const { return false; }
};

/// The values of all ranks, in rank order.
template <typename T>
Result<std::vector<T>> gatherValues(Communicator &ranks, const T &mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(size_t(ranks.rank().count));
  if (auto done = ranks.allGather(reinterpret_cast<const std::byte *>(&mine),
                                  reinterpret_cast<std::byte *>(all.data()),
                                  int64_t(sizeof(T)));
      !done)
    return tl::unexpected(done.error());
  return all;
}

/// Checks that a bundle is compiled for this number of ranks.
/// \param ranks  null: a single rank.
/// \returns Usage naming both numbers.
Result<void> checkRanks(const bundle::Bundle &bundle,
                        const Communicator *ranks);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_ENGINE_COMMUNICATOR_H
