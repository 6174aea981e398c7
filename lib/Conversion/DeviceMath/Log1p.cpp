// 1 + x = 2ᵏ·(1 + m), m from -1/4 to 1/2 without the rounding of 1 + x:
// log(1 + x) = k·log 2 + log(1 + m).
#include "Log1p.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>
#include <numbers>

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class Log1p {
public:
  Log1p(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value of(Value x) {
    // k·2²³, as k is where the exponent of a float lies.
    constexpr int32_t threeQuarters = 0x3f400000, four = 0x40800000,
                      exponent = int32_t(0xff800000);
    Value shift = arith::AndIOp::create(
        builder, loc, sub(bits(add(x, constant(1))), integer(threeQuarters)),
        integer(exponent));
    // m = x·2⁻ᵏ + (2⁻ᵏ - 1), both without rounding.
    Value scaled = number(sub(bits(x), shift)),
          power = number(sub(integer(four), shift));
    Value m = add(scaled, fma(power, constant(0.25), constant(-1)));
    Value near = fma(mul(tail(m), m), m, m);
    Value scale = constant(std::numbers::ln2 * 0x1p-23);
    Value finite =
        fma(arith::SIToFPOp::create(builder, loc, builder.getF32Type(), shift),
            scale, near);
    // The result has the sign of x, zeros included.
    return bound(x, math::CopySignOp::create(builder, loc, finite, x));
  }

private:
  /// (log(1 + m) - m)/m², to 5·10⁻⁹ of the logarithm: minimax of its relative
  /// error.
  Value tail(Value m) {
    Value sum = constant(-0x1.6fe542p-5);
    for (double coefficient :
         {0x1.abf634p-4, -0x1.0d8ffcp-3, 0x1.2897bep-3, -0x1.54f24p-3,
          0x1.99685ap-3, -0x1.000024p-2, 0x1.5555a6p-2, -0.5})
      sum = fma(sum, m, constant(coefficient));
    return sum;
  }

  /// The logarithm at -1, below it, at infinity and of NaN.
  Value bound(Value x, Value finite) {
    constexpr double infinity = std::numeric_limits<double>::infinity(),
                     nan = std::numeric_limits<double>::quiet_NaN();
    using Predicate = arith::CmpFPredicate;
    Value result = select(is(Predicate::OLT, x, infinity), finite, x);
    result = select(is(Predicate::OEQ, x, -1), constant(-infinity), result);
    return select(is(Predicate::OLT, x, -1), constant(nan), result);
  }

  Value constant(double value) {
    return arith::ConstantOp::create(
        builder, loc, builder.getF32FloatAttr(static_cast<float>(value)));
  }
  Value integer(int32_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  }
  Value bits(Value x) {
    return arith::BitcastOp::create(builder, loc, builder.getI32Type(), x);
  }
  Value number(Value x) {
    return arith::BitcastOp::create(builder, loc, builder.getF32Type(), x);
  }
  Value sub(Value a, Value b) {
    return arith::SubIOp::create(builder, loc, a, b);
  }
  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value mul(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value fma(Value a, Value b, Value c) {
    return math::FmaOp::create(builder, loc, a, b, c);
  }
  Value is(arith::CmpFPredicate predicate, Value x, double bound) {
    return arith::CmpFOp::create(builder, loc, predicate, x, constant(bound));
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }

  OpBuilder &builder;
  Location loc;
};
} // namespace

Value emitLog1p(OpBuilder &builder, Location loc, Value x) {
  return Log1p(builder, loc).of(x);
}

} // namespace tilegpt::tilegpu
