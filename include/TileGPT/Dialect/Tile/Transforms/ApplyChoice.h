// Applies a tuning choice to a launch.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_APPLYCHOICE_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_APPLYCHOICE_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Runtime/Tuning/Records.h"

namespace tilegpt::tile {

/// Attribute of a launch with a tuning record: a description of the record, for
/// the remark on the instance.
inline constexpr llvm::StringLiteral recordAttr = "tile.record";

/// Writes the sizes of a choice to the `params` of a launch and its plan
/// parameters to `tile.wanted_plan`. Parameters that the launch already has are
/// kept.
/// \returns failure, with the launch unchanged: with a remark for a size that
/// is not a candidate of the kernel, without one if the launch gives another
/// size, since a plan is only valid for its tile.
mlir::LogicalResult applyChoice(LaunchOp launch, KernelOp kernel,
                                const runtime::Choice &choice);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_TRANSFORMS_APPLYCHOICE_H
