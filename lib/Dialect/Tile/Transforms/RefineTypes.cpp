// Type refinement in program order: operands are refined before their users,
// loop-carried values take the types of their initial values.
#include "RefineTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

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

/// The tile whose shape an op's operand must have, if the op says.
static RankedTensorType shapeDonor(OpOperand &operand) {
  Operation *op = operand.getOwner();
  auto staticTile = [](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile && tile.hasStaticShape() ? tile : RankedTensorType();
  };
  if (OpTrait::hasElementwiseMappableTraits(op)) {
    for (Type type : op->getOperandTypes())
      if (RankedTensorType tile = staticTile(type))
        return tile;
    return {};
  }
  return llvm::TypeSwitch<Operation *, RankedTensorType>(op)
      .Case<LoadOp, GatherOp, LoadAtOp, AtomicRMWOp, AtomicCASOp>([&](auto op) {
        return op.getMask() == operand.get()
                   ? staticTile(op.getResult().getType())
                   : RankedTensorType();
      })
      .Case<StoreOp, ScatterOp, StoreAtOp>([&](auto op) {
        return op.getMask() == operand.get()
                   ? staticTile(op.getValue().getType())
                   : RankedTensorType();
      })
      .Default({});
}

/// Gives constants of unknown size, to which upstream folds comparisons of a
/// tile with itself, the shape that an op needs.
static void refineConstants(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto constant = operand.get().getDefiningOp<arith::ConstantOp>();
    auto tile = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!constant || !tile || tile.hasStaticShape())
      continue;
    RankedTensorType donor = shapeDonor(operand);
    auto value = dyn_cast<SplatElementsAttr>(constant.getValue());
    if (!donor || !value)
      continue;
    OpBuilder builder(op);
    operand.set(arith::ConstantOp::create(
        builder, constant.getLoc(),
        SplatElementsAttr::get(tile.clone(donor.getShape()),
                               value.getSplatValue<Attribute>())));
    if (constant->use_empty())
      constant->erase();
  }
}

static LogicalResult refineOp(Operation *op) {
  if (auto refinable = dyn_cast<TypeRefinementOpInterface>(op)) {
    SmallVector<Type> types;
    if (failed(refinable.inferResultTypes(types)))
      return failure();
    for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
      result.setType(type);
    refineConstants(op);
    return success();
  }
  refineConstants(op);
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
