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

/// Gives tensor results of an elementwise op the shape of its static tensor
/// operands. Fails if these differ: the verifier would not name their sizes.
static LogicalResult refineElementwise(Operation *op) {
  RankedTensorType first;
  for (Type type : op->getOperandTypes()) {
    auto operand = dyn_cast<RankedTensorType>(type);
    if (!operand || !operand.hasStaticShape())
      continue;
    if (!first)
      first = operand;
    else if (operand.getShape() != first.getShape())
      return op->emitOpError("expected tiles of the same size, found ")
             << first << " and " << operand
             << " when the kernel's parameters are bound";
  }
  if (first)
    for (Value result : op->getResults())
      if (auto declared = dyn_cast<RankedTensorType>(result.getType()))
        result.setType(declared.clone(first.getShape()));
  return success();
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
  if (OpTrait::hasElementwiseMappableTraits(op))
    return refineElementwise(op);
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
