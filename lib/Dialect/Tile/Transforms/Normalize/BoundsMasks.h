// Removes masks that repeat the bounds of views.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_BOUNDSMASKS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_BOUNDSMASKS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Drops conditions from the masks of loads and stores by tile index that hold
/// for all elements in bounds of the view, such as `row < height`: elements out
/// of bounds are treated like those that a mask hides. Tiles are static.
void dropBoundsMasks(KernelOp kernel);

} // namespace tilegpt::tile

#endif
