// Elementary functions of one f64, in double-double arithmetic where f64 has no
// digits to spare.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_F64FORMULA_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_F64FORMULA_H

#include "F64Arithmetic.h"

namespace tilegpt::tilegpu {

class F64Formula : F64Arithmetic {
public:
  F64Formula(mlir::OpBuilder &builder, mlir::Location loc)
      : F64Arithmetic(builder, loc) {}

  /// All take and return f64. NaN, infinities and signs of zeros follow C;
  /// test/unit/Conversion/DeviceMath has the errors.

  mlir::Value exp(mlir::Value x);
  mlir::Value exp2(mlir::Value x);
  mlir::Value expm1(mlir::Value x);
  mlir::Value log(mlir::Value x);
  mlir::Value log2(mlir::Value x);
  mlir::Value log10(mlir::Value x);
  mlir::Value log1p(mlir::Value x);
  mlir::Value pow(mlir::Value x, mlir::Value y);
  mlir::Value cbrt(mlir::Value x);
  mlir::Value sinh(mlir::Value x);
  mlir::Value cosh(mlir::Value x);
  mlir::Value tanh(mlir::Value x);
  mlir::Value asinh(mlir::Value x);
  mlir::Value acosh(mlir::Value x);
  mlir::Value atanh(mlir::Value x);
  mlir::Value erf(mlir::Value x);
  mlir::Value erfc(mlir::Value x);
  /// Up to |x| = 2³⁰; beyond, the quadrant loses accuracy.
  mlir::Value sin(mlir::Value x);
  mlir::Value cos(mlir::Value x);
  mlir::Value tan(mlir::Value x);
  mlir::Value asin(mlir::Value x);
  mlir::Value acos(mlir::Value x);
  mlir::Value atan(mlir::Value x);
  mlir::Value atan2(mlir::Value y, mlir::Value x);

private:
  /// high + low, where low is the rounding error of high.
  struct Pair {
    Value high, low;
  };
  /// x = m·2ⁿ, and the natural logarithm of m.
  struct Logarithm {
    Value n;
    Pair mantissa;
  };

  /// Exact sums and products.
  Pair sum(Value a, Value b);
  Pair product(Value a, Value b);
  /// Times a double-double constant.
  Pair times(Pair a, double high, double low);

  /// 2ⁿ·e^(r.high + r.low) for |r.high| below 0.35.
  Value scaledExp(Value n, Pair r);
  /// e^(x.high + x.low).
  Value expOf(Pair x);
  /// e^r − 1 for |r.high| below 0.35.
  Value expMinusOne(Pair r);
  /// n, and the remainder of x.high + x.low minus n·ln 2.
  std::pair<Value, Pair> reduceExp(Pair x);

  /// For a positive number.
  Logarithm splitLog(Value x);
  Pair naturalLog(Value x);
  /// `result` if a logarithm of x is finite, otherwise its special value.
  Value logOrSpecial(Value x, Value result);

  /// The angle of the point (x, y) from the first axis.
  Value angle(Value y, Value x);
  /// √(1 − x²), without cancellation.
  Value otherSide(Value x);
  /// sin(x + quarters·π/2) of a finite number, any quarters from 0 to 3.
  Value sinOfTurned(Value x, int quarters);
};

} // namespace tilegpt::tilegpu

#endif
