// Textbook range reductions and series: f64 has enough digits for an f32
// result.
#include "DoubleFormula.h"
#include "F64Formula.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>
#include <numbers>

using namespace mlir;

namespace tilegpt::tilegpu {

Value DoubleFormula::wide(Value x) {
  return arith::ExtFOp::create(builder, loc, builder.getF64Type(), x);
}
Value DoubleFormula::narrow(Value x) {
  return arith::TruncFOp::create(builder, loc, builder.getF32Type(), x);
}

//===----------------------------------------------------------------------===//
// Exponentials and logarithms
//===----------------------------------------------------------------------===//

Value DoubleFormula::exponential(Value x) {
  // Far beyond the f32 range, and within the exponent range of f64.
  Value inside = clamp(x, -150, 150);
  Value n = round(mul(inside, constant(std::numbers::log2e)));
  Value r = fma(n, constant(-std::numbers::ln2), inside);
  // |r| ≤ ln 2 / 2: the truncation error is 2·10⁻¹³.
  Value power = series(r, 11, [](int i) { return 1 / std::tgamma(i + 1); });
  return select(isNaN(x), x, mul(power, powerOfTwo(n)));
}

Value DoubleFormula::logarithm(Value x) {
  auto [n, m] = splitPowers(x);

  // log m = 2·artanh(s), s = (m − 1)/(m + 1), |s| ≤ 0.172: the first term left
  // out is 10⁻¹⁴ of s.
  Value s = div(sub(m, constant(1)), add(m, constant(1)));
  Value tail =
      series(mul(s, s), 9, [](int i) { return 2.0 / double(2 * i + 1); });
  Value finite = fma(n, constant(std::numbers::ln2), mul(s, tail));

  Value zero = constant(0);
  Value result = select(less(x, constant(infinity)), finite, x);
  result = select(less(x, zero), constant(nan), result);
  return select(equal(x, zero), constant(-infinity), result);
}

Value DoubleFormula::log2(Value x) {
  return narrow(mul(logarithm(wide(x)), constant(std::numbers::log2e)));
}

Value DoubleFormula::log10(Value x) {
  return narrow(mul(logarithm(wide(x)), constant(std::numbers::log10e)));
}

Value DoubleFormula::expm1(Value x) {
  Value d = wide(x);
  Value near = mul(d, fma(d, constant(0.5), constant(1)));
  Value isNear = less(abs(d), constant(0x1p-15));
  return narrow(select(isNear, near, sub(exponential(d), constant(1))));
}

Value DoubleFormula::sinh(Value x) {
  // Near 0, where the powers cancel, three terms suffice: the next is 10⁻¹¹.
  Value d = wide(x), square = mul(d, d);
  Value near = mul(
      d, series(square, 3, [](int i) { return 1 / std::tgamma(2 * i + 2); }));
  Value power = exponential(d);
  Value far = mul(sub(power, div(constant(1), power)), constant(0.5));
  return narrow(select(less(abs(d), constant(0x1p-4)), near, far));
}

Value DoubleFormula::cosh(Value x) {
  Value power = exponential(wide(x));
  return narrow(mul(add(power, div(constant(1), power)), constant(0.5)));
}

Value DoubleFormula::asinh(Value x) {
  // Near 0, where the logarithm cancels, three terms suffice: the next is
  // 10⁻¹².
  Value d = wide(x), a = abs(d), square = mul(d, d);
  Value near = mul(d, polynomial(square, {3.0 / 40, -1.0 / 6, 1}));
  Value root = math::SqrtOp::create(builder, loc, add(square, constant(1)));
  Value far = copySign(logarithm(add(a, root)), d);
  return narrow(select(less(a, constant(0x1p-6)), near, far));
}

Value DoubleFormula::acosh(Value x) {
  // x² − 1 is exact near 1.
  Value d = wide(x);
  Value root = math::SqrtOp::create(builder, loc, fma(d, d, constant(-1)));
  Value result = logarithm(add(d, root));
  return narrow(select(less(d, constant(1)), constant(nan), result));
}

Value DoubleFormula::atanh(Value x) {
  Value d = wide(x), one = constant(1), square = mul(d, d);
  Value near = mul(d, polynomial(square, {1.0 / 7, 1.0 / 5, 1.0 / 3, 1}));
  Value far = mul(logarithm(div(add(one, d), sub(one, d))), constant(0.5));
  return narrow(select(less(abs(d), constant(0x1p-6)), near, far));
}

Value DoubleFormula::cbrt(Value x) {
  Value d = wide(x);
  Value root = exponential(mul(logarithm(abs(d)), constant(1.0 / 3)));
  return narrow(copySign(root, d));
}

Value DoubleFormula::erfc(Value x) {
  return narrow(F64Formula(builder, loc).erfc(wide(x)));
}

Value DoubleFormula::pow(Value base, Value exponent) {
  Value x = wide(base), y = wide(exponent);
  return narrow(powerOf(x, y, exponential(mul(y, logarithm(abs(x))))));
}

//===----------------------------------------------------------------------===//
// Angles
//===----------------------------------------------------------------------===//

Value DoubleFormula::sinOfTurned(Value x, int quarters) {
  // Larger angles, whose spacing in f32 is many turns, count as 0.
  Value d = wide(x);
  Value inside = select(less(abs(d), constant(largestAngle)), d, constant(0));
  // x = k·π/2 + r, with π/2 in two parts, where the product with the first is
  // exact. Adding 3·2⁵¹ rounds to an integer and leaves k in the low bits.
  constexpr double lost = 6.123233995736766e-17; // of π/2 in f64
  Value rounder = constant(0x1.8p52);
  Value shifted = fma(inside, constant(2 / std::numbers::pi), rounder);
  Value k = sub(shifted, rounder);
  Value r = fma(k, constant(-std::numbers::pi / 2), inside);
  r = fma(k, constant(-lost), r);

  // |r| ≤ π/4: the truncation error is 10⁻¹¹ of the result.
  Value square = mul(r, r);
  auto alternating = [](int i, int power) {
    return (i % 2 ? -1 : 1) / std::tgamma(2 * i + power + 1);
  };
  Value sine =
      mul(r, series(square, 7, [&](int i) { return alternating(i, 1); }));
  Value cosine = series(square, 7, [&](int i) { return alternating(i, 0); });

  // Odd quadrants use the cosine, and the last two are negative.
  Type bits = builder.getI64Type();
  auto integer = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, bits, value);
  };
  Value quadrant = arith::AddIOp::create(
      builder, loc, arith::BitcastOp::create(builder, loc, bits, shifted),
      integer(quarters));
  auto bit = [&](int64_t number) -> Value {
    return arith::AndIOp::create(builder, loc, quadrant,
                                 integer(int64_t(1) << number));
  };
  Value isEven = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       bit(0), integer(0));
  Value magnitude = arith::BitcastOp::create(builder, loc, bits,
                                             select(isEven, sine, cosine));
  Value sign = arith::ShLIOp::create(builder, loc, bit(1), integer(62));
  Value value = arith::BitcastOp::create(
      builder, loc, builder.getF64Type(),
      arith::XOrIOp::create(builder, loc, magnitude, sign));
  // Returns NaN for infinities and NaN, and -0 for -0.
  return fma(d, constant(0), value);
}

