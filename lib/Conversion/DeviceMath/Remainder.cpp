// Long division: subtracts multiples of the divisor that keep the remainder
// exact.
#include "Remainder.h"
#include "F64Arithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class LongDivision : F64Arithmetic {
public:
  LongDivision(OpBuilder &builder, Location loc)
      : F64Arithmetic(builder, loc) {}

  /// x − y·trunc(x/y), with the sign of x.
  /// \param isNarrow  whether operands come from types whose values are normal
  /// f64.
  Value remainder(Value x, Value y, bool isNarrow) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Value isFinite =
        both(less(abs(x), constant(infinity)), less(constant(0), abs(y)));
    // Other operands are replaced by some that end the loop.
    Value dividend = select(isFinite, abs(x), constant(0));
    Value divisor = select(both(isFinite, less(abs(y), constant(infinity))),
                           abs(y), constant(infinity));
    Value rest;
    if (isNarrow) {
      rest = reduce(dividend, divisor);
    } else {
      // First by a multiple of a subnormal divisor, then with everything scaled
      // by the same factor.
      Value isSubnormal = less(divisor, constant(0x1p-1022));
      auto scale = [&](Value value, double by) {
        return select(isSubnormal, mul(value, constant(by)), value);
      };
      divisor = scale(divisor, 0x1p54);
      rest = scale(reduce(dividend, divisor), 0x1p54);
      rest = scale(reduce(rest, divisor), 0x1p-54);
    }
    Value nan = constant(std::numeric_limits<double>::quiet_NaN());
    Value result = select(isFinite, copySign(rest, x), nan);
    return select(isNaN(y), y, result);
  }

private:
  Value exponentOf(Value x) {
    Value bits =
        arith::BitcastOp::create(builder, loc, builder.getI64Type(), x);
    return arith::ShRUIOp::create(builder, loc, bits, integer(52));
  }
  Value integer(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  }

  /// The remainder of `a` modulo `b`, for finite a and normal b.
  Value reduce(Value a, Value b) {
    const Type type = builder.getF64Type(), bits = builder.getI64Type();
    auto loop = scf::WhileOp::create(
        builder, loc, TypeRange(type), ValueRange(a),
        [&](OpBuilder &nested, Location, ValueRange rest) {
          OpBuilder::InsertionGuard guard(builder);
          builder.setInsertionPoint(nested.getInsertionBlock(),
                                    nested.getInsertionPoint());
          Value goesOn = arith::CmpFOp::create(
              builder, loc, arith::CmpFPredicate::OGE, rest[0], b);
          scf::ConditionOp::create(builder, loc, goesOn, rest);
        },
        [&](OpBuilder &nested, Location, ValueRange rest) {
          OpBuilder::InsertionGuard guard(builder);
          builder.setInsertionPoint(nested.getInsertionBlock(),
                                    nested.getInsertionPoint());
          Value apart = arith::SubIOp::create(builder, loc, exponentOf(rest[0]),
                                              exponentOf(b));
          Value powers = arith::MaxSIOp::create(
              builder, loc,
              arith::SubIOp::create(builder, loc, apart, integer(52)),
              integer(0));
          Value raised = arith::AddIOp::create(
              builder, loc, arith::BitcastOp::create(builder, loc, bits, b),
              arith::ShLIOp::create(builder, loc, powers, integer(52)));
          Value part = arith::BitcastOp::create(builder, loc, type, raised);
          // The quotient may have been rounded up.
          Value quotient = floor(div(rest[0], part));
          Value left = fma(sub(constant(-0.0), quotient), part, rest[0]);
          Value kept = select(less(left, constant(0)), add(left, part), left);
          scf::YieldOp::create(builder, loc, kept);
        });
    return loop.getResult(0);
  }
};

struct ExpandRemainder : OpRewritePattern<arith::RemFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::RemFOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType(), wide = rewriter.getF64Type();
    if (!isa<FloatType>(type))
      return rewriter.notifyMatchFailure(op, "is not one float");
    bool isNarrow = type != wide;
    auto widen = [&](Value value) {
      return isNarrow
                 ? arith::ExtFOp::create(rewriter, op.getLoc(), wide, value)
                       .getResult()
                 : value;
    };
    Value x = widen(op.getLhs()), y = widen(op.getRhs());
    Value result =
        LongDivision(rewriter, op.getLoc()).remainder(x, y, isNarrow);
    if (isNarrow)
      result = arith::TruncFOp::create(rewriter, op.getLoc(), type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void populateRemainder(RewritePatternSet &patterns) {
  patterns.add<ExpandRemainder>(patterns.getContext());
}

} // namespace tilegpt::tilegpu
