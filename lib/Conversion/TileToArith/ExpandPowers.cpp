// C libraries have no power function with an integer exponent, and powers with
// some constant ones are a few operations.
#include "TileGPT/Conversion/TileToArith/ExpandPowers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include <limits>

using namespace mlir;

namespace tilegpt::tile {

/// The value of a constant number, or of a splat of it.
static std::optional<double> constantNumber(Value value) {
  APFloat number(0.0);
  APInt integer;
  if (matchPattern(value, m_ConstantInt(&integer)))
    return double(integer.getSExtValue());
  if (!matchPattern(value, m_ConstantFloat(&number)))
    return std::nullopt;
  return number.convertToDouble();
}

namespace {
/// Powers of one base with constant exponents.
class Power {
public:
  Power(OpBuilder &builder, Location loc, Value base)
      : builder(builder), loc(loc), base(base) {}

  /// At most three operations, which are off by 1.5 ulp together; null if it
  /// takes more.
  Value with(double exponent) {
    if (exponent == 1)
      return base;
    if (exponent == 2)
      return times(base, base);
    if (exponent == 3)
      return times(times(base, base), base);
    if (exponent == 4) {
      Value square = times(base, base);
      return times(square, square);
    }
    if (exponent == -1)
      return inverse(base);
    if (exponent == 0.5)
      return root();
    if (exponent == -0.5)
      return inverse(root());
    return {};
  }

private:
  Value times(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value inverse(Value value) {
    return arith::DivFOp::create(builder, loc, constant(1), value);
  }

  /// The square root, but 0 of -0, and infinity of minus infinity.
  Value root() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Value positive = arith::AddFOp::create(builder, loc, base, constant(0));
    Value isLeast = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, base, constant(-infinity));
    return arith::SelectOp::create(
        builder, loc, isLeast, constant(infinity),
        math::SqrtOp::create(builder, loc, positive));
  }

  Value constant(double value) {
    TypedAttr number = builder.getFloatAttr(
        cast<FloatType>(getElementTypeOrSelf(base.getType())), value);
    if (auto shaped = dyn_cast<ShapedType>(base.getType()))
      number = DenseElementsAttr::get(shaped, Attribute(number));
    return arith::ConstantOp::create(builder, loc, number);
  }

  OpBuilder &builder;
  Location loc;
  Value base;
};

template <typename Op>
struct ExpandConstantPower : OpRewritePattern<Op> {
  explicit ExpandConstantPower(MLIRContext *context)
      : OpRewritePattern<Op>(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    std::optional<double> exponent = constantNumber(op.getRhs());
    if (!exponent)
      return rewriter.notifyMatchFailure(op, "exponent is not constant");
    Value power = Power(rewriter, op.getLoc(), op.getLhs()).with(*exponent);
    if (!power)
      return rewriter.notifyMatchFailure(op, "takes many operations");
    rewriter.replaceOp(op, power);
    return success();
  }
};

struct ExpandPower : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value base = op.getLhs(), whole = op.getRhs();
    Type type = op.getType(), integers = whole.getType();
    if (isa<RankedTensorType>(type))
      return rewriter.notifyMatchFailure(op, "is not scalar yet");
    Value exponent = arith::SIToFPOp::create(rewriter, loc, type, whole);
    Value magnitude = math::AbsFOp::create(rewriter, loc, base);
    Value power = math::PowFOp::create(rewriter, loc, magnitude, exponent);
    TypedAttr one = rewriter.getIntegerAttr(getElementTypeOrSelf(integers), 1);
    if (auto vector = dyn_cast<VectorType>(integers))
      one = DenseElementsAttr::get(vector, Attribute(one));
    Value ones = arith::ConstantOp::create(rewriter, loc, one);
    Value last = arith::AndIOp::create(rewriter, loc, whole, ones);
    Value isOdd = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                        last, ones);
    Value turned = math::CopySignOp::create(rewriter, loc, power, base);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isOdd, turned, power);
    return success();
  }
};
} // namespace

void populateExpandPowersPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandConstantPower<math::PowFOp>,
               ExpandConstantPower<math::FPowIOp>, ExpandPower>(
      patterns.getContext());
}

} // namespace tilegpt::tile
