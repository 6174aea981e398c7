// The rewrites by which kernels with products reach the form that main loops
// are looked for in.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SIMPLIFY_DOTPATTERNS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SIMPLIFY_DOTPATTERNS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// Makes a loop that does nothing but sum up products sum up the transposed
/// ones; their sums are permuted behind it.
void swapOperands(mlir::scf::ForOp loop);

/// Those of `--tile-gpu-drop-unit-axes`.
void populateDropUnitAxesPatterns(mlir::RewritePatternSet &patterns);

/// Those of `--tile-gpu-normalize-dots`.
void populateNormalizeDotsPatterns(mlir::RewritePatternSet &patterns);

/// Those of operands that join two tiles; among the above.
void populateConcatenationPatterns(mlir::RewritePatternSet &patterns);

/// Those of the sums and maxima of an online softmax; among the above.
void populateSumPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tilegpu

#endif
