// Joins the conditions of nested masks.
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

unsigned mergeMasks(Block &body) {
  unsigned count = 0;
  for (auto select : llvm::to_vector(body.getOps<arith::SelectOp>()))
    count += merge(select);
  return count;
}

} // namespace tilegpt::tilegpu
