// Joins the conditions of nested masks, and selects where masks are added.
#include "Masks/MergeMasks.h"
#include "Masks/MaskConditions.h"
#include "mlir/IR/Builders.h"

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

unsigned mergeMasks(Block &body) {
  unsigned count = 0;
  for (auto sum : llvm::to_vector(body.getOps<arith::AddFOp>()))
    count += selectTerm(sum);
  for (auto select : llvm::to_vector(body.getOps<arith::SelectOp>()))
    count += merge(select);
  return count;
}

} // namespace tilegpt::tilegpu
