// What passes expect of a kernel that come behind --tile-specialize.
#ifndef TILEGPT_DIALECT_TILE_IR_SPECIALIZED_H
#define TILEGPT_DIALECT_TILE_IR_SPECIALIZED_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Fails with an error that says which pass must come first unless all
/// parameters of the kernel are bound: its tiles have sizes, its elements
/// types.
mlir::LogicalResult verifySpecialized(KernelOp kernel);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_IR_SPECIALIZED_H
