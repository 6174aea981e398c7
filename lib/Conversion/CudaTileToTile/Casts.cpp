// Conversions between types of numbers.
#include "Patterns.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Values = ArrayRef<Value>;
using Build = ImplicitLocOpBuilder;

/// A converted type with another element type.
static Type withElement(Type type, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(tensor.clone(element)) : element;
}

static bool isByteWide(Type type) {
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth() == 8;
}

/// A float of one of our types as another, rounded to the nearest even.
static Value convertFloat(Build &b, Value value, Type type) {
  if (value.getType() == type)
    return value;
  const unsigned from = getElementTypeOrSelf(value).getIntOrFloatBitWidth(),
                 to = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  // f16 and bf16, and the types of 8 bits, lie within f32.
  if (from == to) {
    Type wide = withElement(type, b.getF32Type());
    return convertFloat(b, convertFloat(b, value, wide), type);
  }
  if (isByteWide(value.getType()) || isByteWide(type)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    Type result = tensor ? tensor : RankedTensorType::get({}, type);
    return fromTile(b, tile::CastOp::create(b, result, asTile(b, value)));
  }
  if (from < to)
    return arith::ExtFOp::create(b, type, value);
  return arith::TruncFOp::create(b, type, value);
}

/// f32 rounded to the ten mantissa bits of tf32.
static Value roundToTf32(Build &b, Value value, bool tiesAway) {
  const Type type = value.getType(), bits = withElement(type, b.getI32Type());
  auto number = [&](int64_t n) { return integerOf(b, bits, n); };
  Value from = arith::BitcastOp::create(b, bits, value);
  Value half = number(0x1000);
  if (!tiesAway) {
    Value last = arith::AndIOp::create(
        b, arith::ShRUIOp::create(b, from, number(13)), number(1));
    half = arith::AddIOp::create(b, last, number(0xfff));
  }
  Value rounded = arith::AndIOp::create(b, arith::AddIOp::create(b, from, half),
                                        number(-0x2000));
  Value isNaN =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  return arith::SelectOp::create(b, isNaN, value,
                                 arith::BitcastOp::create(b, type, rounded));
}

static Value floatToFloat(FToFOp op, Values in, Build &b) {
  Type type = convertTile(op.getTo().getType());
  Value value = convertFloat(b, in[0], type);
  if (!isa<FloatTF32Type>(op.getTo().getType().getElementType()) ||
      op.getFrom().getType().getElementTypeBitWidth() < 19)
    return value;
  return roundToTf32(b, value, op.getRoundingMode() == Rounding::NearestAway);
}

/// The largest and the smallest integer of a type, as numbers of a float type
/// that lie in its range.
static std::pair<APFloat, APFloat> rangeOf(IntegerType integer, bool isSigned,
                                           FloatType type) {
  const unsigned width = integer.getWidth();
  APInt high =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  APInt low =
      isSigned ? APInt::getSignedMinValue(width) : APInt::getZero(width);
  APFloat highest(type.getFloatSemantics()), lowest = highest;
  highest.convertFromAPInt(high, isSigned, APFloat::rmTowardZero);
  lowest.convertFromAPInt(low, isSigned, APFloat::rmTowardZero);
  return {lowest, highest};
}

/// NaN as 0, and what is outside the type as its nearest number.
static Value saturate(Build &b, Value value, Value converted, bool isSigned) {
  auto integer = cast<IntegerType>(getElementTypeOrSelf(converted));
  auto type = cast<FloatType>(getElementTypeOrSelf(value));
  auto [lowest, highest] = rangeOf(integer, isSigned, type);
  const unsigned width = integer.getWidth();
  auto choose = [&](arith::CmpFPredicate predicate, const APFloat &bound,
                    const APInt &result) {
    Value limit = constantOf(b, value.getType(), FloatAttr::get(type, bound));
    Value outside = arith::CmpFOp::create(b, predicate, value, limit);
    converted = arith::SelectOp::create(
        b, outside, integerOf(b, converted.getType(), result), converted);
  };
  choose(arith::CmpFPredicate::OGT, highest,
         isSigned ? APInt::getSignedMaxValue(width)
                  : APInt::getMaxValue(width));
  choose(arith::CmpFPredicate::OLT, lowest,
         isSigned ? APInt::getSignedMinValue(width) : APInt::getZero(width));
  Value isNaN =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  return arith::SelectOp::create(b, isNaN, zeroOf(b, converted.getType()),
                                 converted);
}

static Value floatToInteger(FToIOp op, Values in, Build &b) {
  const Type type = convertTile(op.getTo().getType());
  const bool isSigned = op.getSignedness() == Signedness::Signed;
  Value value = in[0];
  if (isByteWide(value.getType()))
    value = convertFloat(b, value, withElement(type, b.getF32Type()));
  auto convert = [&](Value from) -> Value {
    if (isSigned)
      return arith::FPToSIOp::create(b, type, from);
    return arith::FPToUIOp::create(b, type, from);
  };
  if (!op.getSaturating())
    return convert(value);
  // What is converted must be in range even where the result is not taken.
  auto element = cast<FloatType>(getElementTypeOrSelf(value));
  auto [lowest, highest] =
      rangeOf(cast<IntegerType>(getElementTypeOrSelf(type)), isSigned, element);
  auto bound = [&](const APFloat &number) {
    return constantOf(b, value.getType(), FloatAttr::get(element, number));
  };
  Value clamped = arith::MinNumFOp::create(
      b, arith::MaxNumFOp::create(b, value, bound(lowest)), bound(highest));
  return saturate(b, value, convert(clamped), isSigned);
}

static Value integerToFloat(IToFOp op, Values in, Build &b) {
  const Type type = convertTile(op.getTo().getType());
  // All integers that a type of 8 bits has room for are numbers of f32.
  Type through =
      isByteWide(type) ? withElement(type, b.getF32Type()) : Type(type);
  Value value;
  if (op.getSignedness() == Signedness::Signed)
    value = arith::SIToFPOp::create(b, through, in[0]);
  else
    value = arith::UIToFPOp::create(b, through, in[0]);
  value = convertFloat(b, value, type);
  if (isa<FloatTF32Type>(op.getTo().getType().getElementType()))
    value = roundToTf32(b, value, /*tiesAway=*/false);
  return value;
}

void populateCastPatterns(const TileTypes &types, RewritePatternSet &patterns) {
  addValuePattern<ExtIOp>(types, patterns,
                          [](ExtIOp op, Values in, Build &b) -> Value {
                            Type type = convertTile(op.getTo().getType());
                            if (op.getSignedness() == Signedness::Signed)
                              return arith::ExtSIOp::create(b, type, in[0]);
                            return arith::ExtUIOp::create(b, type, in[0]);
                          });
  addValuePattern<TruncIOp>(types, patterns,
                            [](TruncIOp op, Values in, Build &b) -> Value {
                              return arith::TruncIOp::create(
                                  b, convertTile(op.getTo().getType()), in[0]);
                            });
  addValuePattern<BitcastOp>(
      types, patterns, [](BitcastOp op, Values in, Build &b) -> Value {
        Type type = convertTile(op.getResult().getType());
        if (in[0].getType() == type)
          return in[0];
        return arith::BitcastOp::create(b, type, in[0]);
      });
  addValuePattern<FToFOp>(types, patterns, floatToFloat);
  addValuePattern<FToIOp>(types, patterns, floatToInteger);
  addValuePattern<IToFOp>(types, patterns, integerToFloat);
}

} // namespace tilegpt::cuda_tile
