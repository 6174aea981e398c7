// Patterns for functions of one f32: applied to thread code, element by
// element.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_F32PATTERN_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_F32PATTERN_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// Whether a function need not be exact to the last bits.
inline bool isApproximate(mlir::Operation *op) {
  auto function = mlir::dyn_cast<mlir::arith::ArithFastMathInterface>(op);
  return function &&
         bitEnumContainsAll(function.getFastMathFlagsAttr().getValue(),
                            mlir::arith::FastMathFlags::afn);
}

/// Expands only ops whose result is one f32.
template <typename Op>
struct F32Pattern : mlir::OpRewritePattern<Op> {
  using mlir::OpRewritePattern<Op>::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const final {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "is not one f32");
    return expand(op, rewriter);
  }

protected:
  virtual mlir::LogicalResult expand(Op op,
                                     mlir::PatternRewriter &rewriter) const = 0;
};

} // namespace tilegpt::tilegpu

#endif
