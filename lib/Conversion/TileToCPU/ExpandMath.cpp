// f32 functions as arithmetic, for scalars and vectors alike: branch-free but
// for the largest arguments of sin and cos.
// Errors against libm in fp64 over all floats are asserted by
// test/unit/Conversion.
#include "TileGPT/Conversion/TileToArith/ExpandPowers.h"
#include "TileGPT/Conversion/TileToArith/ExpandRounded.h"
#include "TileGPT/Conversion/TileToArith/SignOfErf.h"
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_EXPANDMATH
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;

namespace {
/// Arithmetic on f32 values of one shape, written as formulas.
class F32 {
public:
  F32(OpBuilder &builder, Location loc, Type type)
      : builder(builder), loc(loc), type(type),
        bits(isa<VectorType>(type)
                 ? Type(cast<VectorType>(type).clone(builder.getI32Type()))
                 : Type(builder.getI32Type())) {}

  Value constant(double value) {
    return splat(builder.getF32FloatAttr(static_cast<float>(value)), type);
  }
  Value integer(int32_t value) {
    return splat(builder.getI32IntegerAttr(value), bits);
  }
  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) {
    return arith::SubFOp::create(builder, loc, a, b);
  }
  Value mul(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value div(Value a, Value b) {
    return arith::DivFOp::create(builder, loc, a, b);
  }
  Value fma(Value a, Value b, Value c) {
    return math::FmaOp::create(builder, loc, a, b, c);
  }
  Value abs(Value a) { return math::AbsFOp::create(builder, loc, a); }
  Value less(Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, a, b);
  }
  Value isNaN(Value a) {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, a, a);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value clamp(Value a, double low, double high) {
    Value above = arith::MaxNumFOp::create(builder, loc, a, constant(low));
    return arith::MinNumFOp::create(builder, loc, above, constant(high));
  }
  Value round(Value a) { return math::RoundEvenOp::create(builder, loc, a); }
  Value copySign(Value magnitude, Value sign) {
    return math::CopySignOp::create(builder, loc, magnitude, sign);
  }
  /// Coefficients from the highest power down.
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = constant(coefficients.front());
    for (double coefficient : coefficients.drop_front())
      sum = fma(sum, x, constant(coefficient));
    return sum;
  }

  /// a·2ⁿ for an integer n in [-160, 160], in two steps so that a subnormal
  /// result is rounded once.
  Value scale(Value a, Value n) {
    Value exponent = arith::FPToSIOp::create(builder, loc, bits, n);
    Value half = arith::ShRSIOp::create(builder, loc, exponent, integer(1));
    Value rest = arith::SubIOp::create(builder, loc, exponent, half);
    return mul(mul(a, powerOfTwo(half)), powerOfTwo(rest));
  }

  /// e^r for |r| ≤ ln 2 / 2.
  Value expNearZero(Value r) {
    // Minimax of (e^r − 1 − r)/r², error 2⁻²⁶ (Cephes' expf).
    Value tail =
        polynomial(r, {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
                       4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1});
    return add(fma(tail, mul(r, r), r), constant(1));
  }

  Value exp(Value x) {
    // Beyond these bounds the result is 0 or infinite in any case.
    Value inside = clamp(x, -105, 90);
    Value n = round(mul(inside, constant(1.4426950408889634)));
    // ln 2 in two parts, the first short enough that n times it is exact.
    Value r = fma(n, constant(-0.693359375), inside);
    r = fma(n, constant(2.12194440e-4), r);
    return select(isNaN(x), x, scale(expNearZero(r), n));
  }

  Value exp2(Value x) {
    Value inside = clamp(x, -152, 130);
    Value n = round(inside);
    Value r = mul(sub(inside, n), constant(0.6931471805599453));
    return select(isNaN(x), x, scale(expNearZero(r), n));
  }

  Value tanh(Value x) {
    // Odd polynomial where 1 − 2/(e^{2x} + 1) would cancel (Cephes' tanhf).
    Value square = mul(x, x);
    Value tail = polynomial(square, {-5.70498872745e-3, 2.06390887954e-2,
                                     -5.37397155531e-2, 1.33314422036e-1,
                                     -3.33332819422e-1});
    Value small = fma(mul(tail, square), x, x);
    Value magnitude = abs(x);
    Value grown = exp(add(magnitude, magnitude));
    Value large = sub(constant(1), div(constant(2), add(grown, constant(1))));
    // The sign is that of x, of -0 too.
    return copySign(select(less(magnitude, constant(0.625)), small, large), x);
  }

  Value log(Value x) {
    // Subnormals are scaled up first, by 2^32.
    Value subnormal = less(x, constant(0x1p-126));
    Value normal = select(subnormal, mul(x, constant(0x1p32)), x);
    Value bias = select(subnormal, constant(32), constant(0));

    // x = m·2^e with m in [√½, √2).
    Value raw = arith::BitcastOp::create(builder, loc, bits, normal);
    Value above = arith::SubIOp::create(builder, loc, raw, integer(0x3F3504F3));
    Value whole = arith::ShRSIOp::create(builder, loc, above, integer(23));
    Value shift = arith::ShLIOp::create(builder, loc, whole, integer(23));
    Value mantissa = arith::BitcastOp::create(
        builder, loc, type, arith::SubIOp::create(builder, loc, raw, shift));
    Value e = sub(arith::SIToFPOp::create(builder, loc, type, whole), bias);
    Value f = sub(mantissa, constant(1));

    // log(1 + f) = f − f²/2 + f³·P(f) (Cephes' logf), and e·ln 2 in two parts.
    Value square = mul(f, f);
    Value tail =
        polynomial(f, {7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1,
                       -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
                       2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1});
    Value low = mul(mul(f, square), tail);
    low = fma(e, constant(-2.12194440e-4), low);
    low = fma(square, constant(-0.5), low);
    Value finite = fma(e, constant(0.693359375), add(f, low));

    Value infinity = constant(std::numeric_limits<double>::infinity());
    Value nan = constant(std::numeric_limits<double>::quiet_NaN());
    Value result = select(less(x, infinity), finite, x);
    Value zero = constant(0);
    result = select(less(zero, x), result, select(less(x, zero), nan, result));
    Value isZero =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, x, zero);
    return select(isZero, constant(-std::numeric_limits<double>::infinity()),
                  result);
  }

  /// Whether an argument is reduced exactly enough by sin and cos below.
  Value isReducible(Value x) { return less(abs(x), constant(0x1p18)); }

  /// sin(x + quarters·π/2) for reducible x.
  Value sine(Value x, int32_t quarters) {
    // x = n·π/2 + r with |r| ≤ π/4. The first difference is exact, being a
    // multiple of the last place of π/2; the parts together have 72 bits.
    Value n = round(mul(x, constant(0.6366197723675814)));
    Value r = fma(n, constant(-1.57079637050628662), x);
    r = fma(n, constant(4.371138828673793e-8), r);
    r = fma(n, constant(1.7151244994428829e-15), r);
    Value turn = arith::AddIOp::create(
        builder, loc, arith::FPToSIOp::create(builder, loc, bits, n),
        integer(quarters));

    // Minimax polynomials (Cephes' sinf).
    Value square = mul(r, r);
    Value tail = polynomial(
        square, {-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1});
    Value odd = fma(mul(tail, square), r, r);
    tail = polynomial(square, {2.443315711809948e-5, -1.388731625493765e-3,
                               4.166664568298827e-2});
    Value even = fma(tail, mul(square, square),
                     fma(square, constant(-0.5), constant(1)));
    Value result = select(hasBit(turn, 1), even, odd);
    return select(hasBit(turn, 2), arith::NegFOp::create(builder, loc, result),
                  result);
  }
  Value sin(Value x) {
    // The sign of zero is lost in sums.
    Value isZero = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, x, constant(0));
    return select(isZero, x, sine(x, 0));
  }
  Value cos(Value x) { return sine(x, 1); }

  /// Whether a condition holds in every lane.
  Value inAllLanes(Value condition) {
    if (!isa<VectorType>(type))
      return condition;
    return vector::ReductionOp::create(builder, loc, vector::CombiningKind::AND,
                                       condition);
  }

