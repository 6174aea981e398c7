// Arithmetic on 4-bit types, scales and packed flags.
#include "SmallTypes.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Build = ImplicitLocOpBuilder;

bool isSmallFloat(Type element) {
  return isa<Float4E2M1FNType, Float8E8M0FNUType, Float8E5M3FNUType>(element);
}

namespace {
/// Arithmetic on integers of one type, and its constants.
struct Integers {
  Build &b;
  Type type;

  Value number(int64_t value) const { return integerOf(b, type, value); }
  Value shiftLeft(Value value, int64_t by) const {
    return arith::ShLIOp::create(b, value, number(by));
  }
  Value shiftRight(Value value, int64_t by) const {
    return arith::ShRUIOp::create(b, value, number(by));
  }
  Value mask(Value value, int64_t bits) const {
    return arith::AndIOp::create(b, value, number(bits));
  }
  Value add(Value value, int64_t to) const {
    return arith::AddIOp::create(b, value, number(to));
  }
  Value compare(arith::CmpIPredicate predicate, Value value,
                int64_t with) const {
    return arith::CmpIOp::create(b, predicate, value, number(with));
  }
  Value choose(Value condition, Value yes, Value no) const {
    return arith::SelectOp::create(b, condition, yes, no);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

Value decode(Build &b, Value bits, Type element) {
  Integers i32{b, withElement(bits.getType(), b.getI32Type())};
  Value wide = arith::ExtUIOp::create(b, i32.type, bits);
  using Predicate = arith::CmpIPredicate;
  Value result;
  if (isa<Float8E8M0FNUType>(element)) {
    // The bits are the exponent of an f32, except for 2⁻¹²⁷, an f32 subnormal,
    // and NaN.
    Value normal = i32.shiftLeft(wide, 23);
    Value least = i32.choose(i32.compare(Predicate::eq, wide, 0),
                             i32.number(0x400000), normal);
    result = i32.choose(i32.compare(Predicate::eq, wide, 0xff),
                        i32.number(0x7fc00000), least);
  } else if (isa<Float8E5M3FNUType>(element)) {
    // Moves a number to the exponents of f32, which has the subnormals, too.
    Type f32 = withElement(bits.getType(), b.getF32Type());
    Value number =
        arith::BitcastOp::create(b, f32, i32.shiftLeft(wide, 23 - 3));
    Value factor = constantOf(b, f32, b.getF32FloatAttr(0x1p112f));
    Value isNaN = i32.compare(Predicate::eq, wide, 0xff);
    Value moved = arith::MulFOp::create(b, number, factor);
    return arith::SelectOp::create(
        b, isNaN,
        constantOf(b, f32,
                   FloatAttr::get(b.getF32Type(),
                                  APFloat::getQNaN(APFloat::IEEEsingle()))),
        moved);
  } else {
    // Two exponent bits and one mantissa bit; 0 and 1/2 have no exponent.
    constexpr int64_t bias = 126 << 23;
    Value magnitude = i32.mask(wide, 7);
    Value normal = i32.add(i32.shiftLeft(magnitude, 22), bias);
    Value small = i32.choose(i32.compare(Predicate::eq, magnitude, 0),
                             i32.number(0), i32.number(bias));
    result =
        i32.choose(i32.compare(Predicate::ult, magnitude, 2), small, normal);
    Value sign = i32.shiftLeft(i32.mask(wide, 8), 28);
    result = arith::OrIOp::create(b, result, sign);
  }
  return arith::BitcastOp::create(
      b, withElement(bits.getType(), b.getF32Type()), result);
}

/// Bitcasts a float to an integer.
static std::pair<Integers, Value> asInteger(Build &b, Value number) {
  const unsigned width = getElementTypeOrSelf(number).getIntOrFloatBitWidth();
  Integers integers{b, withElement(number.getType(), b.getIntegerType(width))};
  return {integers, arith::BitcastOp::create(b, integers.type, number)};
}

static Value toByte(Build &b, Value integer) {
  return arith::TruncIOp::create(
      b, withElement(integer.getType(), b.getI8Type()), integer);
}

/// Counts the midpoints between adjacent numbers that a number exceeds.
static Value encodeF4(Build &b, Value number) {
  auto [integers, bits] = asInteger(b, number);
  const unsigned width =
      getElementTypeOrSelf(integers.type).getIntOrFloatBitWidth();
  Value magnitude = math::AbsFOp::create(b, number);
  Value count;
  // Ties go to the neighbour whose last bit is 0.
  constexpr std::pair<double, bool> halfway[] = {
      {0.25, false}, {0.75, true}, {1.25, false}, {1.75, true},
      {2.5, false},  {3.5, true},  {5.0, false}};
  for (auto [point, tieIsAbove] : halfway) {
    Value limit =
        constantOf(b, number.getType(),
                   b.getFloatAttr(getElementTypeOrSelf(number), point));
    Value above = arith::CmpFOp::create(
        b, tieIsAbove ? arith::CmpFPredicate::UGE : arith::CmpFPredicate::UGT,
        magnitude, limit);
    Value one = arith::ExtUIOp::create(b, integers.type, above);
    count = count ? Value(arith::AddIOp::create(b, count, one)) : one;
  }
  Value sign = integers.mask(integers.shiftRight(bits, width - 4), 8);
  Value isNaN =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, number, number);
  sign = integers.choose(isNaN, integers.number(0), sign);
  return toByte(b, arith::OrIOp::create(b, count, sign));
}

/// The exponent, plus one if the mantissa is rounded up.
static Value encodeE8M0(Build &b, Value number, Rounding rounding) {
  auto [integers, bits] = asInteger(b, number);
  using Predicate = arith::CmpIPredicate;
  const bool isWide = getElementTypeOrSelf(number).isF64();
  const int64_t mantissaBits = isWide ? 52 : 23;
  Value magnitude = integers.mask(
      bits, isWide ? std::numeric_limits<int64_t>::max() : 0x7fffffff);
  Value exponent = integers.shiftRight(magnitude, mantissaBits);
  if (isWide) {
    // Numbers below 2⁻¹²⁷ have a negative exponent here.
    constexpr int64_t lower = 1023 - 127;
    exponent = integers.add(exponent, -lower);
  }
  if (rounding == Rounding::PositiveInf) {
    Value mantissa = integers.mask(magnitude, (int64_t(1) << mantissaBits) - 1);
    Value isAbove = integers.compare(Predicate::ne, mantissa, 0);
    if (!isWide) {
      // A subnormal rounds up from 2⁻¹²⁷ if it is more than half a step.
      Value isSubnormal = integers.compare(Predicate::eq, exponent, 0);
      isAbove = integers.choose(
          isSubnormal, integers.compare(Predicate::ugt, mantissa, 0x400000),
          isAbove);
    }
    exponent = arith::AddIOp::create(
        b, exponent, arith::ExtUIOp::create(b, integers.type, isAbove));
  }
  if (isWide)
    exponent = arith::MaxSIOp::create(b, exponent, integers.number(0));
  return toByte(b, arith::MinSIOp::create(b, exponent, integers.number(0xff)));
}

/// Rounds the mantissa to three bits; below 2⁻¹⁴ counts steps of 2⁻¹⁷.
static Value encodeE5M3(Build &b, Value number) {
  using Predicate = arith::CmpIPredicate;
  auto [integers, bits] = asInteger(b, number);
  const bool isWide = getElementTypeOrSelf(number).isF64();
  const int64_t mantissaBits = isWide ? 52 : 23, bias = isWide ? 1023 : 127;
  const int64_t dropped = mantissaBits - 3, leastExponent = bias - 14;
  Value magnitude = integers.mask(
      bits, isWide ? std::numeric_limits<int64_t>::max() : 0x7fffffff);
  Value last = integers.mask(integers.shiftRight(magnitude, dropped), 1);
  Value up = integers.add(last, (int64_t(1) << (dropped - 1)) - 1);
  Value rounded =
      integers.shiftRight(arith::AddIOp::create(b, magnitude, up), dropped);
  Value normal = integers.add(rounded, -((bias - 15) << 3));
  // Adding a number whose last bit is 1 rounds to an integer, in the last bits.
  auto real = [&](double value) {
    return constantOf(b, number.getType(),
                      b.getFloatAttr(getElementTypeOrSelf(number), value));
  };
  Value steps =
      arith::MulFOp::create(b, math::AbsFOp::create(b, number), real(0x1p17));
  Value sum = arith::AddFOp::create(b, steps, real(isWide ? 0x1p52 : 0x1p23));
  Value small =
      integers.mask(arith::BitcastOp::create(b, integers.type, sum), 0xf);
  Value isSmall = integers.compare(Predicate::ult, magnitude,
                                   leastExponent << mantissaBits);
  Value code = arith::MinUIOp::create(
      b, integers.choose(isSmall, small, normal), integers.number(0xff));
  return toByte(b, code);
}

Value encode(Build &b, Value number, Type element, Rounding rounding) {
  if (isa<Float4E2M1FNType>(element))
    return encodeF4(b, number);
  return isa<Float8E5M3FNUType>(element) ? encodeE5M3(b, number)
                                         : encodeE8M0(b, number, rounding);
}

//===----------------------------------------------------------------------===//
// Integers of four bits
//===----------------------------------------------------------------------===//

Value extendI4(Build &b, Value bits, Type type, bool isSigned) {
  Integers i8{b, bits.getType()};
  if (isSigned)
    bits = arith::ShRSIOp::create(b, i8.shiftLeft(bits, 4), i8.number(4));
  if (type == bits.getType())
    return bits;
  if (isSigned)
    return arith::ExtSIOp::create(b, type, bits);
  return arith::ExtUIOp::create(b, type, bits);
}

Value truncateToI4(Build &b, Value number) {
  if (!getElementTypeOrSelf(number).isInteger(8))
    number = toByte(b, number);
  return Integers{b, number.getType()}.mask(number, 0xf);
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// Splits axis `axis` of n elements into n / count and `count`.
static SmallVector<int64_t> splitAxis(ArrayRef<int64_t> shape, int64_t axis,
                                      int64_t count) {
  SmallVector<int64_t> split(shape);
  split[axis] /= count;
  split.insert(split.begin() + axis + 1, count);
  return split;
}

Value packHalves(Build &b, Value halves, int64_t axis) {
  ArrayRef<int64_t> shape = shapeOf(halves.getType());
  SmallVector<int64_t> split = splitAxis(shape, axis, 2), packed(shape);
  packed[axis] /= 2;
  Value pairs = reshapeTo(b, halves, split);
  split[axis + 1] = 1;
  auto half = [&](int64_t number) {
    SmallVector<Value> indices(split.size(),
                               arith::ConstantIndexOp::create(b, 0));
    indices[axis + 1] = arith::ConstantIndexOp::create(b, number);
    Value part =
        tile::ExtractOp::create(b, RankedTensorType::get(split, b.getI8Type()),
                                pairs, indices, sizesAttr(b, split));
    return reshapeTo(b, part, packed);
  };
  Value low = half(0), high = half(1);
  Integers i8{b, low.getType()};
  return arith::OrIOp::create(b, low, i8.shiftLeft(high, 4));
}

Value unpackHalves(Build &b, Value bytes, int64_t axis) {
  ArrayRef<int64_t> shape = shapeOf(bytes.getType());
  SmallVector<int64_t> unpacked(shape), one(shape);
  unpacked[axis] *= 2;
  one.insert(one.begin() + axis + 1, 1);
  SmallVector<int64_t> pairs(one);
  pairs[axis + 1] = 2;
  Integers i8{b, bytes.getType()};
  Value low = reshapeTo(b, i8.mask(bytes, 0xf), one);
  Value high = reshapeTo(b, i8.shiftRight(bytes, 4), one);
  Value both =
      tile::CatOp::create(b, RankedTensorType::get(pairs, b.getI8Type()), low,
                          high, uint64_t(axis + 1));
  return reshapeTo(b, both, unpacked);
}

/// 0 … 7 along the second axis of a tile of `rows` rows.
static Value bitNumbers(Build &b, int64_t rows) {
  Value line = tile::IotaOp::create(
      b, RankedTensorType::get({8}, b.getI8Type()), sizesAttr(b, {8}));
  return tile::BroadcastOp::create(
      b, RankedTensorType::get({rows, 8}, b.getI8Type()),
      reshapeTo(b, line, {1, 8}), sizesAttr(b, {rows, 8}));
}

Value packFlags(Build &b, Value flags) {
  const int64_t rows = shapeOf(flags.getType())[0] / 8;
  auto bytes = RankedTensorType::get({rows, 8}, b.getI8Type());
  Value bits = arith::ExtUIOp::create(b, bytes, reshapeTo(b, flags, {rows, 8}));
  bits = arith::ShLIOp::create(b, bits, bitNumbers(b, rows));
  return tile::ReduceOp::create(
             b, TypeRange(RankedTensorType::get({rows}, b.getI8Type())), bits,
             /*axis=*/1,
             tile::ReduceKindAttr::get(b.getContext(), tile::ReduceKind::Or),
             /*identities=*/ArrayAttr(), /*keepdims=*/false,
             tile::NaNPolicy::Propagate)
      .getResult(0);
}

Value unpackFlags(Build &b, Value bytes) {
  const int64_t rows = shapeOf(bytes.getType())[0];
  auto wide = RankedTensorType::get({rows, 8}, b.getI8Type());
  Value spread = tile::BroadcastOp::create(
      b, wide, reshapeTo(b, bytes, {rows, 1}), sizesAttr(b, {rows, 8}));
  Value bits = arith::ShRUIOp::create(b, spread, bitNumbers(b, rows));
  Value flags = arith::TruncIOp::create(b, wide.clone(b.getI1Type()), bits);
  return reshapeTo(b, flags, {8 * rows});
}

} // namespace tilegpt::cuda_tile
