// Functions of f32 by e^x = 2ⁿ·e^r.
#include "Math/Formula.h"

using namespace mlir;
using namespace tilegpt::cpu;

/// e^r − 1 for |r| ≤ ln 2 / 2.
static Value growthNearZero(const Formula &f, Value r) {
  // Minimax of (e^r − 1 − r)/r², error 2⁻²⁶ (Cephes' expf).
  Value tail =
      f.polynomial(r, {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
                       4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1});
  return f.fma(tail, f.mul(r, r), r);
}

namespace {
/// x = n·ln 2 + r with |r| ≤ ln 2 / 2.
struct Reduced {
  Value n, r;
};
} // namespace

static Reduced reduce(const Formula &f, Value x) {
  Value n = f.round(f.mul(x, 1.4426950408889634));
  // ln 2 in two parts, the first short enough that n times it is exact.
  Value r = f.fma(n, -0.693359375, x);
  return {n, f.fma(n, 2.12194440e-4, r)};
}

/// e^x·2^offset for x from -105 to 91.
static Value scaledExp(const Formula &f, Value x, double offset) {
  auto [n, r] = reduce(f, x);
  Value power = f.add(growthNearZero(f, r), f.constant(1));
  return f.scale(power, offset == 0 ? n : f.add(n, f.constant(offset)));
}

Value tilegpt::cpu::exp(const Formula &f, Value x) {
  // Beyond these bounds the result is 0 or infinite in any case.
  return f.select(f.isNaN(x), x, scaledExp(f, f.clamp(x, -105, 90), 0));
}

Value tilegpt::cpu::exp2(const Formula &f, Value x) {
  Value inside = f.clamp(x, -152, 130);
  Value n = f.round(inside);
  Value r = f.mul(f.sub(inside, n), 0.6931471805599453);
  Value power = f.add(growthNearZero(f, r), f.constant(1));
  return f.select(f.isNaN(x), x, f.scale(power, n));
}

Value tilegpt::cpu::expm1(const Formula &f, Value x) {
  // Below, the result is -1; above, that of exp.
  constexpr double lowest = -30, highest = 30;
  Value inside = f.clamp(x, lowest, 90);
  auto [n, r] = reduce(f, inside);
  Value growth = growthNearZero(f, r), power = f.powerOfTwo(n);
  Value small = f.fma(power, growth, f.sub(power, f.constant(1)));
  Value large = f.scale(f.add(growth, f.constant(1)), n);
  Value result = f.select(f.less(inside, highest), small, large);
  return f.select(f.isNaN(x), x, f.copySign(result, x));
}

/// ½·e^|x|.
static Value halfExp(const Formula &f, Value x) {
  return scaledExp(f, f.clamp(f.abs(x), 0, 91), -1);
}

Value tilegpt::cpu::sinh(const Formula &f, Value x) {
  // The Taylor series where the difference of exponentials would cancel.
  Value square = f.mul(x, x);
  Value tail = f.polynomial(
      square, {1 / 39916800., 1 / 362880., 1 / 5040., 1 / 120., 1 / 6.});
  Value small = f.fma(f.mul(tail, square), x, x);
  Value half = halfExp(f, x);
  Value large = f.sub(half, f.div(f.constant(0.25), half));
  Value magnitude = f.select(f.less(f.abs(x), 1), small, large);
  return f.select(f.isNaN(x), x, f.copySign(magnitude, x));
}

Value tilegpt::cpu::cosh(const Formula &f, Value x) {
  Value half = halfExp(f, x);
  Value sum = f.add(half, f.div(f.constant(0.25), half));
  return f.select(f.isNaN(x), x, sum);
}

Value tilegpt::cpu::tanh(const Formula &f, Value x) {
  // Odd polynomial where 1 − 2/(e^{2x} + 1) would cancel (Cephes' tanhf).
  Value square = f.mul(x, x);
  Value tail = f.polynomial(square, {-5.70498872745e-3, 2.06390887954e-2,
                                     -5.37397155531e-2, 1.33314422036e-1,
                                     -3.33332819422e-1});
  Value small = f.fma(f.mul(tail, square), x, x);
  Value magnitude = f.abs(x);
  Value grown = exp(f, f.add(magnitude, magnitude));
  Value large =
      f.sub(f.constant(1), f.div(f.constant(2), f.add(grown, f.constant(1))));
  // The sign is that of x, of -0 too.
  return f.copySign(f.select(f.less(magnitude, 0.625), small, large), x);
}
