// Finds the ops that have to move with an op.
#include "MoveAhead.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static llvm::SetVector<Value> usedValues(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

bool isKnownAt(Operation *place, Operation *op, const OpSet &movable) {
  return llvm::all_of(usedValues(op), [&](Value value) {
    Operation *definition = value.getDefiningOp();
    return !definition || definition->getBlock() != place->getBlock() ||
           definition->isBeforeInBlock(place) || movable.contains(definition);
  });
}

void addSources(Operation *op, const OpSet &movable, OpSet &moved) {
  for (Value value : usedValues(op)) {
    Operation *source = value.getDefiningOp();
    if (!source || !movable.contains(source) || moved.contains(source))
      continue;
    addSources(source, movable, moved);
    moved.insert(source);
  }
}

Value formAhead(OpBuilder &builder, scf::ForOp loop, Value value,
                IRMapping &mapping) {
  if (Value formed = mapping.lookupOrNull(value))
    return formed;
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    mapping.map(operand, formAhead(builder, loop, operand, mapping));
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

} // namespace tilegpt::tilegpu
