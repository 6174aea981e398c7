// Tuning choices for a launch on a GPU, ordered by the cost models.
#ifndef TILEGPT_DIALECT_TILEGPU_TRANSFORMS_RANKCHOICES_H
#define TILEGPT_DIALECT_TILEGPU_TRANSFORMS_RANKCHOICES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Runtime/Tuning/Candidates.h"

namespace tilegpt::tilegpu {

/// The device that launches are ranked for.
struct RankedDevice {
  llvm::StringRef target; ///< "sm_90a"
  int64_t multiprocessors = 132;
  bool tf32 = false;   ///< products of f32 will be rounded to tf32
  bool fastF8 = false; ///< sums of f8 products may lose digits
};

/// Valid tiles of a matmul and ways to split or multicast it, fastest first by
/// the cost model. The first is the compiler's default. Choices that are alike
/// come behind all others: a fourth variant of a tile, a seventh tile with the
/// same rows or the same columns.
/// \returns nothing for a kernel that no producer can feed: for others only the
/// candidates of their parameters are known.
std::vector<runtime::RankedChoice> rankChoices(tile::LaunchOp launch,
                                               tile::KernelOp kernel,
                                               const RankedDevice &device,
                                               size_t most);

} // namespace tilegpt::tilegpu

#endif // TILEGPT_DIALECT_TILEGPU_TRANSFORMS_RANKCHOICES_H
