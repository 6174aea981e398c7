// The iteration of an online softmax that keeps the maximum it is given.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_KEPTMAXIMUM_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_KEPTMAXIMUM_H

#include "Mainloop/OnlineSoftmax.h"

namespace tilegpt::tilegpu {

/// The ops of the iteration on which some values depend and which depend on
/// another value themselves, in their order. Those that `from` names are not
/// among them.
llvm::SmallVector<mlir::Operation *> opsBetween(const OnlineSoftmax &match,
                                                mlir::Value from,
                                                mlir::ValueRange wanted);

/// What an iteration makes with the maximum that is there.
struct KeptMaximum {
  mlir::Value total; ///< Σ e
  mlir::Value lhs;   ///< e, rounded
};

/// Writes such an iteration where the builder stands: the one of the text, for
/// another maximum.
KeptMaximum cloneWithMaximum(mlir::OpBuilder &builder,
                             const OnlineSoftmax &match);

/// The same of simple exponents (`hasSimpleExponents`), from the dots on.
/// Scores that are sums of scaled tiles become exponents by one multiply-add a
/// term, and where a mask is in a branch, all of this is in both of its
/// branches.
KeptMaximum writeKeptMaximum(mlir::OpBuilder &builder,
                             const OnlineSoftmax &match);

} // namespace tilegpt::tilegpu

#endif
