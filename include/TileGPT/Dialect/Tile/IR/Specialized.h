// Preconditions of passes that run after --tile-specialize, and before GPU
// layouts are assigned.
#ifndef TILEGPT_DIALECT_TILE_IR_SPECIALIZED_H
#define TILEGPT_DIALECT_TILE_IR_SPECIALIZED_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Fails, with an error that names the required pass, unless all parameters of
/// the kernel are bound: its tiles have static sizes and concrete element
/// types.
mlir::LogicalResult verifySpecialized(KernelOp kernel);

/// Fails, with an error that names the pass it must precede, if a tile of the
/// kernel has a layout.
mlir::LogicalResult verifyNoLayouts(KernelOp kernel);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_IR_SPECIALIZED_H
