// What tiles cost to make. Of those that cost nothing every reader gets one of
// its own, in the layout it likes.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_CHEAPTILES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_CHEAPTILES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Whether an op creates such a tile: a splat, an iota or a constant.
bool isCheap(mlir::Operation *op);

/// Whether an op is a function without a GPU instruction: tens of instructions
/// an element.
bool isLongFunction(mlir::Operation *op);

/// Gives each reader of a cheap tile its own.
void cloneCheapTiles(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_CHEAPTILES_H
