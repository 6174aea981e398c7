// Rewrites the exponents of an iteration that computes a maximum.
#include "Softmax/Exponents.h"
#include "EraseDead.h"
#include "Masks/MaskConditions.h"
#include "Softmax/CommonFactor.h"
#include "Softmax/Scores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static bool isDifference(Value exponent, Value from, Value subtracted) {
  Value atoms[] = {from, subtracted};
  SmallVector<LinearTerm> terms = linearForm(exponent, atoms);
  return terms.size() == 2 && llvm::all_of(terms, [&](LinearTerm &term) {
           return llvm::is_contained(atoms, term.tile);
         });
}

bool hasSimpleExponents(const OnlineSoftmax &match) {
  auto maximum = cast<RankedTensorType>(match.newMaximum.getType());
  MainloopOp loop = match.loop;
  return maximum.getRank() == 2 && maximum.getElementType().isF32() &&
         isa<math::Exp2Op, math::ExpOp>(match.exponentials.getDefiningOp()) &&
         llvm::all_of(llvm::concat<const OpFoldResult>(match.scale.factors,
                                                       match.shift.factors),
                      [&](OpFoldResult factor) {
                        auto scalar = dyn_cast<Value>(factor);
                        return !scalar || loop.isDefinedOutsideOfLoop(scalar);
                      });
}

void simplifyExponents(OnlineSoftmax match) {
  MainloopOp loop = match.loop;
  Location loc = match.dot->getLoc();
  OpBuilder builder(loop);
  Operation *power = match.exponentials.getDefiningOp();
  constexpr double log2e = 1.4426950408889634;
  SmallVector<OpFoldResult> common = takeOutFactor(match);
  auto factorOf = [&](const LinearTerm &term) {
    return scalarFactor(builder, loop, term.times(common),
                        match.isBinary ? 1.0 : log2e);
  };
  Value scale = factorOf(match.scale),
        shift = match.scalesMaximum() ? factorOf(match.shift) : scale;
  auto splat = [&](Type type, Value scalar) -> Value {
    return tile::SplatOp::create(
        builder, loc, type, scalar,
        builder.getI64ArrayAttr(cast<RankedTensorType>(type).getShape()));
  };
  auto replace = [&](Operation *power, Value exponent) {
    power->getResult(0).replaceAllUsesWith(math::Exp2Op::create(
        builder, loc, exponent, arith::FastMathFlags::afn));
    power->erase();
  };
  Value maximum = loop.getRegionIterArgs()[match.maximum];
  Type column = maximum.getType(), scores = match.scores.getType();
  SmallVector<Operation *> shrinks;
  for (Operation &op : *loop.getConsumeBlock())
    if (isa<math::Exp2Op, math::ExpOp>(op) &&
        op.getResult(0).getType() == column &&
        isDifference(op.getOperand(0), maximum, match.subtracted))
      shrinks.push_back(&op);

  builder.setInsertionPoint(power);
  auto repeat = [&](Value maximum) {
    return tile::BroadcastOp::create(
        builder, loc, scores, maximum,
        builder.getI64ArrayAttr(cast<RankedTensorType>(scores).getShape()));
  };
  if (mayBeHuge(match) && shift == scale) {
    Value below = arith::SubFOp::create(builder, loc, match.scores,
                                        repeat(match.subtracted));
    replace(power,
            arith::MulFOp::create(builder, loc, below, splat(scores, scale)));
  } else {
    Value subtracted = arith::NegFOp::create(
        builder, loc,
        arith::MulFOp::create(builder, loc, match.subtracted,
                              splat(column, shift)));
    replace(power,
            math::FmaOp::create(builder, loc, match.scores,
                                splat(scores, scale), repeat(subtracted)));
  }
  for (Operation *shrink : shrinks) {
    builder.setInsertionPoint(shrink);
    Value fall = arith::SubFOp::create(builder, loc, maximum, match.subtracted);
    replace(shrink,
            arith::MulFOp::create(builder, loc, fall, splat(column, shift)));
  }
  eraseDead(*loop.getConsumeBlock());
}

void contractExponents(const OnlineSoftmax &match) {
  // Below all sums of products that occur.
  constexpr double unreached = -0x1p80;
  MainloopOp loop = match.loop;
  FloatAttr first = splatNumberOf(loop.getInitArgs()[match.maximum]);
  if (!first || mayHaveHugeScores(match))
    return;
  double begin = first.getValueAsDouble();
  bool isUnreached = begin < unreached;
  if (!std::isfinite(begin) || (!isUnreached && begin < leastMaximum))
    return;
  Operation *power = match.exponentials.getDefiningOp();
  auto product = power->getOperand(0).getDefiningOp<arith::MulFOp>();
  auto difference =
      product ? product.getLhs().getDefiningOp<arith::SubFOp>() : nullptr;
  auto scale =
      product ? product.getRhs().getDefiningOp<tile::SplatOp>() : nullptr;
  if (!difference || !scale || difference.getLhs() != match.scores ||
      throughBroadcast(difference.getRhs()) != match.subtracted)
    return;
  OpBuilder builder(power);
  Location loc = power->getLoc();
  auto column = cast<RankedTensorType>(match.subtracted.getType());
  auto number = [&](float value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(column, value));
  };
  Value maximum = match.subtracted;
  if (isUnreached) {
    Value isUnseen = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, maximum, number(begin));
    maximum =
        arith::SelectOp::create(builder, loc, isUnseen, number(0), maximum);
  }
  auto sizes = [&](Type tile) {
    return builder.getI64ArrayAttr(cast<RankedTensorType>(tile).getShape());
  };
  Value unit = tile::SplatOp::create(builder, loc, column, scale.getValue(),
                                     sizes(column));
  Value offset = arith::NegFOp::create(
      builder, loc, arith::MulFOp::create(builder, loc, maximum, unit));
  Type scores = match.scores.getType();
  Value repeated =
      tile::BroadcastOp::create(builder, loc, scores, offset, sizes(scores));
  power->setOperand(
      0, math::FmaOp::create(builder, loc, match.scores, scale, repeated));
  Operation *unused[] = {product, difference,
                         difference.getRhs().getDefiningOp()};
  for (Operation *op : unused)
    if (op && isOpTriviallyDead(op))
      op->erase();
}

} // namespace tilegpt::tilegpu
