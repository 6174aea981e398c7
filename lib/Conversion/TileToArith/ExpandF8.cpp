// f8 conversions through f16, whose exponent has as many bits as that of
// f8E5M2, and through f32 bit patterns.
#include "TileGPT/Conversion/TileToArith/ExpandF8.h"
#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <limits>

using namespace mlir;

namespace tilegpt::tile {

/// The bit pattern of an overflow.
static int64_t overflowOf(Type type) {
  return isa<Float8E4M3FNType>(type) ? 0x7F : 0x7C;
}

// Half a step above the largest: a tie rounds to it if it is even.
float largestRoundedToF8(Type type) {
  constexpr float e4m3 = 464, belowTieOfE5M2 = 0x1.dffffep15F;
  return isa<Float8E4M3FNType>(type) ? e4m3 : belowTieOfE5M2;
}

namespace {
/// Arithmetic on scalars or vectors of one shape.
class Bits {
public:
  Bits(OpBuilder &builder, Location loc, Type shape)
      : builder(builder), loc(loc), shape(dyn_cast<VectorType>(shape)) {}

  Type typeOf(Type element) {
    return shape ? Type(shape.clone(element)) : element;
  }
  Type integer(unsigned width) { return typeOf(builder.getIntegerType(width)); }
  Type single() { return typeOf(builder.getF32Type()); }

  Value constant(int64_t value, unsigned width) {
    return splat(builder.getIntegerAttr(builder.getIntegerType(width), value));
  }
  Value constant(float value) { return splat(builder.getF32FloatAttr(value)); }

  template <typename Op, typename... Arguments>
  Value make(Arguments... arguments) {
    return Op::create(builder, loc, arguments...);
  }

private:
  Value splat(TypedAttr value) {
    if (shape)
      value = DenseElementsAttr::get(shape.clone(value.getType()),
                                     Attribute(value));
    return arith::ConstantOp::create(builder, loc, value);
  }

  OpBuilder &builder;
  Location loc;
  VectorType shape;
};

struct ExtendF8 : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getIn()),
         to = getElementTypeOrSelf(op.getType());
    if (!isF8(from) || to.isF64())
      return rewriter.notifyMatchFailure(
          op, "does not extend f8, or extends to f64");
    Bits bits(rewriter, op.getLoc(), op.getType());
    Value byte = bits.make<arith::ExtUIOp>(
        bits.integer(16),
        bits.make<arith::BitcastOp>(bits.integer(8), op.getIn()));
    Value result = isa<Float8E4M3FNType>(from) ? extendE4M3(bits, byte)
                                               : extendE5M2(bits, byte);
    if (!to.isF32())
      result = bits.make<arith::TruncFOp>(op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  static Value single(Bits &bits, Type half, Value pattern) {
    return bits.make<arith::ExtFOp>(bits.single(),
                                    bits.make<arith::BitcastOp>(half, pattern));
  }

  /// The upper half of an f16.
  static Value extendE5M2(Bits &bits, Value byte) {
    Type half = bits.typeOf(Float16Type::get(byte.getContext()));
    return single(
        bits, half,
        bits.make<arith::ShLIOp>(byte, bits.constant(/*value=*/8, 16)));
  }

  /// An f16 whose exponent is 8 too small, except for NaN.
  static Value extendE4M3(Bits &bits, Value byte) {
    Type half = bits.typeOf(Float16Type::get(byte.getContext()));
    Value magnitude =
        bits.make<arith::AndIOp>(byte, bits.constant(/*value=*/0x7F, 16));
    Value sign =
        bits.make<arith::AndIOp>(byte, bits.constant(/*value=*/0x80, 16));
    Value pattern = bits.make<arith::OrIOp>(
        bits.make<arith::ShLIOp>(sign, bits.constant(/*value=*/8, 16)),
        bits.make<arith::ShLIOp>(magnitude, bits.constant(/*value=*/7, 16)));
    Value value = bits.make<arith::MulFOp>(single(bits, half, pattern),
                                           bits.constant(/*value=*/256.0F));
    Value isNaN = bits.make<arith::CmpIOp>(arith::CmpIPredicate::eq, magnitude,
                                           bits.constant(/*value=*/0x7F, 16));
    return bits.make<arith::SelectOp>(
        isNaN, bits.constant(std::numeric_limits<float>::quiet_NaN()), value);
  }
};

struct TruncateToF8 : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getIn()),
         to = getElementTypeOrSelf(op.getType());
    if (!isF8(to) || from.isF64())
      return rewriter.notifyMatchFailure(
          op, "does not truncate to f8, or truncates f64");
    Bits bits(rewriter, op.getLoc(), op.getType());
    Value value = op.getIn();
    if (!from.isF32())
      value = bits.make<arith::ExtFOp>(bits.single(), value);
    Value byte =
        bits.make<arith::TruncIOp>(bits.integer(8), truncate(bits, value, to));
    rewriter.replaceOp(op, bits.make<arith::BitcastOp>(op.getType(), byte));
    return success();
  }

