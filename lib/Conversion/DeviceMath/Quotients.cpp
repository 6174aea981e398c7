// With a reciprocal y of b that is off by an ulp, q = a·y is off by less than
// 2 ulp. Its remainder r = a − b·q is exact if it is not subnormal, and q + r·y
// is the quotient before its rounding, except for the error of y in r·y.
#include "Quotients.h"
#include "F32Pattern.h"
#include "TileGPT/Conversion/TileToArith/ExpandGreedily.h"
#include "TileGPT/Conversion/TileToArith/SignOfErf.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

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

  /// A power of two, with the sign of a divisor, by which it is multiplied: 1
  /// unless the divisor is so small that its reciprocal overflows.
  Value scaleOf(Value b) {
    Value isSmall = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OLT,
        math::AbsFOp::create(builder, loc, b), constant(0x1p-64));
    return math::CopySignOp::create(
        builder, loc,
        arith::SelectOp::create(builder, loc, isSmall, constant(0x1p64),
                                constant(1)),
        b);
  }

  /// 1/x, correctly rounded.
  Value exactReciprocal(Value x) {
    return arith::DivFOp::create(builder, loc, constant(1), x);
  }

  /// For a divisor that is not negative and its reciprocal. A remainder of zero
  /// is positive, so that zeros keep their sign.
  Value byKnown(Value a, Value b, Value inverse) {
    Value rough = mul(a, inverse),
          excess = math::FmaOp::create(builder, loc, b, rough,
                                       arith::NegFOp::create(builder, loc, a)),
          better = math::FmaOp::create(
              builder, loc, arith::NegFOp::create(builder, loc, excess),
              inverse, rough);
    // NaN if the quotient or the divisor is infinite, or the divisor is zero.
    Value isNumber = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::ORD, better, better);
    return arith::SelectOp::create(builder, loc, isNumber, better, rough);
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

/// Whether a divisor is a constant by whose reciprocal LLVM multiplies.
static bool isPowerOfTwo(Value divisor) {
  FloatAttr constant;
  return matchPattern(divisor, m_Constant(&constant)) &&
         constant.getValue().getExactInverse(nullptr);
}

void shareReciprocals(Operation *function) {
  // A reciprocal costs as much as a quotient.
  constexpr size_t fewestQuotients = 4;
  llvm::MapVector<Value, SmallVector<arith::DivFOp>> quotients;
  function->walk([&](arith::DivFOp op) {
    if (op.getType().isF32() && !isApproximate(op) &&
        !isPowerOfTwo(op.getRhs()))
      quotients[op.getRhs()].push_back(op);
  });
  IRRewriter rewriter(function->getContext());
  for (auto &[known, ops] : quotients) {
    if (ops.size() < fewestQuotients)
      continue;
    // Quotients may have been replaced that are divisors.
    Value divisor = ops.front().getRhs();
    rewriter.setInsertionPointAfterValue(divisor);
    Quotient once(rewriter, divisor.getLoc());
    Value scale = once.scaleOf(divisor), scaled = once.mul(divisor, scale),
          inverse = once.exactReciprocal(scaled);
    for (arith::DivFOp op : ops) {
      rewriter.setInsertionPoint(op);
      Quotient each(rewriter, op.getLoc());
      rewriter.replaceOp(
          op, each.byKnown(each.mul(op.getLhs(), scale), scaled, inverse));
    }
  }
}

void populateQuotients(RewritePatternSet &patterns) {
  patterns.add<MultiplyByReciprocal, CorrectQuotient>(patterns.getContext());
}

LogicalResult expandErf(Operation *function) {
  tile::keepSignOfErf(function);
  llvm::SmallPtrSet<Operation *, 16> known;
  function->walk([&](arith::DivFOp op) { known.insert(op); });
  RewritePatternSet patterns(function->getContext());
  populatePolynomialApproximateErfPattern(patterns);
  if (failed(tile::expandGreedily(function, std::move(patterns))))
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
