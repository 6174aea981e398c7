// Loads of a kernel in whose place tiles are made.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_READTILES_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_READTILES_H

#include "Fusion/GuestKernel.h"

namespace tilegpt::tile {

/// The op in front of which a tile that is loaded must be there: loads in
/// between, of weights that nothing waits for, stay in front of it.
mlir::Operation *firstReader(const AccessFootprint &load);

/// Has a block request all that it loads before the guest computes, so that
/// blocks which repeat its work wait for memory once.
/// \param front  the op in front of the guest's; null at the block's begin
void bringLoadsForward(mlir::Operation *front, mlir::Block *block);

/// Has what reads a load read the tile that was made for it.
/// \param isOneRow  of the tensor: matrix instructions, which need operands of
///                  few digits, have nothing to do there
void readInstead(LoadOp load, mlir::Value tile, Rounding rounding,
                 bool isOneRow);

} // namespace tilegpt::tile

#endif
