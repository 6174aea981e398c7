// Arithmetic that both roles can evaluate.
#include "TileGPT/Dialect/TileGPU/Analysis/Reproduce.h"
#include "TileGPT/Dialect/Tile/Analysis/PointerUses.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

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

/// Whether a pointer, or a view made from one, is of memory that does not
/// change during a kernel.
static bool isConstantMemory(Value place, tile::KernelOp kernel) {
  while (isa_and_present<tile::SelectOp, tile::SubviewOp, tile::TransposeOp,
                         tile::ViewAtOp, tile::AssumeOp>(place.getDefiningOp()))
    place = place.getDefiningOp()->getOperand(0);
  auto pointer = dyn_cast<BlockArgument>(place);
  if (!pointer || pointer.getOwner()->getParentOp() != kernel)
    return false;
  return isReadBeforeWrites(pointer) ||
         (!isWritten(pointer) && standsAlone(pointer));
}

/// The same for a view.
static bool isInput(Value view, tile::KernelOp kernel) {
  if (BlockArgument root = rootOf(view))
    return !kernel.isOut(root.getArgNumber());
  return isConstantMemory(view, kernel);
}

static bool isScalar(Type type) {
  return type.isIntOrIndexOrFloat() || isa<tile::PtrType>(type);
}

/// Whether a main loop is nested in a loop, which the producer then runs too.
static bool isAroundMainloop(Operation *loop) {
  return loop
      ->walk([&](Operation *op) {
        bool isInside = isa<MainloopOp>(op) ||
                        (isa<tile::DotOp>(op) && op->getParentOp() != loop);
        return isInside ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
/// Decides what another role can compute. A loop-carried scalar depends on
/// itself: what is in question is assumed to hold.
class Reproduction {
public:
  bool can(Value value) {
    if (!assumed.insert(value).second)
      return true;
    auto argument = dyn_cast<BlockArgument>(value);
    return argument ? canArgument(argument) : canResult(cast<OpResult>(value));
  }

private:
  bool canArgument(BlockArgument argument) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (isa<MainloopOp>(owner))
      return argument.getArgNumber() == 0;
    if (auto loop = dyn_cast<scf::ForOp>(owner))
      return argument == loop.getInductionVar() ||
             canCarry(loop, argument, loop.getTiedLoopInit(argument)->get(),
                      loop.getTiedLoopYieldedValue(argument)->get());
    if (auto loop = dyn_cast<scf::WhileOp>(owner)) {
      unsigned number = argument.getArgNumber();
      return argument.getOwner() == loop.getAfterBody()
                 ? canLeave(loop, number)
                 : canCarry(loop, argument, loop.getInits()[number],
                            loop.getYieldOp().getOperand(number));
    }
    return isa<tile::KernelOp>(owner);
  }

  bool canResult(OpResult result) {
    Operation *op = result.getOwner();
    unsigned number = result.getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return canCarry(loop, result, loop.getInitArgs()[number],
                      loop.getYieldedValues()[number]);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return canLeave(loop, number);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return canBranch(branch);
    if (op->getNumRegions() != 0)
      return false;
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      if (!isInput(load.getView(), load->getParentOfType<tile::KernelOp>()))
        return false;
    } else if (auto load = dyn_cast<tile::LoadAtOp>(op)) {
      if (load.getOrder() != tile::MemoryOrder::Weak ||
          !isConstantMemory(load.getBase(),
                            load->getParentOfType<tile::KernelOp>()))
        return false;
    } else if (auto match = dyn_cast<MatchRangeOp>(op)) {
      auto kernel = op->getParentOfType<tile::KernelOp>();
      if (!isInput(match.getKeys(), kernel) ||
          !isInput(match.getRows(), kernel))
        return false;
    } else if (!isMemoryEffectFree(op)) {
      return false;
    }
    // Every thread has the element of a tile of one, on the path from memory to
    // a scalar.
    auto tile = dyn_cast<RankedTensorType>(result.getType());
    bool isSingle =
        !tile || (tile.hasStaticShape() && tile.getNumElements() == 1);
    return isSingle && canAll(op->getOperands());
  }

  bool canAll(ValueRange values) {
    return llvm::all_of(values, [&](Value value) { return can(value); });
  }

  /// Whether a loop, as the producer runs it, can carry a scalar.
  bool canCarry(Operation *loop, Value carried, Value init, Value yielded) {
    return isScalar(carried.getType()) && isAroundMainloop(loop) && can(init) &&
           can(yielded);
  }

  /// Whether a scalar can be passed on by the condition of a loop.
  bool canLeave(scf::WhileOp loop, unsigned number) {
    Value passed = loop.getConditionOp().getArgs()[number];
    return isScalar(passed.getType()) && isAroundMainloop(loop) && can(passed);
  }

  /// Branches over scalars are copied as a whole.
  bool canBranch(scf::IfOp branch) {
    return llvm::all_of(branch.getResultTypes(), isScalar) &&
           can(branch.getCondition()) &&
           !branch
                ->walk([&](Operation *op) {
                  bool isCopied =
                      op == branch.getOperation() || isa<scf::YieldOp>(op) ||
                      (op->getNumRegions() == 0 && isMemoryEffectFree(op));
                  return isCopied && canAll(op->getOperands())
                             ? WalkResult::advance()
                             : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  DenseSet<Value> assumed;
};
} // namespace

bool canReproduce(Value value) { return Reproduction().can(value); }

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
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    reproduceScalar(builder, value, known);
  builder.clone(*op, known);
  return known.lookup(value);
}

} // namespace tilegpt::tilegpu
