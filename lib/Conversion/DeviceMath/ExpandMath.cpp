// f32 exponentials by ex2.approx, whose error is 2 ulp over all floats, and
// other functions with a hardware instruction.
#include "DistributeProducts.h"
#include "F32Pattern.h"
#include "NarrowTypes.h"
#include "Quotients.h"
#include "TileGPT/Conversion/DeviceMath/Passes.h"
#include "TileGPT/Conversion/TileToArith/ExpandGreedily.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include <numbers>

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_EXPANDMATH
#include "TileGPT/Conversion/DeviceMath/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using tilegpt::tilegpu::F32Pattern;

namespace {
/// Arithmetic on one f32.
class Formula {
public:
  Formula(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value exp2(Value x) { return call("llvm.nvvm.ex2.approx", x); }
  /// Subnormal results are 0.
  Value exp2ToZero(Value x) { return call("llvm.nvvm.ex2.approx.ftz", x); }

  /// Wrong by the rounding error of the exponent, at most 2⁻¹⁷.
  Value roughExp(Value x) {
    constexpr double log2e = 1.4426950408889634;
    return exp2ToZero(mul(x, constant(log2e)));
  }

  /// Wrong by 2⁻²² of the logarithm, between ½ and 2 of 1.
  Value roughLog2(Value x) { return call("llvm.nvvm.lg2.approx.f", x); }
  Value roughLog(Value x) {
    return mul(roughLog2(x), constant(std::numbers::ln2));
  }
  Value roughLog10(Value x) {
    constexpr double log10of2 = 0.3010299956639812;
    return mul(roughLog2(x), constant(log10of2));
  }

  /// Wrong by 2⁻¹⁴ of the result: the first terms of the series near 0, where
  /// 1 + x would lose digits.
  Value roughLog1p(Value x) {
    constexpr double near = 0x1p-4;
    Value tail = fma(x, constant(1.0 / 3), constant(-0.5));
    Value series = fma(mul(x, tail), x, x);
    Value isNear = less(math::AbsFOp::create(builder, loc, x), constant(near));
    return arith::SelectOp::create(builder, loc, isNear, series,
                                   roughLog(add(x, constant(1))));
  }

  /// 1/x; 0 if that is subnormal, infinite if x is.
  Value reciprocal(Value x) { return call("llvm.nvvm.rcp.approx.ftz.f", x); }

  /// 2 ulp as well.
  Value rsqrt(Value x) { return call("llvm.nvvm.rsqrt.approx.f", x); }

  Value mul(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value constant(double value) {
    return arith::ConstantOp::create(
        builder, loc, builder.getF32FloatAttr(static_cast<float>(value)));
  }

  Value exp(Value x) {
    // x·log₂e = whole + rest: the rest is the rounding error of the product and
    // of the constant. 2^(whole + rest) ≈ 2^whole·(1 + rest·ln 2).
    constexpr double log2e = 1.4426950408889634;
    const double lacking = log2e - double(float(log2e));
    Value whole = mul(x, constant(log2e));
    Value rest = fma(x, constant(log2e), negate(whole));
    rest = fma(x, constant(lacking), rest);
    // From 2⁻¹⁶⁰ to 2¹²⁸; beyond, the result is 0 or infinite, and needs no
    // correction.
    Value isInside =
        less(math::AbsFOp::create(builder, loc, add(whole, constant(16))),
             constant(144));
    Value power = exp2(whole);
    Value corrected =
        fma(mul(power, constant(0.6931471805599453)), rest, power);
    return arith::SelectOp::create(builder, loc, isInside, corrected, power);
  }

  /// (1 + tanh(x))/2 = 1/(1 + e^{-2x}), without cancellation for large negative
  /// x. `isRounded`: the result is rounded to 16 bits, so the rounding error of
  /// the exponent, at most 2⁻¹⁸ of the result, does not matter.
  Value halfOnePlusTanh(Value x, bool isRounded) {
    Value grown =
        isRounded ? exp2ToZero(roughExponent(x)) : exp(mul(x, constant(-2)));
    // At least 1: only if e^{-2x} is about to overflow is the result subnormal,
    // which becomes 0.
    return reciprocal(add(grown, constant(1)));
  }

  /// 1 + erf(x), which is erfc(-x), to 2⁻¹⁷ of itself. For a = |x| and
  /// t = 1/(1 + 0.4a), erfc(a) is t·2^(P(t) − a²·log₂e), with a minimax
  /// polynomial P whose error is 2⁻²³.
  Value onePlusErf(Value x) {
    constexpr double log2e = 1.4426950408889634;
    Value a = math::AbsFOp::create(builder, loc, x);
    Value t = reciprocal(fma(a, constant(0.4), constant(1)));
    Value exponent = constant(-0.2994370057696065);
    for (double coefficient :
         {1.3343413821380836, -2.144479404858449, 1.4420582405367743,
          -0.6400525050974772, 0.4334456210615664, 0.5767280618967416,
          1.4451525867016257, -2.1477571047075954})
      exponent = fma(exponent, t, constant(coefficient));
    exponent = fma(mul(a, constant(-log2e)), a, exponent);
    Value tail = mul(t, exp2ToZero(exponent));
    return arith::SelectOp::create(
        builder, loc, less(x, constant(0)), tail,
        arith::SubFOp::create(builder, loc, constant(2), tail));
  }

  Value tanh(Value x) {
    // Odd polynomial where 1 − 2/(e^{2x} + 1) would cancel (Cephes' tanhf).
    Value square = mul(x, x);
    Value tail = constant(-5.70498872745e-3);
    for (double coefficient : {2.06390887954e-2, -5.37397155531e-2,
                               1.33314422036e-1, -3.33332819422e-1})
      tail = fma(tail, square, constant(coefficient));
    Value small = fma(mul(tail, square), x, x);
    Value magnitude = math::AbsFOp::create(builder, loc, x);
    Value grown = exp(add(magnitude, magnitude));
    Value quotient = divide(constant(2), add(grown, constant(1)));
    Value large = arith::SubFOp::create(builder, loc, constant(1), quotient);
    Value isSmall = less(magnitude, constant(0.625));
    Value result = arith::SelectOp::create(builder, loc, isSmall, small, large);
    return math::CopySignOp::create(builder, loc, result, x);
  }

private:
  /// The exponent of 2 for e^{-2x}. If x is a product, one multiplication
  /// suffices; if it is a sum with a product, they are not rounded separately.
  Value roughExponent(Value x) {
    double factor = -2.8853900817779268; // −2·log₂e
    auto multiple = x.getDefiningOp<arith::MulFOp>();
    FloatAttr by;
    if (!multiple || !matchPattern(multiple.getRhs(), m_Constant(&by)))
      return mul(x, constant(factor));
    if (auto sum = multiple.getLhs().getDefiningOp<arith::AddFOp>())
      for (Value part : sum.getOperands())
        if (auto product = part.getDefiningOp<arith::MulFOp>()) {
          contract(product);
          contract(sum);
        }
    return mul(multiple.getLhs(), constant(factor * by.getValueAsDouble()));
  }

  template <typename Op>
  static void contract(Op op) {
    op.setFastmath(op.getFastmath() | arith::FastMathFlags::contract);
  }

  Value call(StringRef intrinsic, Value x) {
    return LLVM::CallIntrinsicOp::create(builder, loc, builder.getF32Type(),
                                         builder.getStringAttr(intrinsic),
                                         ValueRange{x})
        .getResult(0);
  }
  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  /// By the reciprocal: 2 ulp.
  Value divide(Value a, Value b) {
    return arith::DivFOp::create(builder, loc, a, b,
                                 arith::FastMathFlags::afn |
                                     arith::FastMathFlags::arcp);
  }
  Value negate(Value a) { return arith::NegFOp::create(builder, loc, a); }
  Value fma(Value a, Value b, Value c) {
    return math::FmaOp::create(builder, loc, a, b, c);
  }
  Value less(Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, a, b);
  }

  OpBuilder &builder;
  Location loc;
};

template <typename Op, Value (Formula::*formula)(Value)>
struct ExpandFunction : F32Pattern<Op> {
  using F32Pattern<Op>::F32Pattern;
  LogicalResult expand(Op op, PatternRewriter &rewriter) const override {
    Formula arithmetic(rewriter, op.getLoc());
    rewriter.replaceOp(op, (arithmetic.*formula)(op.getOperand()));
    return success();
  }
};

/// The same if an approximation of the result suffices.
template <typename Op, Value (Formula::*formula)(Value)>
struct ExpandRough : F32Pattern<Op> {
  using F32Pattern<Op>::F32Pattern;
  LogicalResult expand(Op op, PatternRewriter &rewriter) const override {
    if (!tilegpt::tilegpu::isApproximate(op))
      return rewriter.notifyMatchFailure(op, "must be exact");
    Formula arithmetic(rewriter, op.getLoc());
    rewriter.replaceOp(op, (arithmetic.*formula)(op.getOperand()));
    return success();
  }
};

/// `tanh.approx`: a relative error of up to 2⁻¹¹.
struct KeepRoughTanh : F32Pattern<math::TanhOp> {
  using F32Pattern::F32Pattern;
  LogicalResult expand(math::TanhOp op,
                       PatternRewriter &rewriter) const override {
    if (!tilegpt::tilegpu::isApproximate(op))
      return rewriter.notifyMatchFailure(op, "must be exact");
    rewriter.replaceOpWithNewOp<LLVM::TanhOp>(op, op.getOperand(),
                                              LLVM::FastmathFlags::afn);
    return success();
  }
};

/// The i1 is the lowest bit of the integer: LLVM's NVPTX backend would take the
/// bits of the float.
template <typename Op>
struct WidenToBit : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isInteger(1))
      return failure();
    Value number =
        Op::create(rewriter, op.getLoc(), rewriter.getI32Type(), op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, op.getType(), number);
    return success();
  }
};

