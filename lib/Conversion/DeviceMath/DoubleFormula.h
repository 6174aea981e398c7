// Elementary functions of one f32, computed in f64: for functions that no
// instruction and no short formula in f32 has, where being right to the last
// digit is worth more than speed.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_DOUBLEFORMULA_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_DOUBLEFORMULA_H

#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

class DoubleFormula {
public:
  DoubleFormula(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

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
  mlir::Value cbrt(mlir::Value x);

private:
  using Value = mlir::Value;

  // On f64; comparisons are ordered, so false for NaN.
  Value constant(double value);
  Value wide(Value x);
  Value narrow(Value x);
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value div(Value a, Value b);
  Value fma(Value a, Value b, Value c);
  Value abs(Value a);
  Value floor(Value a);
  Value round(Value a);
  Value clamp(Value a, double low, double high);
  Value copySign(Value magnitude, Value sign);
  Value equal(Value a, Value b);
  Value less(Value a, Value b);
  Value isNaN(Value a);
  Value both(Value a, Value b);
  Value either(Value a, Value b);
  Value select(Value condition, Value a, Value b);
  /// Coefficients from the highest power down.
  Value polynomial(Value x, llvm::ArrayRef<double> coefficients);
  /// The sum of c[i]·xⁱ over i < count.
  Value series(Value x, int count, llvm::function_ref<double(int)> coefficient);

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

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace tilegpt::tilegpu

#endif
