// What tuning has found for a launch, written into it.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_APPLYCHOICE_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_APPLYCHOICE_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Runtime/Tuning/Records.h"

namespace tilegpt::tile {

/// Attribute of a launch that a record of tuning was applied to: what it gave,
/// in words, for the remark on the instance.
inline constexpr llvm::StringLiteral recordAttr = "tile.record";

/// Gives a launch the sizes of a choice as its `params` and the numbers of its
/// plan as `tile.wanted_plan`. What the launch says itself stays.
/// \returns failure, and the launch as it was: with a remark for a size that is
/// no candidate of the kernel, without one where the launch gives another size,
/// as a plan is one of its tile.
mlir::LogicalResult applyChoice(LaunchOp launch, KernelOp kernel,
                                const runtime::Choice &choice);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_TRANSFORMS_APPLYCHOICE_H
