// An iteration of an online softmax that keeps the current maximum.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_KEPTMAXIMUM_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_KEPTMAXIMUM_H

#include "Mainloop/OnlineSoftmax.h"

namespace tilegpt::tilegpu {

/// The ops of the iteration that depend on `from` and that `wanted` depends on,
/// in order, without the op that defines `from`.
llvm::SmallVector<mlir::Operation *> opsBetween(const OnlineSoftmax &match,
                                                mlir::Value from,
                                                mlir::ValueRange wanted);

/// Arithmetic of the iteration that only weights need, besides exponentials, in
/// order: masks and factors.
llvm::SmallVector<mlir::Operation *> movableWeights(const OnlineSoftmax &match);

/// The results of an iteration with the current maximum.
struct KeptMaximum {
  mlir::Value total; ///< Σ e
  mlir::Value lhs;   ///< e·w, rounded
};

/// Emits such an iteration at the builder's insertion point, as a clone of the
/// original with another maximum.
KeptMaximum cloneWithMaximum(mlir::OpBuilder &builder,
                             const OnlineSoftmax &match);

/// Emits it from the dots on for simple exponents (`hasSimpleExponents`).
/// Scores that are sums of scaled tiles become exponents by one fma per term;
/// if a mask is in a branch, all of this is in both of its regions.
KeptMaximum writeKeptMaximum(mlir::OpBuilder &builder,
                             const OnlineSoftmax &match);

} // namespace tilegpt::tilegpu

#endif
