// Arithmetic on floats of one shape, and the functions that consist of it:
// branch-free, for scalars and vectors alike.
#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_MATH_FORMULA_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_MATH_FORMULA_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

namespace tilegpt::cpu {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Emits operations on values of one type, a float or a vector of floats, and
/// on conditions and integers of the same shape.
class Formula {
public:
  using Value = mlir::Value;

  Formula(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type);

  Value constant(double value) const;
  Value add(Value a, Value b) const { return make<mlir::arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) const { return make<mlir::arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) const { return make<mlir::arith::MulFOp>(a, b); }
  Value mul(Value a, double b) const { return mul(a, constant(b)); }
  Value div(Value a, Value b) const { return make<mlir::arith::DivFOp>(a, b); }
  Value fma(Value a, Value b, Value c) const {
    return make<mlir::math::FmaOp>(a, b, c);
  }
  Value fma(Value a, double b, Value c) const { return fma(a, constant(b), c); }
  Value negate(Value a) const { return make<mlir::arith::NegFOp>(a); }
  Value abs(Value a) const { return make<mlir::math::AbsFOp>(a); }
  Value sqrt(Value a) const { return make<mlir::math::SqrtOp>(a); }
  Value round(Value a) const { return make<mlir::math::RoundEvenOp>(a); }
  Value truncate(Value a) const { return make<mlir::math::TruncOp>(a); }
  /// Between `low` and `high`; NaN stays NaN.
  Value clamp(Value a, double low, double high) const;
  Value copySign(Value magnitude, Value sign) const {
    return make<mlir::math::CopySignOp>(magnitude, sign);
  }
  /// Coefficients from the highest power down.
  Value polynomial(Value x, llvm::ArrayRef<double> coefficients) const;

  Value less(Value a, Value b) const {
    return compare(mlir::arith::CmpFPredicate::OLT, a, b);
  }
  Value less(Value a, double b) const { return less(a, constant(b)); }
  Value equal(Value a, Value b) const {
    return compare(mlir::arith::CmpFPredicate::OEQ, a, b);
  }
  Value equal(Value a, double b) const { return equal(a, constant(b)); }
  Value isNaN(Value a) const {
    return compare(mlir::arith::CmpFPredicate::UNO, a, a);
  }
  /// Whether the sign bit of an f32 is set.
  Value isNegative(Value a) const;
  Value both(Value a, Value b) const { return make<mlir::arith::AndIOp>(a, b); }
  Value either(Value a, Value b) const {
    return make<mlir::arith::OrIOp>(a, b);
  }
  Value select(Value condition, Value a, Value b) const {
    return make<mlir::arith::SelectOp>(condition, a, b);
  }
  Value select(Value condition, double a, double b) const {
    return select(condition, constant(a), constant(b));
  }
  Value compare(mlir::arith::CmpFPredicate predicate, Value a, Value b) const {
    return make<mlir::arith::CmpFOp>(predicate, a, b);
  }

  // On i32 of the same shape, in the bits of f32.
  Value integer(int32_t value) const;
  Value bitsOf(Value a) const { return make<mlir::arith::BitcastOp>(bits, a); }
  Value ofBits(Value a) const { return make<mlir::arith::BitcastOp>(type, a); }

  /// Whether a condition holds in every lane.
  Value inAllLanes(Value condition) const;
  /// The same shape with elements of f64.
  Formula inF64() const;

  template <typename Op, typename... Operands>
  Value make(Operands... operands) const {
    return Op::create(builder, loc, operands...);
  }

  const mlir::Type type, bits;

private:
  Value splat(mlir::TypedAttr value, mlir::Type shape) const;

  mlir::OpBuilder &builder;
  const mlir::Location loc;
};

// Functions of f32. NaN, infinities and signs of zeros are those of libm.

mlir::Value exp(const Formula &f, mlir::Value x);
mlir::Value exp2(const Formula &f, mlir::Value x);
mlir::Value expm1(const Formula &f, mlir::Value x);
mlir::Value sinh(const Formula &f, mlir::Value x);
mlir::Value cosh(const Formula &f, mlir::Value x);
mlir::Value tanh(const Formula &f, mlir::Value x);

mlir::Value log(const Formula &f, mlir::Value x);
mlir::Value log2(const Formula &f, mlir::Value x);
mlir::Value log10(const Formula &f, mlir::Value x);
mlir::Value log1p(const Formula &f, mlir::Value x);
mlir::Value asinh(const Formula &f, mlir::Value x);
mlir::Value acosh(const Formula &f, mlir::Value x);
mlir::Value atanh(const Formula &f, mlir::Value x);

/// Whether an argument is reduced exactly enough by sin, cos and tan.
mlir::Value isReducible(const Formula &f, mlir::Value x);
mlir::Value sin(const Formula &f, mlir::Value x);
mlir::Value cos(const Formula &f, mlir::Value x);
mlir::Value tan(const Formula &f, mlir::Value x);
mlir::Value asin(const Formula &f, mlir::Value x);
mlir::Value acos(const Formula &f, mlir::Value x);
mlir::Value atan(const Formula &f, mlir::Value x);
mlir::Value atan2(const Formula &f, mlir::Value y, mlir::Value x);

mlir::Value cbrt(const Formula &f, mlir::Value x);
mlir::Value pow(const Formula &f, mlir::Value base, mlir::Value exponent);
/// Whether a quotient is small enough for `remainder`.
mlir::Value isDivisible(const Formula &f, mlir::Value x, mlir::Value y);
/// x − y·trunc(x/y), exact.
mlir::Value remainder(const Formula &f, mlir::Value x, mlir::Value y);

/// x = 2^exponent·(1 + fraction), with 1 + fraction from √½ to √2, for finite
/// positive f32 x, also subnormal ones.
struct Decomposed {
  mlir::Value exponent, fraction;
};
Decomposed decompose(const Formula &f, mlir::Value x);

} // namespace tilegpt::cpu

#endif // TILEGPT_LIB_CONVERSION_TILETOCPU_MATH_FORMULA_H
