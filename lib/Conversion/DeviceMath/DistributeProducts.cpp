// Factors common parts out of products of indices.
#include "DistributeProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace {
/// The sum of the constants in sums and differences; nothing if there are none
/// besides other terms.
std::optional<int64_t> constantIn(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::IndexCastOp>(op))
    return constantIn(op->getOperand(0));
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  std::optional<int64_t> sum;
  for (unsigned side : {0, 1}) {
    std::optional<int64_t> part = constantIn(op->getOperand(side));
    APInt constant;
    if (matchPattern(op->getOperand(side), m_ConstantInt(&constant)))
      part = constant.getSExtValue();
    if (part)
      sum = sum.value_or(0) +
            (side == 1 && isa<arith::SubIOp>(op) ? -*part : *part);
  }
  return sum;
}

/// The same sums and differences without their constants.
Value withoutConstants(OpBuilder &builder, Value value) {
  if (matchPattern(value, m_Constant()))
    return arith::ConstantOp::create(builder, value.getLoc(),
                                     builder.getZeroAttr(value.getType()));
  if (!constantIn(value))
    return value;
  Operation *op = value.getDefiningOp();
  SmallVector<Value> parts;
  for (Value operand : op->getOperands())
    parts.push_back(withoutConstants(builder, operand));
  if (isa<arith::IndexCastOp>(op))
    return arith::IndexCastOp::create(builder, op->getLoc(), value.getType(),
                                      parts[0]);
  if (isa<arith::SubIOp>(op))
    return builder.createOrFold<arith::SubIOp>(op->getLoc(), parts[0],
                                               parts[1]);
  return builder.createOrFold<arith::AddIOp>(op->getLoc(), parts[0], parts[1]);
}

/// |x + c| of integers as |x + c| of floats: elements with the same x convert
/// it once. Null if a value is not such a distance.
Value distanceOf(OpBuilder &builder, Value value) {
  auto converted = value.getDefiningOp<arith::SIToFPOp>();
  auto distance = converted ? converted.getIn().getDefiningOp<math::AbsIOp>()
                            : math::AbsIOp();
  std::optional<int64_t> constant =
      distance ? constantIn(distance.getOperand()) : std::nullopt;
  if (!constant)
    return {};
  Location loc = converted.getLoc();
  Value rest = arith::SIToFPOp::create(
            builder, loc, converted.getType(),
            withoutConstants(builder, distance.getOperand())),
        shift = arith::ConstantOp::create(
            builder, loc,
            builder.getF32FloatAttr(static_cast<float>(*constant)));
  return math::AbsFOp::create(builder, loc,
                              arith::AddFOp::create(builder, loc, rest, shift));
}

/// (x + c)·s + t as c·s + (x·s + t), where t is optional: ops with the same x,
/// s and t share the sum in brackets. |x + c|·s keeps its order.
template <typename Op>
struct DistributeProduct : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32() ||
        !bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::contract))
      return rewriter.notifyMatchFailure(op, "may not be contracted");
    Location loc = op.getLoc();
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    for (unsigned side : {0, 1})
      if (Value distance = distanceOf(rewriter, op->getOperand(side))) {
        rewriter.modifyOpInPlace(op, [&] { op->setOperand(side, distance); });
        return success();
      }
    for (auto [position, factor] : {std::pair(lhs, rhs), std::pair(rhs, lhs)}) {
      auto converted = position.template getDefiningOp<arith::SIToFPOp>();
      if (!converted)
        continue;
      std::optional<int64_t> constant = constantIn(converted.getIn());
      if (!constant)
        continue;
      Value rest = arith::SIToFPOp::create(
          rewriter, loc, op.getType(),
          withoutConstants(rewriter, converted.getIn()));
      Value sum;
      if constexpr (std::is_same_v<Op, math::FmaOp>)
        sum = math::FmaOp::create(rewriter, loc, rest, factor, op.getC());
      else
        sum = arith::MulFOp::create(rewriter, loc, rest, factor);
      if (*constant == 0) {
        rewriter.replaceOp(op, sum);
        return success();
      }
      Value shift = arith::ConstantOp::create(
          rewriter, loc,
          rewriter.getF32FloatAttr(static_cast<float>(*constant)));
      rewriter.replaceOpWithNewOp<math::FmaOp>(op, shift, factor, sum);
      return success();
    }
    return rewriter.notifyMatchFailure(op,
                                       "has no factor with a constant offset");
  }
};
} // namespace

void tilegpt::tilegpu::populateDistributeProducts(RewritePatternSet &patterns) {
  patterns
      .add<DistributeProduct<arith::MulFOp>, DistributeProduct<math::FmaOp>>(
          patterns.getContext());
}
