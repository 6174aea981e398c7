// What a tuner may try for a launch on a GPU, in the order that the models of
// the device expect.
#ifndef TILEGPT_DIALECT_TILEGPU_TRANSFORMS_RANKCHOICES_H
#define TILEGPT_DIALECT_TILEGPU_TRANSFORMS_RANKCHOICES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Runtime/Tuning/Records.h"

namespace tilegpt::tilegpu {

/// The device that launches are ranked for.
struct RankedDevice {
  llvm::StringRef target; ///< "sm_90a"
  int64_t multiprocessors = 132;
  bool tf32 = false;   ///< products of f32 will be rounded to tf32
  bool fastF8 = false; ///< sums of f8 products may lose digits
};

/// Tiles of a product and ways in which blocks share it that fit the device,
/// the least time first. The first is what the compiler chooses by itself. A
/// tile is there in at most three ways, and at most six tiles have the same
/// rows or the same columns.
/// \returns nothing for a kernel that no producer can feed: what is known of
/// others is their parameters' candidates.
std::vector<runtime::Choice> rankChoices(tile::LaunchOp launch,
                                         tile::KernelOp kernel,
                                         const RankedDevice &device,
                                         size_t most);

} // namespace tilegpt::tilegpu

#endif // TILEGPT_DIALECT_TILEGPU_TRANSFORMS_RANKCHOICES_H
