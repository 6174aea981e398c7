// The stages of the conversion besides its patterns.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_STAGES_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_STAGES_H

#include "TileGPT/Conversion/CudaTileToTile/Passes.h"

namespace tilegpt::cuda_tile {

/// Emits an error at each op below `root` that has no counterpart in the tile
/// dialect; it says what is missing.
mlir::LogicalResult checkSupported(mlir::Operation *root);

/// Puts memory that a kernel's code brings along in the place of the globals
/// below `root`. Fails with an error where two entries would have to share what
/// one of them writes.
mlir::LogicalResult lowerGlobals(mlir::Operation *root);

/// Makes a kernel of an entry at the builder's place. Its ops and the types of
/// its values are those of the entry; loops, branches and what leaves them
/// become `scf.for`, `scf.if` and `scf.while`, joined to the rest by
/// unrealized casts.
/// \returns null behind an error.
tile::KernelOp lowerEntry(mlir::OpBuilder &builder, EntryOp entry);

/// Forms that later passes know, where the conversion of one op does not give
/// them: transposed operands of products become their flags, offsets of 32 bits
/// stay as they are.
void populateTidyPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::cuda_tile

#endif
