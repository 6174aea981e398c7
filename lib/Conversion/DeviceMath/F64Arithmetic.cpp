// One op each, in f64.
#include "F64Arithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>
#include <numbers>

using namespace mlir;

namespace tilegpt::tilegpu {

Value F64Arithmetic::constant(double value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF64FloatAttr(value));
}
Value F64Arithmetic::add(Value a, Value b) {
  return arith::AddFOp::create(builder, loc, a, b);
}
Value F64Arithmetic::sub(Value a, Value b) {
  return arith::SubFOp::create(builder, loc, a, b);
}
Value F64Arithmetic::mul(Value a, Value b) {
  return arith::MulFOp::create(builder, loc, a, b);
}
Value F64Arithmetic::div(Value a, Value b) {
  return arith::DivFOp::create(builder, loc, a, b);
}
Value F64Arithmetic::fma(Value a, Value b, Value c) {
  return math::FmaOp::create(builder, loc, a, b, c);
}
Value F64Arithmetic::abs(Value a) {
  return math::AbsFOp::create(builder, loc, a);
}
Value F64Arithmetic::floor(Value a) {
  return math::FloorOp::create(builder, loc, a);
}
Value F64Arithmetic::round(Value a) {
  return math::RoundEvenOp::create(builder, loc, a);
}
Value F64Arithmetic::clamp(Value a, double low, double high) {
  Value above = arith::MaxNumFOp::create(builder, loc, a, constant(low));
  return arith::MinNumFOp::create(builder, loc, above, constant(high));
}
Value F64Arithmetic::copySign(Value magnitude, Value sign) {
  return math::CopySignOp::create(builder, loc, magnitude, sign);
}
Value F64Arithmetic::equal(Value a, Value b) {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, a, b);
}
Value F64Arithmetic::less(Value a, Value b) {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, a, b);
}
Value F64Arithmetic::isNaN(Value a) {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, a, a);
}
Value F64Arithmetic::both(Value a, Value b) {
  return arith::AndIOp::create(builder, loc, a, b);
}
Value F64Arithmetic::either(Value a, Value b) {
  return arith::OrIOp::create(builder, loc, a, b);
}
Value F64Arithmetic::select(Value condition, Value a, Value b) {
  return arith::SelectOp::create(builder, loc, condition, a, b);
}

Value F64Arithmetic::polynomial(Value x, ArrayRef<double> coefficients) {
  Value sum = constant(coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = fma(sum, x, constant(coefficient));
  return sum;
}

Value F64Arithmetic::series(Value x, int count,
                            llvm::function_ref<double(int)> coefficient) {
  SmallVector<double> coefficients;
  for (int i = count; i-- > 0;)
    coefficients.push_back(coefficient(i));
  return polynomial(x, coefficients);
}

Value F64Arithmetic::powerOfTwo(Value n) {
  const Type bits = builder.getI64Type();
  auto integer = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  Value biased = arith::AddIOp::create(
      builder, loc, arith::FPToSIOp::create(builder, loc, bits, n),
      integer(1023));
  return arith::BitcastOp::create(
      builder, loc, builder.getF64Type(),
      arith::ShLIOp::create(builder, loc, biased, integer(52)));
}

std::pair<Value, Value> F64Arithmetic::splitPowers(Value x) {
  const Type bits = builder.getI64Type();
  auto integer = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  // The bits above those of √½ count the powers.
  constexpr int64_t rootOfHalf = 0x3FE6A09E667F3BCD;
  Value raw = arith::BitcastOp::create(builder, loc, bits, x);
  Value above = arith::SubIOp::create(builder, loc, raw, integer(rootOfHalf));
  Value whole = arith::ShRSIOp::create(builder, loc, above, integer(52));
  Value shift = arith::ShLIOp::create(builder, loc, whole, integer(52));
  Value m =
      arith::BitcastOp::create(builder, loc, builder.getF64Type(),
                               arith::SubIOp::create(builder, loc, raw, shift));
  Value n = arith::SIToFPOp::create(builder, loc, builder.getF64Type(), whole);
  return {n, m};
}

F64Arithmetic::Slope F64Arithmetic::slopeOf(Value y, Value x) {
  Value height = abs(y), width = abs(x);
  Value isSteep = less(width, height);
  Value small = select(isSteep, width, height);
  Value large = select(isSteep, height, width);
  // 0/0 is 0, ∞/∞ is π/4.
  Value zero = constant(0), one = constant(1);
  Value slope = select(equal(large, zero), zero,
                       select(equal(small, large), one, div(small, large)));
  // Beyond tan(π/8) the angle from π/4 is smaller.
  Value isHigh = less(constant(std::numbers::sqrt2 - 1), slope);
  Value turned = div(sub(slope, one), add(slope, one));
  return {select(isHigh, turned, slope), isSteep, isHigh};
}

Value F64Arithmetic::powerOf(Value x, Value y, Value power) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Value zero = constant(0), one = constant(1);
  // 1^∞ and 0·(−∞), whose logarithm cannot be multiplied.
  Value isOne = either(equal(abs(x), one), equal(y, zero));
  power = select(isOne, one, power);
  // A finite negative base has only integer powers; odd ones are negative.
  Value isWhole = equal(floor(y), y);
  Value half = mul(y, constant(0.5));
  Value isEven = equal(floor(half), half);
  Value hasSign = less(copySign(one, x), zero);
  Value turned = select(isEven, power, copySign(power, x));
  Value isRoot = both(less(x, zero), less(constant(-infinity), x));
  Value nan = constant(std::numeric_limits<double>::quiet_NaN());
  Value ofNegative = select(isWhole, turned, select(isRoot, nan, power));
  Value result = select(hasSign, ofNegative, power);
  result = select(isNaN(x), x, select(isNaN(y), y, result));
  // For any value of the other.
  Value isCertain = either(equal(y, zero), equal(x, one));
  return select(isCertain, one, result);
}

} // namespace tilegpt::tilegpu