private:
  Value hasBit(Value number, int32_t bit) {
    Value masked = arith::AndIOp::create(builder, loc, number, integer(bit));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, masked,
                                 integer(0));
  }
  Value splat(TypedAttr value, Type shape) {
    if (auto vector = dyn_cast<VectorType>(shape))
      value = DenseElementsAttr::get(vector, Attribute(value));
    return arith::ConstantOp::create(builder, loc, value);
  }
  Value powerOfTwo(Value exponent) {
    Value biased = arith::AddIOp::create(builder, loc, exponent, integer(127));
    Value shifted = arith::ShLIOp::create(builder, loc, biased, integer(23));
    return arith::BitcastOp::create(builder, loc, type, shifted);
  }

  OpBuilder &builder;
  Location loc;
  Type type, bits;
};

template <typename Op, Value (F32::*formula)(Value)>
struct ExpandFunction : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "is not f32");
    F32 arithmetic(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, (arithmetic.*formula)(op.getOperand()));
    return success();
  }
};

/// Formulas for all but the largest arguments, which libm reduces.
template <typename Op, Value (F32::*formula)(Value)>
struct ExpandPeriodic : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    static constexpr llvm::StringLiteral libm = "tilegpt.libm";
    Type type = op.getType();
    auto vector = dyn_cast<VectorType>(type);
    if (!getElementTypeOrSelf(type).isF32() || op->hasAttr(libm) ||
        (vector && vector.getRank() != 1))
      return rewriter.notifyMatchFailure(op, "is not f32, or left to libm");
    Location loc = op.getLoc();
    F32 arithmetic(rewriter, loc, type);
    Value isReducible = arithmetic.isReducible(op.getOperand());
    auto choose = scf::IfOp::create(rewriter, loc, type,
                                    arithmetic.inAllLanes(isReducible),
                                    /*withElseRegion=*/true);
    OpBuilder then = choose.getThenBodyBuilder();
    scf::YieldOp::create(then, loc,
                         (F32(then, loc, type).*formula)(op.getOperand()));
    OpBuilder other = choose.getElseBodyBuilder();
    Op large = Op::create(other, loc, op.getOperand());
    large->setDiscardableAttr(libm, rewriter.getUnitAttr());
    Value result = large.getResult();
    if (vector) {
      // A lane's result does not depend on the others.
      F32 beside(other, loc, type);
      result = beside.select(isReducible, (beside.*formula)(op.getOperand()),
                             result);
    }
    scf::YieldOp::create(other, loc, result);
    rewriter.replaceOp(op, choose);
    return success();
  }
};

