// With a reciprocal y of b that is off by an ulp, q = a·y is off by less than
// 2 ulp. Its remainder r = a − b·q is exact if it is not subnormal, and q + r·y
// is the quotient before its rounding, except for the error of y in r·y.
#include "Quotients.h"
#include "F32Pattern.h"
#include "TileGPT/Conversion/TileToArith/SignOfErf.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Whether a value only becomes numbers of at most 16 bits, directly or as the
/// operand of up to `depth` ops that `follows` accepts.
static bool isRounded(Value value, int depth, bool (*follows)(Operation *)) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto narrow = dyn_cast<arith::TruncFOp>(user))
      return narrow.getType().getIntOrFloatBitWidth() <= 16;
    if (auto branch = dyn_cast<scf::IfOp>(user->getParentOp());
        branch && isa<scf::YieldOp>(user))
      return isRounded(branch.getResult(use.getOperandNumber()), depth,
                       follows);
    return depth > 0 && follows(user) &&
           isRounded(user->getResult(0), depth - 1, follows);
  });
}

bool isOnlyRounded(Value value, int depth) {
  return isRounded(value, depth, [](Operation *user) {
    return isa<arith::MulFOp, arith::SelectOp>(user);
  });
}

bool isRoundedInTheEnd(Value value, int depth) {
  return isRounded(value, depth, [](Operation *user) {
    return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
               arith::NegFOp, arith::SelectOp, math::FmaOp>(user);
  });
}

void markRoundedQuotients(Operation *function) {
  function->walk([](arith::DivFOp op) {
    if (op.getType().isF32() && isOnlyRounded(op, /*depth=*/1))
      op.setFastmath(op.getFastmath() | arith::FastMathFlags::afn |
                     arith::FastMathFlags::arcp);
  });
}

/// Whether a number is the sum of a constant that is not subnormal and powers.
static bool isAtLeastNormal(Value value) {
  auto sum = value.getDefiningOp<arith::AddFOp>();
  if (!sum)
    return false;
  FloatAttr least;
  for (auto [constant, rest] : {std::pair(sum.getLhs(), sum.getRhs()),
                                std::pair(sum.getRhs(), sum.getLhs())})
    if (matchPattern(constant, m_Constant(&least)) &&
        !least.getValue().isNegative() && least.getValue().isNormal())
      return isa_and_nonnull<math::ExpOp, math::Exp2Op>(rest.getDefiningOp());
  return false;
}

namespace {
/// The arithmetic of quotients.
class Quotient {
public:
  Quotient(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// 1/x; 0 if that is subnormal, infinite if x is.
  Value reciprocal(Value x) {
    return LLVM::CallIntrinsicOp::create(
               builder, loc, builder.getF32Type(),
               builder.getStringAttr("llvm.nvvm.rcp.approx.ftz.f"),
               ValueRange{x})
        .getResult(0);
  }

  Value mul(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }

  /// For divisors that are not subnormal.
  Value byNormal(Value a, Value b) {
    Value inverse = reciprocal(b), rough = mul(a, inverse),
          rest = remainder(a, b, rough);
    // NaN if the quotient or the divisor is infinite. Zeros keep their sign.
    Value isInexact = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::ONE, rest, constant(0));
    return arith::SelectOp::create(
        builder, loc, isInexact,
        math::FmaOp::create(builder, loc, rest, inverse, rough), rough);
  }

  /// For all divisors: the correction is used where nothing overflowed or was
  /// flushed to zero.
  Value byAny(Value a, Value b) {
    Value rough = arith::DivFOp::create(builder, loc, a, b,
                                        arith::FastMathFlags::afn |
                                            arith::FastMathFlags::arcp);
    Value correction = mul(remainder(a, b, rough), reciprocal(b));
    Value isSmall = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OLT,
        math::AbsFOp::create(builder, loc, correction),
        mul(math::AbsFOp::create(builder, loc, rough), constant(0x1p-20)));
    return arith::SelectOp::create(
        builder, loc, isSmall,
        arith::AddFOp::create(builder, loc, rough, correction), rough);
  }

private:
  Value remainder(Value a, Value b, Value quotient) {
    Value negative = arith::NegFOp::create(builder, loc, b);
    return math::FmaOp::create(builder, loc, negative, quotient, a);
  }
  Value constant(double value) {
    return arith::ConstantOp::create(
        builder, loc, builder.getF32FloatAttr(static_cast<float>(value)));
  }

  OpBuilder &builder;
  Location loc;
};

/// A quotient by 1 + e^x, as in a sigmoid: its reciprocal needs no scaling to
/// handle subnormal numbers.
struct MultiplyByReciprocal : F32Pattern<arith::DivFOp> {
  using F32Pattern::F32Pattern;
  LogicalResult expand(arith::DivFOp op,
                       PatternRewriter &rewriter) const override {
    if (!isAtLeastNormal(op.getRhs()))
      return rewriter.notifyMatchFailure(op, "divisor may be subnormal");
    Quotient quotient(rewriter, op.getLoc());
    if (!isApproximate(op)) {
      rewriter.replaceOp(op, quotient.byNormal(op.getLhs(), op.getRhs()));
      return success();
    }
    Value inverse = quotient.reciprocal(op.getRhs());
    if (!matchPattern(op.getLhs(), m_OneFloat()))
      inverse = quotient.mul(op.getLhs(), inverse);
    rewriter.replaceOp(op, inverse);
    return success();
  }
};

struct CorrectQuotient : F32Pattern<arith::DivFOp> {
  using F32Pattern::F32Pattern;
  LogicalResult expand(arith::DivFOp op,
                       PatternRewriter &rewriter) const override {
    if (isApproximate(op) || isAtLeastNormal(op.getRhs()))
      return rewriter.notifyMatchFailure(op, "has a shorter form");
    if (!isRoundedInTheEnd(op))
      return rewriter.notifyMatchFailure(op, "keeps more than 16 bits");
    rewriter.replaceOp(
        op, Quotient(rewriter, op.getLoc()).byAny(op.getLhs(), op.getRhs()));
    return success();
  }
};
} // namespace

void populateQuotients(RewritePatternSet &patterns) {
  patterns.add<MultiplyByReciprocal, CorrectQuotient>(patterns.getContext());
}

LogicalResult expandErf(Operation *function) {
  tile::keepSignOfErf(function);
  llvm::SmallPtrSet<Operation *, 16> known;
  function->walk([&](arith::DivFOp op) { known.insert(op); });
  RewritePatternSet patterns(function->getContext());
  populatePolynomialApproximateErfPattern(patterns);
  if (failed(applyPatternsGreedily(function, std::move(patterns))))
    return failure();
  IRRewriter rewriter(function->getContext());
  function->walk([&](arith::DivFOp op) {
    if (known.contains(op) || !op.getType().isF32())
      return;
    rewriter.setInsertionPoint(op);
    rewriter.replaceOp(
        op, Quotient(rewriter, op.getLoc()).byNormal(op.getLhs(), op.getRhs()));
  });
  return success();
}

} // namespace tilegpt::tilegpu
