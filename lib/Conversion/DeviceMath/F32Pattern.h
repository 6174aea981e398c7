// Patterns for functions of one f32: of tiles only what a thread has of them,
// element by element.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_F32PATTERN_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_F32PATTERN_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// Expands ops whose result is one f32, and no others.
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
