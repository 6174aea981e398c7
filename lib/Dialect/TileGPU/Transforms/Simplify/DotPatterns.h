// Patterns that bring kernels with dots into the form in which main loops are
// matched.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SIMPLIFY_DOTPATTERNS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SIMPLIFY_DOTPATTERNS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// The source of a tile that is converted to another floating-point type; other
/// tiles themselves.
mlir::Value lookThroughConversion(mlir::Value tile);

/// Makes a loop that only accumulates products accumulate the transposed ones;
/// the results are permuted after it.
/// \returns the new loop.
mlir::scf::ForOp swapOperands(mlir::scf::ForOp loop);

/// The dots of a loop that only accumulates products of a loaded lhs and an
/// rhs, some of which are computed; or its only dot, with a loaded rhs and rows
/// that warp groups cannot divide: those that swapOperands() is for.
llvm::SmallVector<tile::DotOp> findDotsToSwap(mlir::scf::ForOp loop);

/// Transposes the left operands, of 16 bits, of a loop's dots that it computes,
/// element by element, from tiles that are contiguous along the rows: threads
/// read these in the layout of the operand, and need not write it to shared
/// memory.
void transposeComputedLeft(mlir::scf::ForOp loop);

/// The patterns of `--tile-gpu-drop-unit-axes`.
void populateDropUnitAxesPatterns(mlir::RewritePatternSet &patterns);

/// A copy of a kernel, whose tiles may have open sizes, that loads the operands
/// of its dots as they lie in memory; null if the kernel does so itself.
mlir::OwningOpRef<tile::KernelOp>
copyWithStraightOperands(tile::KernelOp kernel);

/// The patterns of `--tile-gpu-normalize-dots`.
void populateNormalizeDotsPatterns(mlir::RewritePatternSet &patterns);

/// Patterns for operands that concatenate two tiles; included in the above.
void populateConcatenationPatterns(mlir::RewritePatternSet &patterns);

/// Patterns for the sums and maxima of an online softmax; included in the
/// above.
void populateSumPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tilegpu

#endif
