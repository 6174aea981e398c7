// Patterns for functions of one f32: applied to thread code, element by
// element.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_F32PATTERN_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_F32PATTERN_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

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
