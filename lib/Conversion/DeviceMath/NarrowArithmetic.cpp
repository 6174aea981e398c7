// Sums, differences and products of 16-bit floats that are computed in f32 and
// rounded back: the same as those of the narrow type, two of which are one
// instruction. f32 has more than twice the digits of f16 and bf16, so rounding
// to it first changes nothing (Figueroa, "When is double rounding innocuous?").
#include "NarrowTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

/// A constant in a narrow type; nullopt if it would be rounded.
static std::optional<APFloat> narrowConstant(Value value, Type type) {
  FloatAttr constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return std::nullopt;
  APFloat number = constant.getValue();
  bool isRounded = false;
  number.convert(cast<FloatType>(type).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &isRounded);
  return isRounded ? std::nullopt : std::optional(number);
}

/// Whether an f32 is exact in a narrow type.
static bool isNarrow(Value value, Type type) {
  if (auto wide = value.getDefiningOp<arith::ExtFOp>())
    return wide.getIn().getType() == type;
  return narrowConstant(value, type).has_value();
}

static Value narrow(OpBuilder &builder, Location loc, Value value, Type type) {
  if (auto wide = value.getDefiningOp<arith::ExtFOp>())
    return wide.getIn();
  return arith::ConstantOp::create(
      builder, loc, FloatAttr::get(type, *narrowConstant(value, type)));
}

namespace {
struct NarrowOp : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    Operation *wide = op.getIn().getDefiningOp();
    if ((!type.isF16() && !type.isBF16()) || !op.getIn().getType().isF32() ||
        !isa_and_nonnull<arith::AddFOp, arith::SubFOp, arith::MulFOp>(wide) ||
        !wide->hasOneUse())
      return rewriter.notifyMatchFailure(op, "rounds no sum or product");
    if (!llvm::all_of(wide->getOperands(),
                      [&](Value operand) { return isNarrow(operand, type); }))
      return rewriter.notifyMatchFailure(op, "has an operand of f32");
    SmallVector<Value> operands;
    for (Value operand : wide->getOperands())
      operands.push_back(narrow(rewriter, op.getLoc(), operand, type));
    OperationState state(op.getLoc(), wide->getName(), operands, {type});
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};

/// Bytes that are converted to f32 and rounded to f16, which is exact.
template <typename Convert>
struct NarrowConversion : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    auto wide = op.getIn().getDefiningOp<Convert>();
    if (!op.getType().isF16() || !wide || !wide.getIn().getType().isInteger(8))
      return rewriter.notifyMatchFailure(op, "rounds no converted byte");
    rewriter.replaceOpWithNewOp<Convert>(op, op.getType(), wide.getIn());
    return success();
  }
};
} // namespace

void tilegpt::tilegpu::populateNarrowArithmetic(RewritePatternSet &patterns) {
  patterns.add<NarrowOp, NarrowConversion<arith::SIToFPOp>,
               NarrowConversion<arith::UIToFPOp>>(patterns.getContext());
}
