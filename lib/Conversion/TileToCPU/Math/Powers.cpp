// Powers, roots and remainders of f32.
#include "Math/Formula.h"

using namespace mlir;
using namespace tilegpt::cpu;

Value tilegpt::cpu::cbrt(const Formula &f, Value x) {
  // Away from subnormals and overflow.
  Value magnitude = f.abs(x);
  Value isSmall = f.less(magnitude, 1);
  Value a = f.mul(magnitude, f.select(isSmall, 0x1p24, 0x1p-24));
  // A third of the exponent, within 6 %, and two of Halley's steps.
  Value bits = f.make<arith::SIToFPOp>(f.type, f.bitsOf(a));
  Value third = f.fma(bits, 1 / 3., f.constant(709958130));
  Value root = f.ofBits(f.make<arith::FPToSIOp>(f.bits, third));
  for (int step = 0; step < 2; ++step) {
    Value cube = f.mul(f.mul(root, root), root);
    Value change = f.div(f.sub(cube, a), f.add(f.add(cube, cube), a));
    root = f.sub(root, f.mul(root, change));
  }
  root = f.mul(root, f.select(isSmall, 0x1p-8, 0x1p8));
  Value isFinite =
      f.both(f.less(f.constant(0), magnitude), f.less(magnitude, infinity));
  return f.copySign(f.select(isFinite, root, magnitude), x);
}

/// log₂ of the magnitude of an f32, in f64, within 2⁻³⁹ of its value.
static Value log2InF64(const Formula &f, const Formula &wide, Value magnitude) {
  auto [exponent, fraction] = decompose(f, magnitude);
  auto extend = [&](Value value) {
    return wide.make<arith::ExtFOp>(wide.type, value);
  };
  // log m = 2·artanh((m − 1)/(m + 1)).
  Value top = extend(fraction);
  Value s = wide.div(top, wide.add(top, wide.constant(2)));
  Value series = wide.polynomial(
      wide.mul(s, s), {1 / 13., 1 / 11., 1 / 9., 1 / 7., 1 / 5., 1 / 3., 1.});
  Value log =
      wide.fma(wide.mul(s, 2.8853900817779268), series, extend(exponent));
  // 0, infinity and NaN.
  Value limit =
      f.select(f.equal(magnitude, 0), f.constant(-infinity), magnitude);
  Value isFinite =
      f.both(f.less(f.constant(0), magnitude), f.less(magnitude, infinity));
  return wide.select(isFinite, log, extend(limit));
}

/// 2^x of f64, rounded to f32 once.
static Value exp2FromF64(const Formula &f, const Formula &wide, Value x) {
  Value inside = wide.clamp(x, -200, 200);
  Value n = wide.round(inside);
  Value r = wide.mul(wide.sub(inside, n), 0.6931471805599453);
  Value power = wide.polynomial(r, {1 / 40320., 1 / 5040., 1 / 720., 1 / 120.,
                                    1 / 24., 1 / 6., 1 / 2., 1., 1.});
  // 2ⁿ: f64 has the exponents.
  Type i64 = getElementTypeOrSelf(wide.type);
  Type bits = IntegerType::get(i64.getContext(), 64);
  TypedAttr bias = IntegerAttr::get(bits, 1023),
            digits = IntegerAttr::get(bits, 52);
  if (auto vector = dyn_cast<VectorType>(wide.type)) {
    bits = vector.clone(bits);
    bias = DenseElementsAttr::get(cast<VectorType>(bits), Attribute(bias));
    digits = DenseElementsAttr::get(cast<VectorType>(bits), Attribute(digits));
  }
  Value exponent =
      wide.make<arith::ExtSIOp>(bits, wide.make<arith::FPToSIOp>(f.bits, n));
  Value biased =
      wide.make<arith::AddIOp>(exponent, wide.make<arith::ConstantOp>(bias));
  Value shifted =
      wide.make<arith::ShLIOp>(biased, wide.make<arith::ConstantOp>(digits));
  Value scale = wide.make<arith::BitcastOp>(wide.type, shifted);
  Value result = wide.select(wide.isNaN(x), x, wide.mul(power, scale));
  return f.make<arith::TruncFOp>(f.type, result);
}

Value tilegpt::cpu::pow(const Formula &f, Value base, Value exponent) {
  const Formula wide = f.inF64();
  Value magnitude = f.abs(base);
  Value log = log2InF64(f, wide, magnitude);
  Value product = wide.mul(log, wide.make<arith::ExtFOp>(wide.type, exponent));
  // Powers of ±1 with infinite exponents too.
  product = wide.select(f.equal(magnitude, 1), wide.constant(0), product);
  Value power = exp2FromF64(f, wide, product);
  // Negative bases have powers with whole exponents only.
  Value isWhole = f.equal(f.truncate(exponent), exponent);
  Value half = f.mul(exponent, 0.5);
  Value isOdd = f.both(
      isWhole, f.compare(arith::CmpFPredicate::ONE, f.truncate(half), half));
  power = f.select(isOdd, f.copySign(power, base), power);
  Value isReal = f.either(isWhole, f.either(f.compare(arith::CmpFPredicate::UGE,
                                                      base, f.constant(0)),
                                            f.equal(base, -infinity)));
  power = f.select(isReal, power, f.constant(notANumber));
  Value isOne = f.either(f.equal(exponent, 0), f.equal(base, 1));
  return f.select(isOne, f.constant(1), power);
}

/// trunc(|x/y|), or one more or less.
static Value wholeQuotient(const Formula &f, Value x, Value y) {
  return f.truncate(f.div(f.abs(x), f.abs(y)));
}

Value tilegpt::cpu::isDivisible(const Formula &f, Value x, Value y) {
  return f.compare(arith::CmpFPredicate::ULT, wholeQuotient(f, x, y),
                   f.constant(0x1p24));
}

Value tilegpt::cpu::remainder(const Formula &f, Value x, Value y) {
  // Both differences are multiples of the last place of y no larger than y, so
  // they are exact.
  Value dividend = f.abs(x), divisor = f.abs(y);
  Value rest = f.fma(f.negate(wholeQuotient(f, x, y)), divisor, dividend);
  rest = f.select(f.less(rest, 0), f.add(rest, divisor), rest);
  rest = f.select(f.less(rest, divisor), rest, f.sub(rest, divisor));
  rest = f.select(f.less(dividend, divisor), dividend, rest);
  return f.copySign(rest, x);
}