/// Whether a number is infinite, or finite, as comparisons, which exist for
/// every type.
struct ExpandIsNaN : OpRewritePattern<math::IsNaNOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::IsNaNOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(
        op, arith::CmpFPredicate::UNO, op.getOperand(), op.getOperand());
    return success();
  }
};

template <typename Op, typename Join, arith::CmpFPredicate low,
          arith::CmpFPredicate high>
struct ExpandByInfinities : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getOperand().getType();
    auto element = cast<FloatType>(getElementTypeOrSelf(type));
    auto compare = [&](arith::CmpFPredicate predicate, bool isNegative) {
      TypedAttr infinity = FloatAttr::get(
          element, APFloat::getInf(element.getFloatSemantics(), isNegative));
      if (auto shaped = dyn_cast<ShapedType>(type))
        infinity = DenseElementsAttr::get(shaped, Attribute(infinity));
      return arith::CmpFOp::create(
          rewriter, loc, predicate, op.getOperand(),
          arith::ConstantOp::create(rewriter, loc, infinity));
    };
    rewriter.replaceOpWithNewOp<Join>(op, compare(low, /*isNegative=*/true),
                                      compare(high, /*isNegative=*/false));
    return success();
  }
};
using ExpandIsInf =
    ExpandByInfinities<math::IsInfOp, arith::OrIOp, arith::CmpFPredicate::OEQ,
                       arith::CmpFPredicate::OEQ>;
using ExpandIsFinite =
    ExpandByInfinities<math::IsFiniteOp, arith::AndIOp,
                       arith::CmpFPredicate::OGT, arith::CmpFPredicate::OLT>;

struct ExpandMath : tilegpt::cpu::impl::ExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    tilegpt::tile::keepSignOfErf(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandFunction<math::ExpOp, &F32::exp>,
                 ExpandFunction<math::Exp2Op, &F32::exp2>,
                 ExpandFunction<math::LogOp, &F32::log>,
                 ExpandFunction<math::TanhOp, &F32::tanh>,
                 ExpandPeriodic<math::SinOp, &F32::sin>,
                 ExpandPeriodic<math::CosOp, &F32::cos>, ExpandIsNaN,
                 ExpandIsInf, ExpandIsFinite>(&getContext());
    tilegpt::tile::populateExpandPowersPatterns(patterns);
    tilegpt::tile::populateExpandRoundedPatterns(patterns);
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return name == math::ErfOp::getOperationName();
    });
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
