// Sines, tangents and angles of f64: reduction to a quadrant with π in three
// parts, and series.
#include "F64Formula.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;

namespace tilegpt::tilegpu {

// The parts of π/2 beyond f64 precision, and beyond that.
static constexpr double halfPiLow = 6.123233995736766e-17,
                        halfPiLowest = -1.4973849048591698e-33;

Value F64Formula::sinOfTurned(Value x, int quarters) {
  constexpr double halfPi = std::numbers::pi / 2;
  Value k = round(mul(x, constant(2 / std::numbers::pi)));
  Pair most = product(k, constant(halfPi));
  Pair first = sum(sub(x, most.high), sub(constant(-0.0), most.low));
  Pair next = product(k, constant(halfPiLow));
  Pair second = sum(first.high, sub(constant(-0.0), next.high));
  Value low =
      sub(add(first.low, second.low), fma(k, constant(halfPiLowest), next.low));
  // If k has lost digits the rest is arbitrary.
  Pair angle = sum(clamp(second.high, -halfPi / 2, halfPi / 2), low);
  Value r = angle.high, rest = angle.low, square = mul(r, r);

  // |r| ≤ π/4: the truncation error is 2⁻⁶⁰ of the result.
  auto alternating = [](int i, int power) {
    return (i % 2 ? -1 : 1) / std::tgamma(power);
  };
  Value s =
      series(square, 8, [&](int i) { return alternating(i + 1, 2 * i + 4); });
  Value turn = fma(square, constant(-0.5), constant(1));
  Value sine = add(r, fma(mul(r, square), s, mul(rest, turn)));
  Value c = series(square, 8, [&](int i) { return alternating(i, 2 * i + 5); });
  Value lost = fma(square, constant(-0.5), sub(constant(1), turn));
  Value cosine = add(turn, add(lost, fma(mul(square, square), c,
                                         mul(sub(constant(-0.0), r), rest))));

  // Odd quadrants use the cosine, and the last two are negative.
  Value turned = add(k, constant(quarters));
  Value quadrant =
      sub(turned, mul(floor(mul(turned, constant(0.25))), constant(4)));
  Value half = mul(quadrant, constant(0.5));
  Value value = select(equal(floor(half), half), sine, cosine);
  return select(less(constant(1.5), quadrant), sub(constant(-0.0), value),
                value);
}

Value F64Formula::sin(Value x) {
  Value isFinite = less(abs(x), constant(infinity));
  Value inside = select(isFinite, x, constant(0));
  Value result = select(isFinite, sinOfTurned(inside, 0), constant(nan));
  // Keeps the sign of -0.
  return select(less(abs(x), constant(0x1p-30)), x, result);
}

Value F64Formula::cos(Value x) {
  Value isFinite = less(abs(x), constant(infinity));
  Value inside = select(isFinite, x, constant(0));
  return select(isFinite, sinOfTurned(inside, 1), constant(nan));
}

Value F64Formula::tan(Value x) {
  Value isFinite = less(abs(x), constant(infinity));
  Value inside = select(isFinite, x, constant(0));
  Value ratio = div(sinOfTurned(inside, 0), sinOfTurned(inside, 1));
  Value result = select(isFinite, ratio, constant(nan));
  return select(less(abs(x), constant(0x1p-30)), x, result);
}

Value F64Formula::angle(Value y, Value x) {
  constexpr double quarterPi = std::numbers::pi / 4;
  auto [a, isSteep, isHigh] = slopeOf(y, x);
  // |a| ≤ 0.42: the truncation error is 2⁻⁵⁸ of a.
  Value square = mul(a, a);
  Value tail = series(square, 21, [](int i) {
    return (i % 2 ? 1.0 : -1.0) / double(2 * i + 3);
  });
  Value angle = fma(mul(a, square), tail, a);
  auto beside = [&](double high, double low, Value sign) {
    return add(constant(high), fma(sign, angle, constant(low)));
  };
  Value plus = constant(1), minus = constant(-1);
  angle = select(isHigh, beside(quarterPi, halfPiLow / 2, plus), angle);
  angle = select(isSteep, beside(2 * quarterPi, halfPiLow, minus), angle);
  Value isBehind = less(copySign(plus, x), constant(0));
  angle = select(isBehind, beside(4 * quarterPi, 2 * halfPiLow, minus), angle);
  angle = copySign(angle, y);
  return select(isNaN(x), x, select(isNaN(y), y, angle));
}

Value F64Formula::otherSide(Value x) {
  Value one = constant(1);
  return math::SqrtOp::create(builder, loc, mul(sub(one, x), add(one, x)));
}

Value F64Formula::asin(Value x) { return angle(x, otherSide(x)); }
Value F64Formula::acos(Value x) { return angle(otherSide(x), x); }
Value F64Formula::atan(Value x) { return angle(x, constant(1)); }
Value F64Formula::atan2(Value y, Value x) { return angle(y, x); }

} // namespace tilegpt::tilegpu
