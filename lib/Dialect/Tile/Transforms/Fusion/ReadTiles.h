// Replaces loads of a kernel by computed tiles.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_READTILES_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_READTILES_H

#include "Fusion/GuestKernel.h"

namespace tilegpt::tile {

/// The op before which the replacement of a loaded tile must be available.
/// Independent loads in between, such as those of weights, stay before it.
mlir::Operation *firstReader(const AccessFootprint &load);

/// Hoists all loads of a block above the guest's computation, so that blocks
/// which recompute it wait for memory once.
/// \param front  the op before the guest's; null at the start of the block
void bringLoadsForward(mlir::Operation *front, mlir::Block *block);

/// Replaces a loaded tile by a computed one.
/// \param isOneRow  whether the tensor has one row: there is no use for matrix
///                 instructions, which need operands of low precision
void readInstead(LoadOp load, mlir::Value tile, Rounding rounding,
                 bool isOneRow);

} // namespace tilegpt::tile

#endif
