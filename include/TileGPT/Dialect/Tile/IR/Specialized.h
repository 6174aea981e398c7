// What passes expect of a kernel that come behind --tile-specialize, and of one
// that is not on its way to a GPU yet.
#ifndef TILEGPT_DIALECT_TILE_IR_SPECIALIZED_H
#define TILEGPT_DIALECT_TILE_IR_SPECIALIZED_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Fails with an error that says which pass must come first unless all
/// parameters of the kernel are bound: its tiles have sizes, its elements
/// types.
mlir::LogicalResult verifySpecialized(KernelOp kernel);

/// Fails with an error that says which pass it must come before if a tile of
/// the kernel has a layout: what is spread over threads is no whole tile any
/// more.
mlir::LogicalResult verifyNoLayouts(KernelOp kernel);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_IR_SPECIALIZED_H
