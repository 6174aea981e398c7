// Conversions between types of numbers.
#include "Patterns.h"
#include "SmallTypes.h"
#include "TileGPT/Dialect/CudaTile/IR/TypeChecks.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Values = ArrayRef<Value>;
using Build = ImplicitLocOpBuilder;

static bool isByteWide(Type type) {
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth() == 8;
}

/// Converts a float, rounding to nearest even.
static Value convertFloat(Build &b, Value value, Type type) {
  if (value.getType() == type)
    return value;
  const unsigned from = getElementTypeOrSelf(value).getIntOrFloatBitWidth(),
                 to = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  // f32 contains f16, bf16 and the 8-bit types.
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

/// Converts a float to a narrower one, rounding towards zero, down or up: takes
/// the nearest, or its neighbour if that is on the wrong side.
static Value convertDirected(Build &b, Value value, Type type, Rounding mode) {
  Value nearest = convertFloat(b, value, type);
  Value back = convertFloat(b, nearest, value.getType());
  const Type bits = withElement(
      type,
      b.getIntegerType(getElementTypeOrSelf(type).getIntOrFloatBitWidth()));
  Value number = arith::BitcastOp::create(b, bits, nearest);
  Value one = integerOf(b, bits, 1);
  Value smaller = arith::SubIOp::create(b, number, one);
  Value other = smaller, isWrong;
  if (mode == Rounding::Zero) {
    isWrong = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT,
                                    math::AbsFOp::create(b, back),
                                    math::AbsFOp::create(b, value));
  } else {
    // Move one step away from zero in that direction.
    const bool down = mode == Rounding::NegativeInf;
    Value isNegative = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                             number, zeroOf(b, bits));
    Value larger = arith::AddIOp::create(b, number, one);
    other = arith::SelectOp::create(b, isNegative, down ? larger : smaller,
                                    down ? smaller : larger);
    isWrong = arith::CmpFOp::create(
        b, down ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, back,
        value);
  }
  return arith::BitcastOp::create(
      b, type, arith::SelectOp::create(b, isWrong, other, number));
}

/// f32 rounded to the ten mantissa bits of tf32.
static Value roundToTf32(Build &b, Value value, Rounding mode) {
  const Type type = value.getType(), bits = withElement(type, b.getI32Type());
  auto number = [&](int64_t n) { return integerOf(b, bits, n); };
  Value from = arith::BitcastOp::create(b, bits, value);
  Value half = number(mode == Rounding::Zero ? 0 : 0x1000);
  if (mode == Rounding::NearestEven) {
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

/// Whether a tile is only used in products, possibly reshaped: tf32 products
/// round their operands to nearest themselves.
static bool isMultipliedOnly(Value tile) {
  return llvm::all_of(tile.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<ReshapeOp, PermuteOp, ExtractOp>(user))
      return isMultipliedOnly(user->getResult(0));
    return isa<MmaFOp>(user);
  });
}

/// Decodes a small float to f32; other floats stay.
static Value decodeSmall(Build &b, Value value, Type element) {
  return isSmallFloat(element) ? decode(b, value, element) : value;
}

/// Encodes a float as a small one.
static Value encodeSmall(Build &b, Value value, Type element,
                         Rounding rounding) {
  if (!getElementTypeOrSelf(value).isF64())
    value =
        convertFloat(b, value, withElement(value.getType(), b.getF32Type()));
  return encode(b, value, element, rounding);
}

