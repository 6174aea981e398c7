// f64 arithmetic with formula-like syntax.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_F64ARITHMETIC_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_F64ARITHMETIC_H

#include "mlir/IR/Builders.h"
#include <limits>

namespace tilegpt::tilegpu {

/// Operators and helpers. Comparisons are ordered, so false for NaN.
class F64Arithmetic {
protected:
  using Value = mlir::Value;

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

  F64Arithmetic(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  Value constant(double value);
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

  /// 2ⁿ for an integer n from -1022 to 1023.
  Value powerOfTwo(Value n);
  /// The n and m of a positive normal number m·2ⁿ, with m in [√½, √2).
  std::pair<Value, Value> splitPowers(Value x);

  /// The tangent of an angle of at most π/8, and the angle it is subtracted
  /// from.
  struct Slope {
    Value tangent; ///< at most 0.42
    Value isSteep; ///< the angle is that from the second axis
    Value isHigh;  ///< the angle is that beyond π/4
  };
  /// For the point (|x|, |y|).
  Slope slopeOf(Value y, Value x);
  /// x to the power y, including special cases.
  /// \param power  |x| to the power y, computed from its logarithm.
  Value powerOf(Value x, Value y, Value power);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace tilegpt::tilegpu

#endif
