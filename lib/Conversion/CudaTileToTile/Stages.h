// The stages of the conversion besides its patterns.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_STAGES_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_STAGES_H

#include "TileGPT/Conversion/CudaTileToTile/Passes.h"

namespace tilegpt::cuda_tile {

/// Emits an error at each op below `root` that has no counterpart in the tile
/// dialect, saying what is missing.
mlir::LogicalResult checkSupported(mlir::Operation *root);

/// Replaces the globals below `root` by data of kernels: constant if nothing
/// writes it, else shared by all entries that use it.
void lowerGlobals(mlir::Operation *root);

/// Creates a kernel for an entry at the builder's insertion point. Ops and
/// types stay those of the entry; its loops, branches and early exits become
/// `scf.for`, `scf.if` and `scf.while`, connected by unrealized casts.
/// \returns null after an error.
tile::KernelOp lowerEntry(mlir::OpBuilder &builder, EntryOp entry);

/// Patterns for forms that later passes match but single-op conversions do not
/// produce: folds transposed operands into dots, and keeps 32-bit offsets
/// narrow.
void populateTidyPatterns(mlir::RewritePatternSet &patterns);

/// A pattern that replaces integers to which each iteration of a loop adds the
/// same number, and which are not used after the loop, by a function of the
/// induction variable. The loop must start and step by constants.
void populateCounterPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::cuda_tile

#endif
