// Functions without a GPU instruction, and an error for the rest: there are no
// device libraries.
#include "DoubleFormula.h"
#include "F32Pattern.h"
#include "F64Formula.h"
#include "Log1p.h"
#include "Remainder.h"
#include "RoundedInstructions.h"
#include "TileGPT/Conversion/DeviceMath/Passes.h"
#include "TileGPT/Conversion/TileToArith/ExpandGreedily.h"
#include "TileGPT/Conversion/TileToArith/ExpandPowers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_EXPANDFUNCTIONS
#include "TileGPT/Conversion/DeviceMath/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using tilegpt::tilegpu::DoubleFormula;
using tilegpt::tilegpu::F32Pattern;
using tilegpt::tilegpu::F64Formula;

/// Logarithms that the next pass approximates by an instruction.
static bool hasInstruction(Operation *op) {
  return isa<math::Log2Op, math::Log10Op, math::Log1pOp>(op) &&
         tilegpt::tilegpu::isApproximate(op);
}

namespace {
template <typename Op, auto formula>
struct ExpandToDouble : F32Pattern<Op> {
  using F32Pattern<Op>::F32Pattern;
  LogicalResult expand(Op op, PatternRewriter &rewriter) const override {
    if (hasInstruction(op))
      return rewriter.notifyMatchFailure(op, "is approximate");
    DoubleFormula arithmetic(rewriter, op.getLoc());
    if constexpr (Op::template hasTrait<OpTrait::OneOperand>())
      rewriter.replaceOp(op, (arithmetic.*formula)(op.getOperand()));
    else
      rewriter.replaceOp(op, (arithmetic.*formula)(op.getLhs(), op.getRhs()));
    return success();
  }
};

struct ExpandLog1p : F32Pattern<math::Log1pOp> {
  using F32Pattern::F32Pattern;
  LogicalResult expand(math::Log1pOp op,
                       PatternRewriter &rewriter) const override {
    if (hasInstruction(op))
      return rewriter.notifyMatchFailure(op, "is approximate");
    rewriter.replaceOp(op, tilegpt::tilegpu::emitLog1p(rewriter, op.getLoc(),
                                                       op.getOperand()));
    return success();
  }
};

template <typename Op, auto formula>
struct ExpandWide : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF64())
      return rewriter.notifyMatchFailure(op, "is not one f64");
    F64Formula arithmetic(rewriter, op.getLoc());
    if constexpr (Op::template hasTrait<OpTrait::OneOperand>())
      rewriter.replaceOp(op, (arithmetic.*formula)(op.getOperand()));
    else
      rewriter.replaceOp(op, (arithmetic.*formula)(op.getLhs(), op.getRhs()));
    return success();
  }
};
} // namespace

/// Functions that are instructions, or a few of them, in every type.
static bool isInstruction(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp,
             math::CtPopOp, math::FloorOp, math::FmaOp, math::IsFiniteOp,
             math::IsInfOp, math::IsNaNOp, math::IsNormalOp, math::RoundOp,
             math::RoundEvenOp, math::RsqrtOp, math::SqrtOp, math::TruncOp>(op);
}

/// Functions that later passes expand in f32.
static bool hasFormulaInF32(Operation *op) {
  return hasInstruction(op) ||
         isa<math::ErfOp, math::ExpOp, math::Exp2Op, math::LogOp, math::TanhOp>(
             op);
}

namespace {
struct ExpandFunctions
    : tilegpt::tilegpu::impl::ExpandFunctionsBase<ExpandFunctions> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns
        .add<ExpandToDouble<math::SinOp, &DoubleFormula::sin>,
             ExpandToDouble<math::CosOp, &DoubleFormula::cos>,
             ExpandToDouble<math::ExpM1Op, &DoubleFormula::expm1>, ExpandLog1p,
             ExpandToDouble<math::Log2Op, &DoubleFormula::log2>,
             ExpandToDouble<math::Log10Op, &DoubleFormula::log10>,
             ExpandToDouble<math::PowFOp, &DoubleFormula::pow>,
             ExpandToDouble<math::AtanOp, &DoubleFormula::atan>,
             ExpandToDouble<math::Atan2Op, &DoubleFormula::atan2>,
             ExpandToDouble<math::TanOp, &DoubleFormula::tan>,
             ExpandToDouble<math::AsinOp, &DoubleFormula::asin>,
             ExpandToDouble<math::AcosOp, &DoubleFormula::acos>,
             ExpandToDouble<math::SinhOp, &DoubleFormula::sinh>,
             ExpandToDouble<math::CoshOp, &DoubleFormula::cosh>,
             ExpandToDouble<math::AsinhOp, &DoubleFormula::asinh>,
             ExpandToDouble<math::AcoshOp, &DoubleFormula::acosh>,
             ExpandToDouble<math::AtanhOp, &DoubleFormula::atanh>,
             ExpandToDouble<math::CbrtOp, &DoubleFormula::cbrt>,
             ExpandToDouble<math::ErfcOp, &DoubleFormula::erfc>>(&getContext());
    patterns.add<ExpandWide<math::SinOp, &F64Formula::sin>,
                 ExpandWide<math::CosOp, &F64Formula::cos>,
                 ExpandWide<math::TanOp, &F64Formula::tan>,
                 ExpandWide<math::AsinOp, &F64Formula::asin>,
                 ExpandWide<math::AcosOp, &F64Formula::acos>,
                 ExpandWide<math::AtanOp, &F64Formula::atan>,
                 ExpandWide<math::Atan2Op, &F64Formula::atan2>,
                 ExpandWide<math::ExpOp, &F64Formula::exp>,
                 ExpandWide<math::Exp2Op, &F64Formula::exp2>,
                 ExpandWide<math::ExpM1Op, &F64Formula::expm1>,
                 ExpandWide<math::LogOp, &F64Formula::log>,
                 ExpandWide<math::Log2Op, &F64Formula::log2>,
                 ExpandWide<math::Log10Op, &F64Formula::log10>,
                 ExpandWide<math::Log1pOp, &F64Formula::log1p>,
                 ExpandWide<math::PowFOp, &F64Formula::pow>,
                 ExpandWide<math::CbrtOp, &F64Formula::cbrt>,
                 ExpandWide<math::SinhOp, &F64Formula::sinh>,
                 ExpandWide<math::CoshOp, &F64Formula::cosh>,
                 ExpandWide<math::TanhOp, &F64Formula::tanh>,
                 ExpandWide<math::AsinhOp, &F64Formula::asinh>,
                 ExpandWide<math::AcoshOp, &F64Formula::acosh>,
                 ExpandWide<math::AtanhOp, &F64Formula::atanh>,
                 ExpandWide<math::ErfOp, &F64Formula::erf>,
                 ExpandWide<math::ErfcOp, &F64Formula::erfc>>(&getContext());
    tilegpt::tilegpu::populateRoundedInstructions(patterns);
    tilegpt::tilegpu::populateRemainder(patterns);
    tilegpt::tile::populateExpandPowersPatterns(patterns);
    if (failed(
            tilegpt::tile::expandGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    const WalkResult rest = getOperation().walk([](Operation *op) {
      if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
          isInstruction(op))
        return WalkResult::advance();
      const Type type = op->getResult(0).getType();
      if (type.isF32() && hasFormulaInF32(op))
        return WalkResult::advance();
      op->emitOpError("has no code for a GPU in ")
          << type << "; run the kernel on the host";
      return WalkResult::interrupt();
    });
    if (rest.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
