// Inverse hyperbolic functions of f64, by log1p of a value that is small where
// they are.
#include "F64Formula.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>
#include <numbers>

using namespace mlir;

namespace tilegpt::tilegpu {

/// Beyond it 1 is negligible besides a square.
static constexpr double large = 0x1p28;

Value F64Formula::asinh(Value x) {
  Value magnitude = abs(x), one = constant(1);
  Value inside = clamp(magnitude, 0, large);
  Value square = mul(inside, inside);
  Value root = math::SqrtOp::create(builder, loc, add(square, one));
  Value near = log1p(add(inside, div(square, add(root, one))));
  Value far = add(log(magnitude), constant(std::numbers::ln2));
  Value result = select(less(magnitude, constant(large)), near, far);
  return copySign(select(isNaN(x), x, result), x);
}

Value F64Formula::acosh(Value x) {
  Value above = sub(clamp(x, 1, large), constant(1));
  Value root = math::SqrtOp::create(builder, loc,
                                    fma(above, above, mul(above, constant(2))));
  Value near = log1p(add(above, root));
  Value far = add(log(x), constant(std::numbers::ln2));
  Value result = select(less(x, constant(large)), near, far);
  Value isOutside = less(x, constant(1));
  return select(isOutside, constant(std::numeric_limits<double>::quiet_NaN()),
                result);
}

Value F64Formula::atanh(Value x) {
  // Beyond 1 it is the logarithm of a negative number.
  Value magnitude = abs(x), one = constant(1);
  Value ratio = div(mul(magnitude, constant(2)), sub(one, magnitude));
  return copySign(mul(log1p(ratio), constant(0.5)), x);
}

} // namespace tilegpt::tilegpu
