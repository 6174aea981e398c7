// Binds one kernel in place: its variables, parameters and sizes. The mechanism
// behind `--tile-specialize`.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_BINDKERNEL_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_BINDKERNEL_H

#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"

namespace tilegpt::tile {

/// Evaluates the defaults of all parameters that `binding` leaves open and adds
/// them to it: types first, then sizes in the order of their declaration. Fails
/// with an error on the kernel when a default needs a size that is not static.
mlir::LogicalResult completeBinding(KernelOp kernel, LaunchBinding &binding);

/// Rewrites `kernel` to a complete binding: no variable, parameter name or tile
/// of unknown size remains. Bound sizes stay in `params` for the reader,
/// without candidates. Fails with an error on the op whose tile would not be
/// static.
mlir::LogicalResult bindKernel(KernelOp kernel, const LaunchBinding &binding);

} // namespace tilegpt::tile

#endif
