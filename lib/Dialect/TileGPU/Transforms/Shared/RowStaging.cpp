// Recomputes values derived from long rows at the width of their buffers.
#include "Shared/RowStaging.h"
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reductions/ExponentialSum.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

RowStaging::RowStaging(tile::KernelOp kernel, const LongRows &rows)
    : kernel(kernel), rows(rows), builder(kernel), width(rows.getWidth()),
      layout(LayoutAttr::getBlocked(kernel.getContext(), {1, width}, rows.unit,
                                    PlanAttr::of(kernel).getWarps())) {}

bool RowStaging::isRow(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getShape() == ArrayRef<int64_t>{1, rows.columns};
}

RankedTensorType RowStaging::widened(Type type) const {
  return RankedTensorType::get(
      {1, width}, cast<RankedTensorType>(type).getElementType(), layout);
}

Value RowStaging::remake(Value value, IRMapping &made) {
  if (Value again = made.lookupOrNull(value))
    return again;
  Operation *op = value.getDefiningOp();
  Value again;
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    again = loadAgain(load);
  } else if (isa<tile::IotaOp>(op)) {
    again = numbersAgain();
  } else if (auto scan = dyn_cast<tile::ScanOp>(op)) {
    again = scanAgain(scan, made);
  } else if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
    again = remake(convert.getSource(), made);
  } else if (auto reshape = dyn_cast<tile::ReshapeOp>(op)) {
    again = tile::ExpandDimsOp::create(builder, op->getLoc(),
                                       widened(value.getType()),
                                       remake(reshape.getSource(), made), 0);
  } else {
    for (Value operand : op->getOperands())
      if (isLong(operand))
        remake(operand, made);
    Operation *clone = builder.clone(*op, made);
    RankedTensorType type = widened(value.getType());
    again = clone->getResult(0);
    retypeTile(again, type);
    if (auto broadcast = dyn_cast<tile::BroadcastOp>(clone))
      takeFrom(broadcast);
  }
  made.map(value, again);
  return again;
}

/// Converts the source of a broadcast to the layout that suits the wider row.
void RowStaging::takeFrom(tile::BroadcastOp broadcast) {
  auto source = cast<RankedTensorType>(broadcast.getSource().getType());
  LayoutAttr wanted = layout.undoBroadcast(source.getShape(), {1, width});
  if (LayoutAttr::of(source) == wanted)
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(broadcast);
  broadcast.getSourceMutable().assign(ConvertLayoutOp::create(
      builder, broadcast.getLoc(), source.cloneWithEncoding(wanted),
      broadcast.getSource()));
}

void RowStaging::moveAhead(Operation *op, Operation *other) {
  if (op->getBlock() != other->getBlock() || op->isBeforeInBlock(other))
    return;
  for (Value operand : op->getOperands())
    if (Operation *source = operand.getDefiningOp())
      moveAhead(source, other);
  op->moveBefore(other);
}

void RowStaging::moveOtherLoadsAhead(Operation *reader) {
  llvm::DenseSet<Operation *> late;
  SmallVector<Operation *> loads;
  for (Operation *op = reader; op; op = op->getNextNode()) {
    auto effects = getEffectsRecursively(op);
    if (!effects || llvm::any_of(*effects, [](const auto &effect) {
          return !isa<MemoryEffects::Read>(effect.getEffect());
        }))
      break;
    bool isLate =
        op->getNumRegions() != 0 ||
        llvm::any_of(op->getOperands(), [&](Value operand) {
          return isLong(operand) || late.contains(operand.getDefiningOp());
        });
    if (isLate || llvm::any_of(op->getResults(),
                               [&](Value result) { return isLong(result); }))
      late.insert(op);
    else if (!effects->empty())
      loads.push_back(op);
  }
  for (Operation *load : loads)
    moveAhead(load, reader);
}

bool isFilled(tile::ReduceOp op, Value source) {
  return source == op.getSources().front() || !ExponentialSum::of(op);
}

void eraseUnused(ArrayRef<Operation *> ops) {
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      op->erase();
}

} // namespace tilegpt::tilegpu