private:
  /// The bits of a rounded f32 in the low byte of an i32.
  static Value truncate(Bits &bits, Value value, Type type) {
    constexpr unsigned width = 32, digits = 23, singleBias = 127;
    const bool isE4M3 = isa<Float8E4M3FNType>(type);
    const unsigned mantissa = isE4M3 ? 3 : 2, bias = isE4M3 ? 7 : 15;
    auto constant = [&](int64_t number) {
      return bits.constant(number, width);
    };
    Type word = bits.integer(width);
    Value pattern = bits.make<arith::BitcastOp>(word, value);
    Value magnitude =
        bits.make<arith::AndIOp>(pattern, constant(/*number=*/0x7FFFFFFF));

    // To nearest even: half of the last remaining digit, minus one if it is
    // already even.
    const unsigned lost = digits - mantissa;
    Value isOdd = bits.make<arith::AndIOp>(
        bits.make<arith::ShRUIOp>(magnitude, constant(lost)),
        constant(/*number=*/1));
    Value rounded = bits.make<arith::ShRUIOp>(
        bits.make<arith::AddIOp>(bits.make<arith::AddIOp>(magnitude, isOdd),
                                 constant((int64_t(1) << (lost - 1)) - 1)),
        constant(lost));
    Value normal = bits.make<arith::SubIOp>(
        rounded, constant(int64_t(singleBias - bias) << mantissa));

    // Below the normal range an addition rounds: the last digit of the sum is
    // that of the type.
    const float aligned = std::ldexp(1.0F, int(digits - mantissa + 1 - bias));
    Value sum = bits.make<arith::AddFOp>(
        bits.make<arith::BitcastOp>(value.getType(), magnitude),
        bits.constant(aligned));
    Value subnormal =
        bits.make<arith::SubIOp>(bits.make<arith::BitcastOp>(word, sum),
                                 constant(llvm::bit_cast<int32_t>(aligned)));
    Value isNormal = bits.make<arith::CmpIOp>(
        arith::CmpIPredicate::uge, magnitude,
        constant(int64_t(singleBias + 1 - bias) << digits));
    Value result = bits.make<arith::SelectOp>(isNormal, normal, subnormal);

    Value isTooLarge = bits.make<arith::CmpIOp>(
        arith::CmpIPredicate::ugt, magnitude,
        constant(llvm::bit_cast<int32_t>(largestRoundedToF8(type))));
    result = bits.make<arith::SelectOp>(isTooLarge, constant(overflowOf(type)),
                                        result);
    Value isNaN = bits.make<arith::CmpIOp>(arith::CmpIPredicate::ugt, magnitude,
                                           constant(/*number=*/0x7F800000));
    result =
        bits.make<arith::SelectOp>(isNaN, constant(/*number=*/0x7F), result);
    Value sign = bits.make<arith::AndIOp>(
        bits.make<arith::ShRUIOp>(pattern, constant(/*number=*/24)),
        constant(/*number=*/0x80));
    return bits.make<arith::OrIOp>(result, sign);
  }
};
} // namespace

void populateExpandF8Patterns(RewritePatternSet &patterns) {
  patterns.add<ExtendF8, TruncateToF8>(patterns.getContext());
}

} // namespace tilegpt::tile
