// Sums, differences and products of 16-bit floats that are computed in f32 and
// rounded back: the same as those of the narrow type, two of which are one
// instruction. f32 has more than twice the digits of f16 and bf16, so rounding
// to it first changes nothing (Figueroa, "When is double rounding innocuous?").
#include "NarrowTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

/// The least and the largest value of an integer, as far as its last ops tell.
static std::optional<std::pair<int64_t, int64_t>> boundsOf(Value value) {
  constexpr unsigned byteBits = 8;
  APInt constant;
  if (unsigned width = value.getType().getIntOrFloatBitWidth();
      width <= byteBits && value.getType().isSignlessInteger())
    return std::pair(-(int64_t(1) << (width - 1)),
                     (int64_t(1) << (width - 1)) - 1);
  if (auto masked = value.getDefiningOp<arith::AndIOp>())
    if (matchPattern(masked.getRhs(), m_ConstantInt(&constant)) &&
        !constant.isNegative())
      return std::pair<int64_t, int64_t>(0, constant.getSExtValue());
  if (auto wide = value.getDefiningOp<arith::ExtSIOp>())
    return boundsOf(wide.getIn());
  if (auto wide = value.getDefiningOp<arith::ExtUIOp>())
    if (unsigned width = wide.getIn().getType().getIntOrFloatBitWidth();
        width <= byteBits)
      return std::pair<int64_t, int64_t>(0, (int64_t(1) << width) - 1);
  Operation *sum = value.getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(sum) ||
      !matchPattern(sum->getOperand(1), m_ConstantInt(&constant)))
    return std::nullopt;
  auto bounds = boundsOf(sum->getOperand(0));
  constexpr int64_t most = int64_t(1) << 30;
  int64_t shift = constant.getSExtValue();
  if (!bounds || std::abs(shift) > most || std::abs(bounds->first) > most ||
      bounds->second > most)
    return std::nullopt;
  if (isa<arith::SubIOp>(sum))
    shift = -shift;
  return std::pair(bounds->first + shift, bounds->second + shift);
}

static constexpr int64_t powerOfInteger = 1024;

/// Whether a signed integer, less its lower bound, added to 1024 is exact in
/// f16.
static bool isSmall(Value integer) {
  auto bounds = boundsOf(integer);
  return bounds && bounds->second - bounds->first < powerOfInteger &&
         std::abs(bounds->first) <= powerOfInteger;
}

/// Such an integer as an f16: its bits added to those of 1024 are those of the
/// sum.
static Value narrowInteger(OpBuilder &builder, Location loc, Value integer) {
  constexpr int64_t bitsOfPower = 0x6400;
  constexpr unsigned wordBits = 32;
  Type half = builder.getF16Type();
  if (integer.getType().getIntOrFloatBitWidth() != wordBits)
    return arith::SIToFPOp::create(builder, loc, half, integer);
  int64_t least = boundsOf(integer)->first;
  Value bits =
      arith::AddIOp::create(builder, loc, integer,
                            arith::ConstantIntOp::create(
                                builder, loc, bitsOfPower - least, wordBits));
  Value sum = arith::BitcastOp::create(
      builder, loc, half,
      arith::TruncIOp::create(builder, loc, builder.getI16Type(), bits));
  return arith::SubFOp::create(
      builder, loc, sum,
      arith::ConstantOp::create(
          builder, loc,
          builder.getF16FloatAttr(float(powerOfInteger - least))));
}

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
  if (auto converted = value.getDefiningOp<arith::SIToFPOp>())
    return type.isF16() && isSmall(converted.getIn());
  return narrowConstant(value, type).has_value();
}

static Value narrow(OpBuilder &builder, Location loc, Value value, Type type) {
  if (auto wide = value.getDefiningOp<arith::ExtFOp>())
    return wide.getIn();
  if (auto converted = value.getDefiningOp<arith::SIToFPOp>())
    return narrowInteger(builder, loc, converted.getIn());
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
} // namespace

void tilegpt::tilegpu::populateNarrowArithmetic(RewritePatternSet &patterns) {
  patterns.add<NarrowOp>(patterns.getContext());
}
