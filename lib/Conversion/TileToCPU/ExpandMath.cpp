// f32 functions as arithmetic, for scalars and vectors alike: branch-free but
// for arguments that few formulas do not cover, which are libm's.
// Errors against libm in fp64 over all floats are asserted by
// test/unit/Conversion.
#include "Math/Division.h"
#include "Math/Formula.h"
#include "TileGPT/Conversion/TileToArith/ExpandGreedily.h"
#include "TileGPT/Conversion/TileToArith/ExpandPowers.h"
#include "TileGPT/Conversion/TileToArith/ExpandRounded.h"
#include "TileGPT/Conversion/TileToArith/SignOfErf.h"
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_EXPANDMATH
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;

using namespace tilegpt::cpu;

namespace {
using Function = Value (*)(const Formula &, Value);
using Function2 = Value (*)(const Formula &, Value, Value);

/// The function of an op's operands.
Value apply(Function function, const Formula &f, ValueRange operands) {
  return function(f, operands[0]);
}
Value apply(Function2 function, const Formula &f, ValueRange operands) {
  return function(f, operands[0], operands[1]);
}

template <typename Op, auto function>
struct ExpandFunction : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "is not f32");
    Formula f(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, apply(function, f, op->getOperands()));
    return success();
  }
};

/// A function for arguments that `covers` holds for, which are nearly all.
template <typename Op, auto covers, auto function>
struct ExpandCovered : OpRewritePattern<Op> {
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
    Formula f(rewriter, loc, type);
    Value isCovered = apply(covers, f, op->getOperands());
    auto choose =
        scf::IfOp::create(rewriter, loc, type, f.inAllLanes(isCovered),
                          /*withElseRegion=*/true);
    OpBuilder then = choose.getThenBodyBuilder();
    scf::YieldOp::create(
        then, loc,
        apply(function, Formula(then, loc, type), op->getOperands()));
    OpBuilder other = choose.getElseBodyBuilder();
    Operation *rest = other.clone(*op);
    rest->setDiscardableAttr(libm, rewriter.getUnitAttr());
    Value result = rest->getResult(0);
    if (vector) {
      // A lane's result does not depend on the others.
      Formula beside(other, loc, type);
      result = beside.select(
          isCovered, apply(function, beside, op->getOperands()), result);
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

void addFunctions(RewritePatternSet &patterns) {
  patterns.add<ExpandFunction<math::ExpOp, Function(tilegpt::cpu::exp)>,
               ExpandFunction<math::Exp2Op, Function(tilegpt::cpu::exp2)>,
               ExpandFunction<math::ExpM1Op, Function(tilegpt::cpu::expm1)>,
               ExpandFunction<math::SinhOp, Function(tilegpt::cpu::sinh)>,
               ExpandFunction<math::CoshOp, Function(tilegpt::cpu::cosh)>,
               ExpandFunction<math::TanhOp, Function(tilegpt::cpu::tanh)>,
               ExpandFunction<math::LogOp, Function(tilegpt::cpu::log)>,
               ExpandFunction<math::Log2Op, Function(tilegpt::cpu::log2)>,
               ExpandFunction<math::Log10Op, Function(tilegpt::cpu::log10)>,
               ExpandFunction<math::Log1pOp, Function(tilegpt::cpu::log1p)>,
               ExpandFunction<math::AsinhOp, Function(tilegpt::cpu::asinh)>,
               ExpandFunction<math::AcoshOp, Function(tilegpt::cpu::acosh)>,
               ExpandFunction<math::AtanhOp, Function(tilegpt::cpu::atanh)>,
               ExpandCovered<math::SinOp, Function(isReducible),
                             Function(tilegpt::cpu::sin)>,
               ExpandCovered<math::CosOp, Function(isReducible),
                             Function(tilegpt::cpu::cos)>,
               ExpandCovered<math::TanOp, Function(isReducible),
                             Function(tilegpt::cpu::tan)>,
               ExpandFunction<math::AsinOp, Function(tilegpt::cpu::asin)>,
               ExpandFunction<math::AcosOp, Function(tilegpt::cpu::acos)>,
               ExpandFunction<math::AtanOp, Function(tilegpt::cpu::atan)>,
               ExpandFunction<math::Atan2Op, Function2(tilegpt::cpu::atan2)>,
               ExpandFunction<math::CbrtOp, Function(tilegpt::cpu::cbrt)>,
               ExpandFunction<math::PowFOp, Function2(tilegpt::cpu::pow)>,
               ExpandCovered<arith::RemFOp, Function2(isDivisible),
                             Function2(tilegpt::cpu::remainder)>>(
      patterns.getContext());
}

struct ExpandMath : tilegpt::cpu::impl::ExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    tilegpt::tile::keepSignOfErf(getOperation());
    RewritePatternSet patterns(&getContext());
    addFunctions(patterns);
    patterns.add<ExpandIsNaN, ExpandIsInf, ExpandIsFinite>(&getContext());
    populateDivisionPatterns(patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    tilegpt::tile::populateExpandPowersPatterns(patterns);
    tilegpt::tile::populateExpandRoundedPatterns(patterns);
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return name == math::ErfOp::getOperationName() ||
             name == math::ErfcOp::getOperationName();
    });
    if (failed(
            tilegpt::tile::expandGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