/// Maximum or minimum is one instruction, with either NaN semantics.
template <typename Op, typename Intrinsic>
struct KeepExtreme : F32Pattern<Op> {
  using F32Pattern<Op>::F32Pattern;
  LogicalResult expand(Op op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<Intrinsic>(op, op.getLhs(), op.getRhs());
    return success();
  }
};

/// The number that a product halves; null if it is not such a product.
static Value halved(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  FloatAttr by;
  bool isHalf = product && matchPattern(product.getRhs(), m_Constant(&by)) &&
                by.getValue().isExactlyValue(0.5);
  return isHalf ? product.getLhs() : Value();
}

/// The form of GELU with tanh: half of a number times 1 + tanh.
struct ExpandOnePlusTanh : OpRewritePattern<arith::AddFOp> {
  ExpandOnePlusTanh(MLIRContext *context, bool exact)
      : OpRewritePattern(context), exact(exact) {}

  LogicalResult matchAndRewrite(arith::AddFOp op,
                                PatternRewriter &rewriter) const override {
    for (auto [one, other] : {std::pair(op.getLhs(), op.getRhs()),
                              std::pair(op.getRhs(), op.getLhs())}) {
      auto tanh = other.getDefiningOp<math::TanhOp>();
      if (!tanh || !tanh->hasOneUse() || !tanh.getType().isF32() ||
          !matchPattern(one, m_OneFloat()))
        continue;
      Formula arithmetic(rewriter, op.getLoc());
      Value half = arithmetic.halfOnePlusTanh(
          tanh.getOperand(), !exact && tilegpt::tilegpu::isOnlyRounded(op));
      auto product = op->hasOneUse()
                         ? dyn_cast<arith::MulFOp>(*op->user_begin())
                         : arith::MulFOp();
      Value factor = product ? halved(product.getLhs() == op ? product.getRhs()
                                                             : product.getLhs())
                             : Value();
      if (factor) {
        rewriter.setInsertionPoint(product);
        rewriter.replaceOpWithNewOp<arith::MulFOp>(product, factor, half);
        rewriter.eraseOp(op);
      } else {
        rewriter.replaceOp(op, arithmetic.mul(half, arithmetic.constant(2)));
      }
      return success();
    }
    return rewriter.notifyMatchFailure(op, "is not 1 + tanh of an f32");
  }

private:
  bool exact;
};

