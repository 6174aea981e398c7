// Merges iterations whose dots sum fewer elements than MMA instructions.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_GROWDEPTH_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_GROWDEPTH_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// Merges iterations of a loop that only accumulates dots of loaded tiles, so
/// that the K of every dot becomes a multiple of the MMA instruction's.
/// \returns how many iterations became one; 1 if the loop is unchanged.
int64_t growDepth(mlir::scf::ForOp loop);

} // namespace tilegpt::tilegpu

#endif
