// Refines the types of tiles once tile sizes are integers.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_REFINETYPES_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_REFINETYPES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Gives every value of `block` the most static type that its operands and
/// attributes allow: results of tile ops, of elementwise ops, and values
/// carried by loops and branches.
mlir::LogicalResult refineTypes(mlir::Block &block);

} // namespace tilegpt::tile

#endif