/// The form of GELU with erf: a number times 1 + erf.
struct ExpandOnePlusErf : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AddFOp op,
                                PatternRewriter &rewriter) const override {
    for (auto [one, other] : {std::pair(op.getLhs(), op.getRhs()),
                              std::pair(op.getRhs(), op.getLhs())}) {
      auto erf = other.getDefiningOp<math::ErfOp>();
      if (!erf || !erf->hasOneUse() || !erf.getType().isF32() ||
          !matchPattern(one, m_OneFloat()))
        continue;
      if (!tilegpt::tilegpu::isRoundedInTheEnd(op))
        return rewriter.notifyMatchFailure(op, "keeps more than 16 bits");
      rewriter.replaceOp(
          op, Formula(rewriter, op.getLoc()).onePlusErf(erf.getOperand()));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "is not 1 + erf of an f32");
  }
};

} // namespace

namespace {
struct ExpandMath : tilegpt::tilegpu::impl::ExpandMathBase<ExpandMath> {
  using ExpandMathBase::ExpandMathBase;

  void runOnOperation() override {
    if (!exact)
      tilegpt::tilegpu::markRoundedQuotients(getOperation());
    RewritePatternSet sums(&getContext());
    sums.add<ExpandOnePlusTanh>(&getContext(), exact);
    tilegpt::tilegpu::populateWidenPairs(sums);
    tilegpt::tilegpu::populateNarrowArithmetic(sums);
    if (!exact) {
      tilegpt::tilegpu::populateDistributeProducts(sums);
      tilegpt::tilegpu::populateQuotients(sums);
      sums.add<ExpandOnePlusErf>(&getContext());
    }
    if (failed(
            tilegpt::tile::expandGreedily(getOperation(), std::move(sums))) ||
        failed(tilegpt::tilegpu::expandErf(getOperation())))
      return signalPassFailure();
    if (!exact)
      tilegpt::tilegpu::shareReciprocals(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns
        .add<ExpandRough<math::Exp2Op, &Formula::exp2ToZero>,
             ExpandRough<math::ExpOp, &Formula::roughExp>,
             ExpandRough<math::LogOp, &Formula::roughLog>,
             ExpandRough<math::Log2Op, &Formula::roughLog2>,
             ExpandRough<math::Log10Op, &Formula::roughLog10>,
             ExpandRough<math::Log1pOp, &Formula::roughLog1p>, KeepRoughTanh>(
            &getContext(), /*benefit=*/2);
    patterns.add<KeepExtreme<arith::MaximumFOp, LLVM::MaximumOp>,
                 KeepExtreme<arith::MinimumFOp, LLVM::MinimumOp>,
                 KeepExtreme<arith::MaxNumFOp, LLVM::MaxNumOp>,
                 KeepExtreme<arith::MinNumFOp, LLVM::MinNumOp>>(&getContext());
    patterns.add<WidenToBit<arith::FPToUIOp>, WidenToBit<arith::FPToSIOp>>(
        &getContext());
    patterns.add<ExpandFunction<math::ExpOp, &Formula::exp>,
                 ExpandFunction<math::Exp2Op, &Formula::exp2>,
                 ExpandFunction<math::RsqrtOp, &Formula::rsqrt>,
                 ExpandFunction<math::TanhOp, &Formula::tanh>>(&getContext());
    if (failed(
            tilegpt::tile::expandGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
