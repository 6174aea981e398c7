// Joins the conditions of nested masks, and selects where masks are added.
#include "Masks/MergeMasks.h"
#include "Masks/MaskConditions.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The condition under which a mask keeps an element.
static Value keptWhere(OpBuilder &builder, Mask mask) {
  if (mask.keepsWhere)
    return mask.condition;
  Location loc = mask.select.getLoc();
  auto type = cast<RankedTensorType>(mask.condition.getType());
  Value all = arith::ConstantOp::create(builder, loc,
                                        DenseElementsAttr::get(type, true));
  return arith::XOrIOp::create(builder, loc, mask.condition, all);
}

static bool merge(arith::SelectOp select) {
  if (!isa<RankedTensorType>(select.getCondition().getType()))
    return false;
  Mask outer = maskOf(select);
  auto kept = outer.kept.getDefiningOp<arith::SelectOp>();
  if (!kept || !kept->hasOneUse() || kept->getBlock() != select->getBlock() ||
      kept.getCondition().getType() != select.getCondition().getType())
    return false;
  Mask inner = maskOf(kept);
  FloatAttr hidden = splatNumberOf(outer.hidden);
  if (!hidden || splatNumberOf(inner.hidden) != hidden)
    return false;
  OpBuilder builder(select);
  Value both =
      arith::AndIOp::create(builder, select.getLoc(), keptWhere(builder, inner),
                            keptWhere(builder, outer));
  Value merged = arith::SelectOp::create(builder, select.getLoc(), both,
                                         inner.kept, outer.hidden);
  select.replaceAllUsesWith(merged);
  select.erase();
  kept.erase();
  return true;
}

/// Rewrites x + select(c, 0, low), where `low` hides scores, to
/// select(c, x, x + low).
static bool selectTerm(arith::AddFOp sum) {
  for (Value side : {sum.getRhs(), sum.getLhs()}) {
    auto select = side.getDefiningOp<arith::SelectOp>();
    if (!select || !isa<RankedTensorType>(select.getCondition().getType()))
      continue;
    Value kept = side == sum.getRhs() ? sum.getLhs() : sum.getRhs();
    Mask mask = maskOf(select);
    FloatAttr none = splatNumberOf(mask.kept);
    if (!none || !none.getValue().isZero() || !splatNumberOf(mask.hidden) ||
        !hidesScore(mask.hidden, mask.kept))
      continue;
    OpBuilder builder(sum);
    Location loc = sum.getLoc();
    Value hidden = arith::AddFOp::create(builder, loc, kept, mask.hidden);
    sum.replaceAllUsesWith(
        arith::SelectOp::create(builder, loc, mask.condition,
                                mask.keepsWhere ? kept : hidden,
                                mask.keepsWhere ? hidden : kept)
            .getResult());
    sum.erase();
    return true;
  }
  return false;
}

/// Whether an op computes each element from those at the same position of a
/// tile, whatever they are.
static bool keepsPositions(Operation *op, Value tile) {
  if (auto dot = dyn_cast<tile::DotOp>(op))
    return dot.getAcc() == tile && dot.getLhs() != tile && dot.getRhs() != tile;
  // A gather reads its pad value where an index is out of bounds.
  if (auto gather = dyn_cast<tile::GatherOp>(op))
    return gather.getIndex() == tile && gather.getType().getRank() == 1;
  return op->getNumResults() == 1 &&
         (isa<tile::ReshapeOp>(op) ||
          (tile::isElementwise(op) && isSpeculatable(op)));
}

/// Whether only results that a condition (or its negation) hides depend on the
/// elements of a tile for which it is false.
static bool isHiddenElsewhere(Value tile, Value condition, bool keepsWhere) {
  constexpr unsigned ifTrue = 1, ifFalse = 2; // operands of a select
  llvm::SetVector<Value> tiles;
  tiles.insert(tile);
  for (unsigned next = 0; next < tiles.size(); ++next)
    for (OpOperand &use : tiles[next].getUses()) {
      Operation *op = use.getOwner();
      auto select = dyn_cast<arith::SelectOp>(op);
      if (select && select.getCondition() == condition &&
          use.getOperandNumber() == (keepsWhere ? ifTrue : ifFalse))
        continue;
      if (op->getBlock() != condition.getParentBlock() ||
          !keepsPositions(op, tiles[next]))
        return false;
      tiles.insert(op->getResult(0));
    }
  return true;
}

/// Removes a mask of an integer, such as the position in a table, if the same
/// mask hides what depends on it.
static bool dropInner(arith::SelectOp select) {
  Value condition = select.getCondition();
  if (!isa<RankedTensorType>(condition.getType()) ||
      !getElementTypeOrSelf(select.getType()).isIntOrIndex())
    return false;
  const bool keepsWhere = matchPattern(select.getFalseValue(), m_Constant());
  Value kept = keepsWhere ? select.getTrueValue() : select.getFalseValue();
  if ((!keepsWhere && !matchPattern(select.getTrueValue(), m_Constant())) ||
      condition.getParentBlock() != select->getBlock() ||
      !isHiddenElsewhere(select.getResult(), condition, keepsWhere))
    return false;
  select.replaceAllUsesWith(kept);
  select.erase();
  return true;
}

unsigned mergeMasks(Block &body) {
  unsigned count = 0;
  for (auto select : llvm::to_vector(body.getOps<arith::SelectOp>()))
    count += dropInner(select);
  for (auto sum : llvm::to_vector(body.getOps<arith::AddFOp>()))
    count += selectTerm(sum);
  for (auto select : llvm::to_vector(body.getOps<arith::SelectOp>()))
    count += merge(select);
  return count;
}

} // namespace tilegpt::tilegpu
