// f64 exponentials, logarithms and derived functions: series of e^r and of
// artanh, whose first terms are double-double.
#include "F64Formula.h"
#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;

namespace tilegpt::tilegpu {

// Double-double constants; those multiplied by integers have few digits in the
// first part.
static constexpr double ln2Short = 0.6931471804855391,
                        ln2Rest = 7.440617110012397e-11;
static constexpr double ln2Low = 2.3190468138462996e-17;
static constexpr double log2eLow = 2.0355273740931033e-17;
static constexpr double log10eLow = 1.098319650216765e-17;
static constexpr double log10Of2Short = 0.30102999560767785,
                        log10Of2Rest = 5.630334806675098e-11;

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

F64Formula::Pair F64Formula::sum(Value a, Value b) {
  // Knuth's TwoSum.
  Value high = add(a, b), part = sub(high, a);
  return {high, add(sub(a, sub(high, part)), sub(b, part))};
}

F64Formula::Pair F64Formula::product(Value a, Value b) {
  Value high = mul(a, b);
  return {high, fma(a, b, sub(constant(-0.0), high))};
}

F64Formula::Pair F64Formula::times(Pair a, double high, double low) {
  Pair result = product(a.high, constant(high));
  result.low = fma(a.high, constant(low), result.low);
  result.low = fma(a.low, constant(high), result.low);
  return result;
}

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

std::pair<Value, F64Formula::Pair> F64Formula::reduceExp(Pair x) {
  Value n = round(mul(x.high, constant(std::numbers::log2e)));
  Value left = fma(n, constant(-ln2Short), x.high); // exact
  Value rest = fma(n, constant(-ln2Rest), x.low);
  return {n, sum(left, rest)};
}

Value F64Formula::expMinusOne(Pair r) {
  // |r| ≤ 0.35: the truncation error is 2⁻⁶² of the result.
  Value q = series(r.high, 14, [](int i) { return 1 / std::tgamma(i + 3); });
  return add(r.high, fma(mul(r.high, r.high), q, r.low));
}

Value F64Formula::scaledExp(Value n, Pair r) {
  Value q = series(r.high, 13, [](int i) { return 1 / std::tgamma(i + 3); });
  Value tail = fma(mul(r.high, r.high), q, fma(r.low, r.high, r.low));
  Pair first = sum(constant(1), r.high);
  Value power = add(first.high, add(first.low, tail));
  // In two steps, as 2ⁿ may be out of range although the result is not.
  Value half = floor(mul(n, constant(0.5)));
  return mul(mul(power, powerOfTwo(half)), powerOfTwo(sub(n, half)));
}

Value F64Formula::expOf(Pair x) {
  Value inside = clamp(x.high, -746, 711);
  auto [n, r] = reduceExp({inside, x.low});
  return select(isNaN(x.high), x.high, scaledExp(n, r));
}

Value F64Formula::exp(Value x) { return expOf({x, constant(0)}); }

Value F64Formula::exp2(Value x) {
  Value inside = clamp(x, -1080, 1030), n = round(inside);
  Pair r = times({sub(inside, n), constant(0)}, std::numbers::ln2, ln2Low);
  return select(isNaN(x), x, scaledExp(n, r));
}

Value F64Formula::expm1(Value x) {
  Value inside = clamp(x, -60, 700);
  auto [n, r] = reduceExp({inside, constant(0)});
  Value scale = powerOfTwo(n);
  Value result = fma(scale, expMinusOne(r), sub(scale, constant(1)));
  result = select(less(constant(600), x), exp(x), result);
  return copySign(select(isNaN(x), x, result), x);
}

/// e^x / 2 directly, as it may be in range although e^x is not.
static constexpr double largeExponent = 36;

Value F64Formula::sinh(Value x) {
  Value magnitude = abs(x);
  Value t = expm1(clamp(magnitude, 0, largeExponent));
  Value small = mul(constant(0.5), add(t, div(t, add(t, constant(1)))));
  Pair less2 = sum(magnitude, constant(-std::numbers::ln2));
  less2.low = sub(less2.low, constant(ln2Low));
  less2.low = select(less(magnitude, constant(1000)), less2.low, constant(0));
  Value large = expOf(less2);
  Value result = select(less(constant(largeExponent), magnitude), large, small);
  return copySign(select(isNaN(x), x, result), x);
}

Value F64Formula::cosh(Value x) {
  Value magnitude = abs(x);
  Pair less2 = sum(magnitude, constant(-std::numbers::ln2));
  less2.low = sub(less2.low, constant(ln2Low));
  less2.low = select(less(magnitude, constant(1000)), less2.low, constant(0));
  Value half = expOf(less2);
  return add(half, div(constant(0.25), half));
}

Value F64Formula::tanh(Value x) {
  Value t = expm1(mul(clamp(abs(x), 0, 30), constant(2)));
  Value result = copySign(div(t, add(t, constant(2))), x);
  return select(isNaN(x), x, result);
}

//===----------------------------------------------------------------------===//
// Logarithms and powers
//===----------------------------------------------------------------------===//

F64Formula::Logarithm F64Formula::splitLog(Value x) {
  Value isSubnormal = less(x, constant(0x1p-1022));
  Value normal = select(isSubnormal, mul(x, constant(0x1p54)), x);
  auto [n, m] = splitPowers(normal);
  n = sub(n, select(isSubnormal, constant(54), constant(0)));

  // log m = 2·artanh(s) = 2s + ⅔s³ + s⁵·T, s = (m − 1)/(m + 1), |s| ≤ 0.172:
  // the first term left out is 2⁻⁷⁰.
  Value above = sub(m, constant(1)); // exact
  Pair below = sum(m, constant(1));
  Value s = div(above, below.high);
  Value rest =
      sub(fma(sub(constant(-0.0), s), below.high, above), mul(s, below.low));
  Value sLow = div(rest, below.high);
  Pair square = product(s, s);
  square.low = fma(mul(s, constant(2)), sLow, square.low);
  Pair cube = product(square.high, s);
  cube.low = fma(square.low, s, fma(square.high, sLow, cube.low));
  Pair second = times(cube, 2.0 / 3, 3.700743415417188e-17);
  Value tail =
      series(square.high, 11, [](int i) { return 2.0 / double(2 * i + 5); });
  tail = mul(mul(cube.high, square.high), tail);
  Pair first = sum(mul(s, constant(2)), second.high);
  Value low = add(first.low, fma(sLow, constant(2), add(second.low, tail)));
  return {n, sum(first.high, low)};
}

Value F64Formula::logOrSpecial(Value x, Value result) {
  Value zero = constant(0);
  result = select(less(x, constant(infinity)), result, x);
  result = select(less(x, zero), constant(nan), result);
  return select(equal(x, zero), constant(-infinity), result);
}

F64Formula::Pair F64Formula::naturalLog(Value x) {
  auto [n, m] = splitLog(x);
  Pair first = sum(mul(n, constant(ln2Short)), m.high);
  Value low = add(first.low, fma(n, constant(ln2Rest), m.low));
  Pair result = sum(first.high, low);
  Value isFinite = both(less(constant(0), x), less(x, constant(infinity)));
  return {logOrSpecial(x, result.high),
          select(isFinite, result.low, constant(0))};
}

Value F64Formula::log(Value x) { return naturalLog(x).high; }

Value F64Formula::log2(Value x) {
  auto [n, m] = splitLog(x);
  Pair digits = times(m, std::numbers::log2e, log2eLow);
  Pair result = sum(n, digits.high);
  return logOrSpecial(x, add(result.high, add(result.low, digits.low)));
}

Value F64Formula::log10(Value x) {
  auto [n, m] = splitLog(x);
  Pair digits = times(m, std::numbers::log10e, log10eLow);
  Pair result = sum(mul(n, constant(log10Of2Short)), digits.high);
  Value low = add(result.low, fma(n, constant(log10Of2Rest), digits.low));
  return logOrSpecial(x, add(result.high, low));
}

Value F64Formula::log1p(Value x) {
  Value inside = select(less(x, constant(infinity)), x, constant(0));
  Pair one = sum(inside, constant(1));
  Pair result = naturalLog(one.high);
  // log(u + d) = log u + d/u, for d lost in u.
  Value lost = div(one.low, one.high);
  Value sum = add(result.high, add(result.low, lost));
  Value isInside = both(less(constant(-1), x), less(x, constant(infinity)));
  Value outside = logOrSpecial(add(x, constant(1)), x);
  // Keeps the sign of -0.
  return select(isInside, copySign(sum, x), outside);
}

Value F64Formula::cbrt(Value x) {
  Value magnitude = abs(x);
  Value isSubnormal = less(magnitude, constant(0x1p-1022));
  Value normal =
      select(isSubnormal, mul(magnitude, constant(0x1p54)), magnitude);
  Value root = exp(mul(naturalLog(normal).high, constant(1.0 / 3)));
  // One Newton step, with a double-double residual.
  Pair square = product(root, root);
  Pair cube = product(square.high, root);
  Value rest = sub(sub(normal, cube.high), fma(square.low, root, cube.low));
  Value step = div(rest, mul(square.high, constant(3)));
  Value result = add(root, step);
  result = select(isSubnormal, mul(result, constant(0x1p-18)), result);
  Value isPlain =
      both(less(constant(0), magnitude), less(magnitude, constant(infinity)));
  return select(isPlain, copySign(result, x), x);
}

Value F64Formula::pow(Value x, Value y) {
  Pair logarithm = naturalLog(abs(x));
  Pair t = product(y, logarithm.high);
  t.low = fma(y, logarithm.low, t.low);
  t.low = select(less(abs(t.high), constant(1000)), t.low, constant(0));
  return powerOf(x, y, expOf(t));
}

//===----------------------------------------------------------------------===//
// Error function
//===----------------------------------------------------------------------===//

Value F64Formula::erf(Value x) {
  // Near 0 the series, with a truncation error of 2⁻⁶³.
  Value square = mul(x, x);
  Value tail = series(square, 15, [](int i) {
    double term =
        2 * std::numbers::inv_sqrtpi / (std::tgamma(i + 1) * double(2 * i + 1));
    return i % 2 == 0 ? term : -term;
  });
  Value magnitude = abs(x);
  Value far = sub(constant(1), erfc(magnitude));
  Value isNear = less(magnitude, constant(0.5));
  return copySign(select(isNear, mul(x, tail), far), x);
}

Value F64Formula::erfc(Value x) {
  // (1 + 2|x|)·e^(x²)·erfc|x| as a polynomial of t = (|x| − 3)/(|x| + 3),
  // interpolated at Chebyshev nodes; 2⁻⁵⁴ for |x| from ⅓ to 27.
  Value magnitude = abs(x);
  Value inside = clamp(magnitude, 1.0 / 3, 28);
  Value t = div(sub(inside, constant(3)), add(inside, constant(3)));
  Value p = polynomial(
      t,
      {9.39643903601976e-10,   -5.408604765218927e-09,  -1.3167182041416275e-08,
       3.7259265350914757e-08, 1.0166623811789818e-07,  -1.379706844739513e-07,
       -6.165323395672593e-07, 3.5517475995991054e-07,  3.4724040821888136e-06,
       -7.31101727905644e-07,  -2.0100593911110464e-05, 4.949454437982659e-06,
       0.0001250993688839019,  -0.00010515980909008063, -0.0007798322768875662,
       0.001888690361669325,   0.002529391816805376,    -0.023770514918865147,
       0.06830802734391953,    -0.11927366341530135,    0.1296451587027627,
       -0.04756229435345082,   -0.1356211061245812,     1.2530080582697296});
  Pair square = product(inside, inside);
  Value power = expOf(
      {sub(constant(-0.0), square.high), sub(constant(-0.0), square.low)});
  Value far = div(mul(power, p), fma(inside, constant(2), constant(1)));
  // Near 0 it is 1 − erf x.
  Value small = mul(x, x);
  Value tail = series(small, 13, [](int i) {
    double term =
        2 * std::numbers::inv_sqrtpi / (std::tgamma(i + 1) * double(2 * i + 1));
    return i % 2 == 0 ? term : -term;
  });
  Value near = fma(sub(constant(-0.0), x), tail, constant(1));
  Value other = sub(constant(2), far);
  Value isNegative = less(x, constant(0));
  Value result = select(less(magnitude, constant(0.375)), near,
                        select(isNegative, other, far));
  return select(isNaN(x), x, result);
}

} // namespace tilegpt::tilegpu
