// Functions of f32 on circles (polynomials: Cephes).
#include "Math/Formula.h"

using namespace mlir;
using namespace tilegpt::cpu;

/// π/2 as a sum of two floats.
static constexpr double quarterHigh = 1.57079637050628662,
                        quarterLow = -4.371138828673793e-8;

Value tilegpt::cpu::isReducible(const Formula &f, Value x) {
  return f.less(f.abs(x), 0x1p18);
}

namespace {
/// x = quarters·π/2 + r with |r| ≤ π/4, and functions of r.
struct Turned {
  Value quarters; ///< i32
  Value sine, cosine;
};
} // namespace

static Turned turn(const Formula &f, Value x) {
  // The first difference is exact, being a multiple of the last place of π/2;
  // the parts together have 72 bits.
  Value n = f.round(f.mul(x, 0.6366197723675814));
  Value r = f.fma(n, -quarterHigh, x);
  r = f.fma(n, -quarterLow, r);
  r = f.fma(n, 1.7151244994428829e-15, r);
  Value square = f.mul(r, r);
  Value tail = f.polynomial(
      square, {-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1});
  Value sine = f.fma(f.mul(tail, square), r, r);
  tail = f.polynomial(square, {2.443315711809948e-5, -1.388731625493765e-3,
                               4.166664568298827e-2});
  Value cosine =
      f.fma(tail, f.mul(square, square), f.fma(square, -0.5, f.constant(1)));
  return {f.make<arith::FPToSIOp>(f.bits, n), sine, cosine};
}

static Value hasBit(const Formula &f, Value number, int32_t bit) {
  Value masked = f.make<arith::AndIOp>(number, f.integer(bit));
  return f.make<arith::CmpIOp>(arith::CmpIPredicate::ne, masked, f.integer(0));
}

/// sin(x + ahead·π/2) for reducible x.
static Value sineAhead(const Formula &f, Value x, int32_t ahead) {
  auto [quarters, sine, cosine] = turn(f, x);
  quarters = f.make<arith::AddIOp>(quarters, f.integer(ahead));
  Value result = f.select(hasBit(f, quarters, 1), cosine, sine);
  return f.select(hasBit(f, quarters, 2), f.negate(result), result);
}

Value tilegpt::cpu::sin(const Formula &f, Value x) {
  // The sign of zero is lost in sums.
  return f.select(f.equal(x, 0), x, sineAhead(f, x, 0));
}

Value tilegpt::cpu::cos(const Formula &f, Value x) {
  return sineAhead(f, x, 1);
}

Value tilegpt::cpu::tan(const Formula &f, Value x) {
  auto [quarters, sine, cosine] = turn(f, x);
  Value isOdd = hasBit(f, quarters, 1);
  Value quotient = f.div(f.select(isOdd, f.negate(cosine), sine),
                         f.select(isOdd, sine, cosine));
  return f.select(f.equal(x, 0), x, quotient);
}

/// asin(x) for |x| ≤ ½, given x².
static Value asinNearZero(const Formula &f, Value x, Value square) {
  Value tail =
      f.polynomial(square, {4.2163199048e-2, 2.4181311049e-2, 4.5470025998e-2,
                            7.4953002686e-2, 1.6666752422e-1});
  return f.fma(f.mul(tail, square), x, x);
}

/// 2·asin √(½·(1 − |x|)), which is acos |x|.
static Value acosNearOne(const Formula &f, Value x) {
  Value square = f.fma(f.abs(x), -0.5, f.constant(0.5));
  Value half = asinNearZero(f, f.sqrt(square), square);
  return f.add(half, half);
}

/// quarters·π/2 − angle.
static Value complement(const Formula &f, double quarters, Value angle) {
  return f.add(f.sub(f.constant(quarters * quarterHigh), angle),
               f.constant(quarters * quarterLow));
}

Value tilegpt::cpu::asin(const Formula &f, Value x) {
  Value small = asinNearZero(f, x, f.mul(x, x));
  Value large = complement(f, 1, acosNearOne(f, x));
  return f.copySign(f.select(f.less(f.abs(x), 0.5), small, large), x);
}

Value tilegpt::cpu::acos(const Formula &f, Value x) {
  Value small = complement(f, 1, asinNearZero(f, x, f.mul(x, x)));
  Value nearOne = acosNearOne(f, x);
  Value large = f.select(f.less(x, 0), complement(f, 2, nearOne), nearOne);
  return f.select(f.less(f.abs(x), 0.5), small, large);
}

/// The angle from 0 to π/2 whose tangent is y/x, for y and x ≥ 0.
static Value angleOf(const Formula &f, Value y, Value x) {
  // Sums must not overflow.
  Value isHuge =
      f.either(f.less(f.constant(0x1p125), y), f.less(f.constant(0x1p125), x));
  Value scale = f.select(isHuge, 0.25, 1);
  Value isEqual = f.equal(y, x), positive = f.less(f.constant(0), y);
  y = f.mul(y, scale);
  x = f.mul(x, scale);
  // atan t = π/2 − atan(1/t) = π/4 + atan((t − 1)/(t + 1)).
  Value isSteep = f.less(f.mul(x, 2.414213562373095), y);
  Value isMiddle = f.either(f.less(f.mul(x, 0.4142135623730950), y),
                            f.both(isEqual, positive));
  Value top = f.select(isMiddle, f.sub(y, x), y);
  Value bottom = f.select(isMiddle, f.add(y, x), x);
  top = f.select(isSteep, f.negate(x), top);
  bottom = f.select(isSteep, y, bottom);
  // Zeros and infinities have no quotient.
  Value t = f.select(isEqual, f.constant(0), f.div(top, bottom));
  Value square = f.mul(t, t);
  Value tail = f.polynomial(square, {8.05374449538e-2, -1.38776856032e-1,
                                     1.99777106478e-1, -3.33329491539e-1});
  Value angle = f.fma(f.mul(tail, square), t, t);
  Value quarters = f.select(isSteep, f.constant(1), f.select(isMiddle, 0.5, 0));
  angle = f.fma(quarters, quarterLow, angle);
  return f.fma(quarters, quarterHigh, angle);
}

Value tilegpt::cpu::atan(const Formula &f, Value x) {
  return f.copySign(angleOf(f, f.abs(x), f.constant(1)), x);
}

Value tilegpt::cpu::atan2(const Formula &f, Value y, Value x) {
  Value angle = angleOf(f, f.abs(y), f.abs(x));
  angle = f.select(f.isNegative(x), complement(f, 2, angle), angle);
  return f.copySign(angle, y);
}