static Value floatToFloat(FToFOp op, Values in, Build &b) {
  Type type = convertTile(op.getTo().getType());
  Type from = op.getFrom().getType().getElementType(),
       to = op.getTo().getType().getElementType();
  const Rounding mode = op.getRoundingMode();
  Value value = decodeSmall(b, in[0], from);
  if (isSmallFloat(to))
    return encodeSmall(b, value, to, mode);
  const bool isDirected = widthOf(from) >= to.getIntOrFloatBitWidth() &&
                          mode != Rounding::NearestEven &&
                          mode != Rounding::NearestAway;
  if (isDirected && from.isF64()) {
    value = convertDirected(b, value, type, mode);
  } else if (isDirected && !isa<FloatTF32Type>(to)) {
    // f32 contains f16, bf16 and tf32.
    value = convertFloat(b, value, withElement(type, b.getF32Type()));
    value = convertDirected(b, value, type, mode);
  } else {
    value = convertFloat(b, value, type);
  }
  if (!isa<FloatTF32Type>(to) || widthOf(from) < 19 ||
      (mode == Rounding::NearestEven && isMultipliedOnly(op.getTo())))
    return value;
  return roundToTf32(b, value, mode);
}

/// The largest and smallest integer of a type, as floats in its range.
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

/// Converts NaN to 0, and clamps out-of-range values.
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

/// A cast to one bit. As producers expect, NaN and fractions are true, too.
static Value isNonzero(Build &b, Value value) {
  auto element = cast<FloatType>(getElementTypeOrSelf(value));
  Value zero = constantOf(b, value.getType(), FloatAttr::get(element, 0.0));
  return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, value, zero);
}

static Value floatToInteger(FToIOp op, Values in, Build &b) {
  const Type type = convertTile(op.getTo().getType());
  const bool isSigned = op.getSignedness() == Signedness::Signed;
  Value value = decodeSmall(b, in[0], op.getFrom().getType().getElementType());
  if (isByteWide(value.getType()))
    value = convertFloat(b, value, withElement(type, b.getF32Type()));
  const bool isBit = getElementTypeOrSelf(type).isInteger(1);
  if (isBit && !op.getSaturating())
    return isNonzero(b, value);
  // The NVPTX backend converts zero to true and other floats to false if the
  // result is i1.
  const Type through = isBit ? withElement(type, b.getI32Type()) : type;
  auto convert = [&](Value from) -> Value {
    Value number = isSigned ? Value(arith::FPToSIOp::create(b, through, from))
                            : Value(arith::FPToUIOp::create(b, through, from));
    return isBit ? Value(arith::TruncIOp::create(b, type, number)) : number;
  };
  if (!op.getSaturating())
    return convert(value);
  // The converted value must be in range even if its result is not selected.
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
  const Type to = op.getTo().getType().getElementType();
  // f32 represents all integers that types of at most 8 bits hold.
  Type through =
      isByteWide(type) ? withElement(type, b.getF32Type()) : Type(type);
  Value value;
  if (op.getSignedness() == Signedness::Signed)
    value = arith::SIToFPOp::create(b, through, in[0]);
  else
    value = arith::UIToFPOp::create(b, through, in[0]);
  if (isSmallFloat(to))
    return encodeSmall(b, value, to, Rounding::NearestEven);
  value = convertFloat(b, value, type);
  if (isa<FloatTF32Type>(to))
    value = roundToTf32(b, value, Rounding::NearestEven);
  return value;
}

static Value extendInteger(ExtIOp op, Values in, Build &b) {
  const Type type = convertTile(op.getTo().getType());
  const bool isSigned = op.getSignedness() == Signedness::Signed;
  if (op.getFrom().getType().getElementType().isInteger(4))
    return extendI4(b, in[0], type, isSigned);
  Value wide = isSigned ? Value(arith::ExtSIOp::create(b, type, in[0]))
                        : Value(arith::ExtUIOp::create(b, type, in[0]));
  return op.getTo().getType().getElementType().isInteger(4)
             ? truncateToI4(b, wide)
             : wide;
}

static Value truncateInteger(TruncIOp op, Values in, Build &b) {
  if (op.getTo().getType().getElementType().isInteger(4))
    return truncateToI4(b, in[0]);
  return arith::TruncIOp::create(b, convertTile(op.getTo().getType()), in[0]);
}

void populateCastPatterns(const TileTypes &types, RewritePatternSet &patterns) {
  addValuePattern<ExtIOp>(types, patterns, extendInteger);
  addValuePattern<TruncIOp>(types, patterns, truncateInteger);
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
