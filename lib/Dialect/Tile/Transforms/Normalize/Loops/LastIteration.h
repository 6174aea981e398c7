// Moves what only the last iteration of a loop does behind the loop.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_LOOPS_LASTITERATION_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_LOOPS_LASTITERATION_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Moves a branch at the end of a loop's body that only the last iteration
/// takes, such as one that stores the sum, behind the loop: targets pipeline
/// loops that only load and compute.
void moveLastBranches(KernelOp kernel);

} // namespace tilegpt::tile

#endif
