// How the ranks that run a model together hand numbers to each other, whatever
// lies between them.
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

/// One rank's end of it, for memory of the host. All ranks make the same calls
/// in the same order; a call returns when its result is there. Errors are
/// Device and name the rank that is gone; every later call fails then.
class Communicator {
public:
  virtual ~Communicator() = default;

  virtual bundle::Rank rank() const = 0;

  /// Adds up `count` elements of f32, bf16 or f16 in f32, in the order of the
  /// ranks, and rounds once: all ranks get the same bits.
  /// \param out  may be `in`.
  virtual Result<void> allReduce(bundle::ElementType type, const std::byte *in,
                                 std::byte *out, int64_t count) = 0;

  /// Concatenates `bytes` of every rank in rank order.
  /// \param out  ranks · bytes.
  virtual Result<void> allGather(const std::byte *in, std::byte *out,
                                 int64_t bytes) = 0;

  /// Whether a rank that this one hears of has taken its leave.
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

/// That a bundle is for as many ranks as there are.
/// \param ranks  null: one.
/// \returns Usage naming both numbers.
Result<void> checkRanks(const bundle::Bundle &bundle,
                        const Communicator *ranks);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_ENGINE_COMMUNICATOR_H
