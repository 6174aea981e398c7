// The cost of rematerializing tiles. Every user of a free tile gets its own, in
// the layout it prefers.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_CHEAPTILES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_CHEAPTILES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Whether an op creates a free tile: a splat, an iota or a constant.
bool isCheap(mlir::Operation *op);

/// Whether an op is a function without a GPU instruction, which takes tens of
/// instructions per element.
bool isLongFunction(mlir::Operation *op);

/// Clones cheap tiles, with unit axes inserted or not, for each user.
void cloneCheapTiles(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_CHEAPTILES_H
