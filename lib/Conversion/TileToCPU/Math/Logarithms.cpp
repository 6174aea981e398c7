// Functions of f32 by log(m·2^e) = e·log 2 + log m.
#include "Math/Formula.h"

using namespace mlir;
using namespace tilegpt::cpu;

Decomposed tilegpt::cpu::decompose(const Formula &f, Value x) {
  // Subnormals are scaled up first, by 2^32.
  Value subnormal = f.less(x, 0x1p-126);
  Value normal = f.select(subnormal, f.mul(x, 0x1p32), x);
  Value bias = f.select(subnormal, 32, 0);
  Value raw = f.bitsOf(normal);
  Value above = f.make<arith::SubIOp>(raw, f.integer(0x3F3504F3));
  Value whole = f.make<arith::ShRSIOp>(above, f.integer(23));
  Value shift = f.make<arith::ShLIOp>(whole, f.integer(23));
  Value mantissa = f.ofBits(f.make<arith::SubIOp>(raw, shift));
  Value exponent = f.make<arith::SIToFPOp>(f.type, whole);
  return {f.sub(exponent, bias), f.sub(mantissa, f.constant(1))};
}

/// What log(1 + fraction) exceeds `fraction` by, as a sum of two parts.
static std::pair<Value, Value> excess(const Formula &f, Value fraction) {
  // −fraction²/2, and fraction³·P(fraction) (Cephes' logf).
  Value square = f.mul(fraction, fraction);
  Value tail = f.polynomial(
      fraction, {7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1,
                 -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
                 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1});
  return {square, f.mul(f.mul(fraction, square), tail)};
}

/// The logarithm where it is not finite, `finite` elsewhere.
static Value withLimits(const Formula &f, Value x, Value finite) {
  Value result = f.select(f.less(x, infinity), finite, x);
  Value zero = f.constant(0), nan = f.constant(notANumber);
  result =
      f.select(f.less(zero, x), result, f.select(f.less(x, zero), nan, result));
  return f.select(f.equal(x, zero), f.constant(-infinity), result);
}

Value tilegpt::cpu::log(const Formula &f, Value x) {
  auto [exponent, fraction] = decompose(f, x);
  auto [square, low] = excess(f, fraction);
  // e·ln 2 in two parts.
  low = f.fma(exponent, -2.12194440e-4, low);
  low = f.fma(square, -0.5, low);
  return withLimits(f, x, f.fma(exponent, 0.693359375, f.add(fraction, low)));
}

/// A logarithm with another base.
/// \param scale  1/ln base
/// \param two    log 2, the first part of two short enough that an exponent
///               times it is exact.
static Value logWithBase(const Formula &f, Value x, double scale,
                         std::pair<double, double> two) {
  auto [exponent, fraction] = decompose(f, x);
  auto [square, low] = excess(f, fraction);
  Value natural = f.add(fraction, f.fma(square, -0.5, low));
  const double high = double(float(scale));
  Value sum = f.mul(exponent, two.second);
  sum = f.fma(natural, high, f.fma(natural, scale - high, sum));
  return withLimits(f, x, f.fma(exponent, two.first, sum));
}

Value tilegpt::cpu::log2(const Formula &f, Value x) {
  return logWithBase(f, x, 1.4426950408889634, {1, 0});
}

Value tilegpt::cpu::log10(const Formula &f, Value x) {
  return logWithBase(f, x, 0.4342944819032518,
                     {0.30078125, 2.4874566398119521e-4});
}

Value tilegpt::cpu::log1p(const Formula &f, Value x) {
  // log u, and what rounding u = 1 + x lost.
  Value one = f.constant(1);
  Value u = f.add(x, one);
  Value lost = f.select(f.less(x, one), f.sub(x, f.sub(u, one)),
                        f.sub(one, f.sub(u, x)));
  Value whole = log(f, u);
  Value isInside = f.both(f.less(f.constant(-1), x), f.less(x, infinity));
  Value sum = f.select(isInside, f.add(whole, f.div(lost, u)), whole);
  return f.copySign(sum, x);
}

/// log1p(small(x)), and log(2·x) where squares would overflow.
static Value logOfSum(const Formula &f, Value x, Value small) {
  Value isSmall = f.less(x, 0x1p28);
  Value sum = log1p(f, f.select(isSmall, small, x));
  return f.add(sum, f.select(isSmall, 0, 0.6931471805599453));
}

Value tilegpt::cpu::asinh(const Formula &f, Value x) {
  Value magnitude = f.abs(x), one = f.constant(1);
  Value square = f.mul(x, x);
  Value rest = f.div(square, f.add(one, f.sqrt(f.add(square, one))));
  return f.copySign(logOfSum(f, magnitude, f.add(magnitude, rest)), x);
}

Value tilegpt::cpu::acosh(const Formula &f, Value x) {
  Value above = f.sub(x, f.constant(1));
  Value root = f.sqrt(f.fma(above, above, f.add(above, above)));
  Value result = logOfSum(f, x, f.add(above, root));
  return f.select(f.less(x, 1), f.constant(notANumber), result);
}

Value tilegpt::cpu::atanh(const Formula &f, Value x) {
  Value magnitude = f.abs(x);
  Value odds =
      f.div(f.add(magnitude, magnitude), f.sub(f.constant(1), magnitude));
  return f.copySign(f.mul(log1p(f, odds), 0.5), x);
}
