// Accesses by offset that access tiles of a view.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_OFFSETTILES_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_OFFSETTILES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Replaces loads and stores at offsets from the base of a view, such as
/// row·width + column, by loads and stores of its tiles, if they are whole
/// tiles and the mask or the known sizes keep every coordinate in bounds. The
/// mask stays. Tiles are static.
void indexOffsetTiles(KernelOp kernel);

} // namespace tilegpt::tile

#endif
