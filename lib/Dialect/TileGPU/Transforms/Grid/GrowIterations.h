// Larger tiles for loops whose iterations have little to reduce.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_GROWITERATIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_GROWITERATIONS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Has an iteration of the one loop of a kernel that only reduces do the work
/// of several, as one tile, up to 4 KB of a load, as long as all
/// `multiprocessors` together have some iterations each.
/// \returns how many; 1 where the kernel keeps its iterations.
int64_t growIterations(tile::KernelOp kernel, int64_t multiprocessors);

} // namespace tilegpt::tilegpu

#endif
