// Decides by the masks and scores of a loop which iterations run first.
#include "Softmax/BeginAtEnd.h"
#include "Softmax/Scores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool mayHideAny(const IterationRange &range,
                const PositionCondition &condition) {
  using Kind = PositionCondition::Kind;
  if (condition.kind == Kind::Comparison)
    return !range.affineOf(condition.comparison);
  return condition.kind == Kind::Unknown ||
         (condition.kind == Kind::All &&
          llvm::any_of(condition.parts, [&](const PositionCondition &part) {
            return mayHideAny(range, part);
          }));
}

bool shouldBeginAtEnd(const OnlineSoftmax &match) {
  MainloopOp loop = match.loop;
  if (!match.isIncreasing || !matchPattern(loop.getStep(), m_One()) ||
      !matchPattern(loop.getInitArgs()[match.maximum], m_Constant()))
    return false;
  IterationRange range(loop, loop.getIterationArg());
  bool hidesFirst = false, hidesLast = false, hasPositions = false;
  for (Operation *op : opsOfScores(match, /*withSums=*/true)) {
    hasPositions |= isa<arith::SIToFPOp>(op) &&
                    isa<RankedTensorType>(op->getResult(0).getType());
    auto select = dyn_cast<arith::SelectOp>(op);
    if (!select || !isa<RankedTensorType>(select.getCondition().getType()))
      continue;
    Mask mask = maskOf(select);
    PositionCondition kept = conditionOf(mask.condition, mask.keepsWhere);
    hidesFirst |= range.begins(kept) || mayHideAny(range, kept);
    hidesLast |= range.ends(kept);
  }
  return hidesLast && (hidesFirst || hasPositions);
}

/// Stands in for minus infinity.
static constexpr float lowest = -1e30f;

void beginAtEnd(const OnlineSoftmax &match) {
  MainloopOp loop = match.loop;
  OpBuilder builder(loop);
  loop->setAttr(descendingName, builder.getUnitAttr());
  OpOperand &init = loop.getInitArgsMutable()[match.maximum];
  auto type = cast<RankedTensorType>(init.get().getType());
  if (matchPattern(init.get(), m_NegInfFloat()))
    init.set(arith::ConstantOp::create(builder, loop.getLoc(),
                                       DenseElementsAttr::get(type, lowest)));
}

} // namespace tilegpt::tilegpu
