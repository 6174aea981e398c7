// A bump allocator: a tensor follows the previous one or, if it does not fit,
// starts a new chunk.
#include "TileGPT/Runtime/Weights/WeightMemory.h"
#include <algorithm>
#include <utility>

using namespace tilegpt;
using namespace tilegpt::runtime;

/// Large enough for huge pages, small enough to be negligible if mostly unused.
static constexpr size_t pieceBytes = size_t(64) << 20;

Result<std::byte *> WeightMemory::allocate(size_t bytes) {
  bytes = (bytes + alignment - 1) / alignment * alignment;
  if (pieces.empty() || pieces.back().size() - used < bytes) {
    auto piece =
        cpu::Memory::allocate(std::max(bytes, pieceBytes), "the weights");
    if (!piece)
      return tl::unexpected(std::move(piece.error()));
    pieces.push_back(std::move(*piece));
    used = 0;
  }
  return pieces.back().data() + std::exchange(used, used + bytes);
}
