// Type refinement in program order: operands are refined before their users,
// loop-carried values take the types of their initial values.
#include "RefineTypes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tile {

/// Sets the types of `values` to those of `sources`.
static void copyTypes(ValueRange values, ValueRange sources) {
  for (auto [value, source] : llvm::zip_equal(values, sources))
    value.setType(source.getType());
}

/// Gives tensor results of an elementwise op the shape of its first static
/// tensor operand.
static void refineElementwise(Operation *op) {
  for (Type type : op->getOperandTypes()) {
    auto operand = dyn_cast<RankedTensorType>(type);
    if (!operand || !operand.hasStaticShape())
      continue;
    for (Value result : op->getResults())
      if (auto declared = dyn_cast<RankedTensorType>(result.getType()))
        result.setType(declared.clone(operand.getShape()));
    return;
  }
}

static LogicalResult refineOp(Operation *op) {
  if (auto refinable = dyn_cast<TypeRefinementOpInterface>(op)) {
    SmallVector<Type> types;
    if (failed(refinable.inferResultTypes(types)))
      return failure();
    for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
      result.setType(type);
    return success();
  }
  if (OpTrait::hasElementwiseMappableTraits(op)) {
    refineElementwise(op);
    return success();
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    copyTypes(loop.getRegionIterArgs(), loop.getInitArgs());
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    copyTypes(loop.getBeforeArguments(), loop.getInits());

  for (Region &region : op->getRegions()) {
    for (Block &block : region)
      if (failed(refineTypes(block)))
        return failure();
    if (auto loop = dyn_cast<scf::WhileOp>(op);
        loop && &region == &loop.getBefore())
      copyTypes(loop.getAfterArguments(), loop.getConditionOp().getArgs());
  }

  if (auto loop = dyn_cast<scf::ForOp>(op))
    copyTypes(loop.getResults(), loop.getInitArgs());
  else if (auto loop = dyn_cast<scf::WhileOp>(op))
    copyTypes(loop.getResults(), loop.getConditionOp().getArgs());
  else if (auto branch = dyn_cast<scf::IfOp>(op); branch && op->getNumResults())
    copyTypes(branch.getResults(), branch.thenYield().getOperands());
  return success();
}

LogicalResult refineTypes(Block &block) {
  for (Operation &op : block)
    if (failed(refineOp(&op)))
      return failure();
  return success();
}

} // namespace tilegpt::tile
