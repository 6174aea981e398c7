// Functions of f32 by e^x = 2ⁿ·e^r.
#include "Math/Formula.h"

using namespace mlir;
using namespace tilegpt::cpu;

/// (e^r − 1 − r)/r² for |r| ≤ ln 2 / 2: minimax, error 2⁻²⁸ of e^r.
static Value tailNearZero(const Formula &f, Value r) {
  return f.polynomial(r, {1.38144670593e-3, 8.36878041118e-3, 4.16683942109e-2,
                          1.66665201078e-1, 4.99999934125e-1});
}

/// e^r for |r| ≤ ln 2 / 2.
static Value expNearZero(const Formula &f, Value r) {
  Value one = f.constant(1);
  return f.fma(f.fma(tailNearZero(f, r), r, one), r, one);
}

/// e^r − 1 for |r| ≤ ln 2 / 2.
static Value growthNearZero(const Formula &f, Value r) {
  return f.fma(tailNearZero(f, r), f.mul(r, r), r);
}

/// A sum with 1.5·2²³ is rounded to an integer, which is in the low bits.
static constexpr double rounder = 0x1.8p23;

// The exponent of an f32 is biased by 127; the sum of two exponents, twice.
static constexpr int bias = 127, biasOfTwo = 2 * bias;

namespace {
/// x = n·ln 2 + r with |r| ≤ ln 2 / 2; n and the bias are the low bits of
/// `biased`, an f32.
struct Reduced {
  Value biased, r;
};
} // namespace

static Reduced reduce(const Formula &f, Value x, int exponentBias) {
  Value shift = f.constant(rounder + exponentBias);
  Value biased = f.fma(x, 1.4426950408889634, shift);
  Value n = f.sub(biased, shift);
  // ln 2 in two parts, the first short enough that n times it is exact.
  Value r = f.fma(n, -0.693359375, x);
  return {biased, f.fma(n, 2.12194440e-4, r)};
}

/// The f32 whose exponent bits are the low bits of an integer.
static Value ofExponent(const Formula &f, Value biased) {
  return f.ofBits(f.make<arith::ShLIOp>(biased, f.integer(23)));
}

/// a·2ⁿ for n from -160 to 160, in two steps so that a subnormal result is
/// rounded once.
/// \param biased  n + biasOfTwo in the low bits
static Value scale(const Formula &f, Value a, Value biased) {
  Value sum = f.bitsOf(biased);
  Value half = f.make<arith::ShRUIOp>(sum, f.integer(1));
  Value rest = f.make<arith::SubIOp>(sum, half);
  return f.mul(f.mul(a, ofExponent(f, half)), ofExponent(f, rest));
}

/// e^x·2^offset for x from -105 to 91.
static Value scaledExp(const Formula &f, Value x, int offset) {
  auto [biased, r] = reduce(f, x, biasOfTwo);
  if (offset != 0)
    biased = f.add(biased, f.constant(offset));
  return scale(f, expNearZero(f, r), biased);
}

Value tilegpt::cpu::exp(const Formula &f, Value x) {
  // Beyond these bounds the result is 0 or infinite in any case.
  return scaledExp(f, f.clamp(x, -105, 90), 0);
}

Value tilegpt::cpu::exp2(const Formula &f, Value x) {
  Value inside = f.clamp(x, -152, 130);
  Value shift = f.constant(rounder + biasOfTwo);
  Value biased = f.add(inside, shift);
  Value r = f.sub(inside, f.sub(biased, shift));
  // Minimax, error 2⁻²⁹.
  Value power = f.polynomial(r, {1.53528349886e-4, 1.33988812857e-3,
                                 9.61843899823e-3, 5.55033245708e-2,
                                 2.40226479024e-1, 6.93147202858e-1, 1.});
  return scale(f, power, biased);
}

Value tilegpt::cpu::expm1(const Formula &f, Value x) {
  // Below, the result is -1; above, that of exp.
  constexpr double lowest = -30, highest = 30;
  Value inside = f.clamp(x, lowest, 90);
  auto [biased, r] = reduce(f, inside, biasOfTwo);
  Value exponent =
      f.make<arith::SubIOp>(f.bitsOf(biased), f.integer(biasOfTwo - bias));
  Value growth = growthNearZero(f, r), power = ofExponent(f, exponent);
  Value small = f.fma(power, growth, f.sub(power, f.constant(1)));
  Value large = scale(f, f.add(growth, f.constant(1)), biased);
  Value result = f.select(f.less(inside, highest), small, large);
  return f.copySign(result, x);
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
  return f.copySign(magnitude, x);
}

Value tilegpt::cpu::cosh(const Formula &f, Value x) {
  Value half = halfExp(f, x);
  return f.add(half, f.div(f.constant(0.25), half));
}

Value tilegpt::cpu::tanh(const Formula &f, Value x) {
  // Odd polynomial where 1 − 2/(e^{2x} + 1) would cancel (Cephes' tanhf).
  Value square = f.mul(x, x);
  Value tail = f.polynomial(square, {-5.70498872745e-3, 2.06390887954e-2,
                                     -5.37397155531e-2, 1.33314422036e-1,
                                     -3.33332819422e-1});
  Value small = f.fma(f.mul(tail, square), x, x);
  // Beyond 10 the result is 1, as it is at 10.
  Value magnitude = f.clamp(f.abs(x), 0, 10);
  auto [biased, r] = reduce(f, f.add(magnitude, magnitude), bias);
  Value one = f.constant(1);
  Value grown = f.fma(expNearZero(f, r), ofExponent(f, f.bitsOf(biased)), one);
  Value large = f.sub(one, f.div(f.constant(2), grown));
  // The sign is that of x, of -0 too.
  return f.copySign(f.select(f.less(magnitude, 0.625), small, large), x);
}
