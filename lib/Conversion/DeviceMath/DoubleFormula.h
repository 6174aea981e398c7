// Elementary functions of one f32, computed in f64: for functions that no
// instruction and no short formula in f32 has, where being right to the last
// digit is worth more than speed.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_DOUBLEFORMULA_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_DOUBLEFORMULA_H

#include "F64Arithmetic.h"

namespace tilegpt::tilegpu {

class DoubleFormula : F64Arithmetic {
public:
  DoubleFormula(mlir::OpBuilder &builder, mlir::Location loc)
      : F64Arithmetic(builder, loc) {}

  /// All take and return f32. NaN, infinities and signs of zeros come out as
  /// C defines them.

  /// Up to |x| = 2²⁵; beyond, fewer digits of the quadrant are right.
  mlir::Value sin(mlir::Value x);
  mlir::Value cos(mlir::Value x);
  mlir::Value expm1(mlir::Value x);
  mlir::Value log1p(mlir::Value x);
  mlir::Value log2(mlir::Value x);
  mlir::Value log10(mlir::Value x);
  mlir::Value pow(mlir::Value x, mlir::Value y);
  mlir::Value atan(mlir::Value x);
  mlir::Value atan2(mlir::Value y, mlir::Value x);
  mlir::Value tan(mlir::Value x);
  mlir::Value asin(mlir::Value x);
  mlir::Value acos(mlir::Value x);
  mlir::Value sinh(mlir::Value x);
  mlir::Value cosh(mlir::Value x);
  mlir::Value asinh(mlir::Value x);
  mlir::Value acosh(mlir::Value x);
  mlir::Value atanh(mlir::Value x);
  mlir::Value cbrt(mlir::Value x);
  mlir::Value erfc(mlir::Value x);

private:
  Value wide(Value x);
  Value narrow(Value x);

  /// Natural logarithm of a positive number that is not subnormal; right for
  /// zeros, negative numbers, infinities and NaN too.
  Value logarithm(Value x);
  /// eˣ, for |x| beyond 150 anything that f32 does not tell from it.
  Value exponential(Value x);
  /// The angle of the point (x, y) from the first axis.
  Value angle(Value y, Value x);
  /// √(1 − x²), without the digits that x² loses.
  Value otherSide(Value x);
  /// sin(x + quarters·π/2).
  Value sinOfTurned(Value x, int quarters);
};

} // namespace tilegpt::tilegpu

#endif
