// Fills the first stages of a ring with launch-invariant tiles before the wait
// for the previous launch.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_FIRSTSTAGES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_FIRSTSTAGES_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

namespace tilegpt::tilegpu {

/// If the first loops of a producer after a wait fill a ring partly from
/// launch-invariant memory, issues the copies of that memory for the first
/// stages before the wait: a whole round, or a few of one matrix if other tiles
/// take more than those of 48 rows. The loops then issue the others.
/// \returns whether it applies.
bool fillFirstStages(AwaitLaunchOp wait,
                     mlir::function_ref<bool(mlir::Value map)> isInvariant);

} // namespace tilegpt::tilegpu

#endif
