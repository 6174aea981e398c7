// Elementary functions of one f32, computed in f64: for functions without an
// instruction or a short f32 formula, where accuracy matters more than speed.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_DOUBLEFORMULA_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_DOUBLEFORMULA_H

#include "F64Arithmetic.h"

namespace tilegpt::tilegpu {

class DoubleFormula : F64Arithmetic {
public:
  DoubleFormula(mlir::OpBuilder &builder, mlir::Location loc)
      : F64Arithmetic(builder, loc) {}

  /// All take and return f32. NaN, infinities and signs of zeros follow C.

  /// Angles of at least this size count as 0.
  static constexpr double largestAngle = 0x1p48;
  mlir::Value sin(mlir::Value x);
  mlir::Value cos(mlir::Value x);
  mlir::Value expm1(mlir::Value x);
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

  /// Natural logarithm of a positive normal number; correct for zeros, negative
  /// numbers, infinities and NaN too.
  Value logarithm(Value x);
  /// eˣ; for |x| beyond 150 any value that rounds to the same f32.
  Value exponential(Value x);
  /// The angle of the point (x, y) from the first axis.
  Value angle(Value y, Value x);
  /// √(1 − x²), without cancellation.
  Value otherSide(Value x);
  /// sin(x + quarters·π/2) in f64.
  Value sinOfTurned(Value x, int quarters);
};

} // namespace tilegpt::tilegpu

#endif
