// Enlarges the tiles of loops whose iterations reduce little data.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_GROWITERATIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_GROWITERATIONS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Merges iterations of a kernel's only loop, which must be a reduction, so
/// that they load larger tiles: up to 4 KB, as long as some iterations remain
/// for each of `multiprocessors`, and all live tiles have at most `mostLive`
/// elements.
/// \returns how many iterations became one; 1 if the loop is unchanged.
int64_t growIterations(tile::KernelOp kernel, int64_t multiprocessors,
                       int64_t mostLive);

} // namespace tilegpt::tilegpu

#endif
