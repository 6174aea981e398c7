// The first stages of a ring, filled in front of the wait for the launch before
// with what does not depend on it.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_FIRSTSTAGES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_FIRSTSTAGES_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

namespace tilegpt::tilegpu {

/// Where a producer's first loops behind a wait fill a ring from memory that is
/// launch-invariant and with little from other memory: starts the copies of the
/// former to the first round of stages in front of the wait. The loops go on
/// with the others.
/// \returns whether it does.
bool fillFirstStages(AwaitLaunchOp wait,
                     mlir::function_ref<bool(mlir::Value map)> isInvariant);

} // namespace tilegpt::tilegpu

#endif
