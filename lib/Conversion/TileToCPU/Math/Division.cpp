// Quotients of vectors of integers as those of floats with twice as many
// digits, cut off: no host divides vectors of integers.
#include "Math/Division.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace {
template <typename Op>
struct ExpandDivision : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !type.getElementType().isInteger() ||
        type.getElementTypeBitWidth() > 32)
      return rewriter.notifyMatchFailure(op, "is no vector of small integers");
    if (APInt divisor;
        matchPattern(op.getRhs(), m_ConstantInt(&divisor)) && !divisor.isZero())
      return rewriter.notifyMatchFailure(op, "is a product of constants");
    Location loc = op.getLoc();
    // Quotients differ from whole numbers by at least 1/x of their value.
    auto floats = type.clone(type.getElementTypeBitWidth() > 16
                                 ? Type(rewriter.getF64Type())
                                 : Type(rewriter.getF32Type()));
    constexpr bool isSigned =
        llvm::is_one_of<Op, arith::DivSIOp, arith::RemSIOp>::value;
    const auto toFloat = [&](Value value) -> Value {
      if constexpr (isSigned)
        return arith::SIToFPOp::create(rewriter, loc, floats, value);
      return arith::UIToFPOp::create(rewriter, loc, floats, value);
    };
    Value exact = arith::DivFOp::create(rewriter, loc, toFloat(op.getLhs()),
                                        toFloat(op.getRhs()));
    Value quotient;
    if constexpr (isSigned)
      quotient = arith::FPToSIOp::create(rewriter, loc, type, exact);
    else
      quotient = arith::FPToUIOp::create(rewriter, loc, type, exact);
    if constexpr (llvm::is_one_of<Op, arith::RemSIOp, arith::RemUIOp>::value)
      quotient = arith::SubIOp::create(
          rewriter, loc, op.getLhs(),
          arith::MulIOp::create(rewriter, loc, quotient, op.getRhs()));
    rewriter.replaceOp(op, quotient);
    return success();
  }
};
} // namespace

void tilegpt::cpu::populateDivisionPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandDivision<arith::DivSIOp>, ExpandDivision<arith::DivUIOp>,
               ExpandDivision<arith::RemSIOp>, ExpandDivision<arith::RemUIOp>>(
      patterns.getContext());
}