Value DoubleFormula::sin(Value x) { return narrow(sinOfTurned(x, 0)); }

Value DoubleFormula::cos(Value x) { return narrow(sinOfTurned(x, 1)); }

Value DoubleFormula::tan(Value x) {
  return narrow(div(sinOfTurned(x, 0), sinOfTurned(x, 1)));
}

Value DoubleFormula::angle(Value y, Value x) {
  auto [a, isSteep, isHigh] = slopeOf(y, x);
  // |a| ≤ 0.42: the truncation error is 10⁻¹² of a.
  Value tail = series(mul(a, a), 14, [](int i) {
    return (i % 2 ? -1.0 : 1.0) / double(2 * i + 1);
  });
  Value angle = mul(a, tail);
  angle = select(isHigh, add(angle, constant(std::numbers::pi / 4)), angle);
  angle = select(isSteep, sub(constant(std::numbers::pi / 2), angle), angle);
  Value isBehind = less(copySign(constant(1), x), constant(0));
  angle = select(isBehind, sub(constant(std::numbers::pi), angle), angle);
  angle = copySign(angle, y);
  return select(isNaN(x), x, select(isNaN(y), y, angle));
}

Value DoubleFormula::atan2(Value y, Value x) {
  return narrow(angle(wide(y), wide(x)));
}

Value DoubleFormula::otherSide(Value x) {
  Value one = constant(1);
  return math::SqrtOp::create(builder, loc, mul(sub(one, x), add(one, x)));
}

Value DoubleFormula::asin(Value x) {
  Value d = wide(x);
  return narrow(angle(d, otherSide(d)));
}

Value DoubleFormula::acos(Value x) {
  Value d = wide(x);
  return narrow(angle(otherSide(d), d));
}

Value DoubleFormula::atan(Value x) {
  Value one =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(1));
  return atan2(x, one);
}

} // namespace tilegpt::tilegpu
