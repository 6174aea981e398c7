// Writes reshapes that insert unit axes in one form.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_INSERTUNITAXES_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_INSERTUNITAXES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Replaces reshapes of integer tiles that only insert unit axes by
/// tile.expand_dims, the form in which analyses recognize positions, offsets
/// and masks. Float tiles keep their reshapes, which the matchers of stores and
/// dots look through. Tiles are static.
void insertUnitAxes(KernelOp kernel);

} // namespace tilegpt::tile

#endif
