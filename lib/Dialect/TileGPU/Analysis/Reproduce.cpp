// Arithmetic that both roles can evaluate.
#include "TileGPT/Dialect/TileGPU/Analysis/Reproduce.h"
#include "TileGPT/Dialect/Tile/Analysis/PointerUses.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

BlockArgument rootOf(Value view) {
  while (Operation *op = view.getDefiningOp()) {
    if (!isa<tile::SelectOp, tile::SubviewOp, tile::TransposeOp>(op))
      return {};
    view = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(view);
  bool isRoot = isa<tile::KernelOp>(argument.getOwner()->getParentOp());
  return isRoot ? argument : BlockArgument();
}

/// Whether a view is of memory that does not change during a kernel.
static bool isInput(Value view, tile::KernelOp kernel) {
  if (BlockArgument root = rootOf(view))
    return !kernel.isOut(root.getArgNumber());
  while (isa_and_present<tile::SelectOp, tile::SubviewOp, tile::TransposeOp,
                         tile::ViewAtOp, tile::AssumeOp>(view.getDefiningOp()))
    view = view.getDefiningOp()->getOperand(0);
  auto pointer = dyn_cast<BlockArgument>(view);
  if (!pointer || pointer.getOwner()->getParentOp() != kernel)
    return false;
  return isReadBeforeWrites(pointer) ||
         (!isWritten(pointer) && standsAlone(pointer));
}

bool canReproduce(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (isa<MainloopOp>(owner))
      return argument.getArgNumber() == 0;
    auto loop = dyn_cast<scf::ForOp>(owner);
    return isa<tile::KernelOp>(owner) ||
           (loop && argument == loop.getInductionVar());
  }
  Operation *op = value.getDefiningOp();
  if (op->getNumRegions() != 0)
    return false;
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    if (load.getType().getNumElements() != 1 ||
        !isInput(load.getView(), load->getParentOfType<tile::KernelOp>()))
      return false;
  } else if (auto match = dyn_cast<MatchRangeOp>(op)) {
    auto kernel = op->getParentOfType<tile::KernelOp>();
    if (!isInput(match.getKeys(), kernel) || !isInput(match.getRows(), kernel))
      return false;
  } else if (!isMemoryEffectFree(op)) {
    return false;
  }
  // Tiles only on the path from memory to a scalar.
  bool isTile = isa<RankedTensorType>(value.getType());
  return (!isTile || isa<tile::LoadOp>(op)) &&
         llvm::all_of(op->getOperands(), canReproduce);
}

bool onlyReads(Operation *op) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  return effects && llvm::all_of(*effects, [](const auto &instance) {
           return isa<MemoryEffects::Read>(instance.getEffect());
         });
}

Value reproduceScalar(OpBuilder &builder, Value value, IRMapping &known) {
  if (Value copy = known.lookupOrNull(value))
    return copy;
  Operation *op = value.getDefiningOp();
  // Both roles can access an argument of the kernel.
  if (!op)
    return value;
  for (Value operand : op->getOperands())
    reproduceScalar(builder, operand, known);
  builder.clone(*op, known);
  return known.lookup(value);
}

} // namespace tilegpt::tilegpu
