// Follows pointers and their views to the accesses.
#include "TileGPT/Dialect/Tile/Analysis/PointerUses.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static bool isMemory(Value value) {
  return isa<tile::PtrType, tile::ViewType>(value.getType());
}

/// Results and block arguments that an op with regions forwards an operand to.
static void collectCarried(Operation *op, SmallVectorImpl<Value> &values) {
  llvm::append_range(values, op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(values, block.getArguments());
}

/// Pointers whose address is taken, as they enter the kernel, and pointers made
/// from addresses: they may alias each other.
static void collectAddressed(Operation *kernel,
                             SmallVectorImpl<Value> &values) {
  kernel->walk([&](Operation *op) {
    if (auto made = dyn_cast<tile::IntToPtrOp>(op))
      values.push_back(made.getPointer());
    auto taken = dyn_cast<tile::PtrToIntOp>(op);
    if (!taken)
      return;
    Value pointer = taken.getPointer();
    while (Operation *producer = pointer.getDefiningOp()) {
      if (producer->getNumOperands() == 0 || !isMemory(producer->getOperand(0)))
        break;
      pointer = producer->getOperand(0);
    }
    values.push_back(pointer);
  });
}

void forEachAlias(Value pointer, function_ref<void(Value)> visit) {
  SmallVector<Value> pending = {pointer};
  llvm::SmallPtrSet<Value, 16> seen;
  bool isAddressed = false;
  auto addAddressed = [&](Operation *op) {
    if (!std::exchange(isAddressed, true))
      if (auto kernel = op->getParentOfType<tile::KernelOp>())
        collectAddressed(kernel, pending);
  };
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (!isMemory(value) || !seen.insert(value).second)
      continue;
    visit(value);
    if (auto made = value.getDefiningOp<tile::IntToPtrOp>())
      addAddressed(made);
    for (Operation *user : value.getUsers()) {
      if (isa<tile::PtrToIntOp>(user))
        addAddressed(user);
      else if (user->hasTrait<OpTrait::IsTerminator>())
        collectCarried(user->getParentOp(), pending);
      else
        collectCarried(user, pending);
    }
  }
}

static bool writesMemory(Operation *op) {
  return isa<tile::StoreOp, tile::ScatterOp, tile::StoreAtOp, tile::AtomicRMWOp,
             tile::AtomicCASOp>(op);
}

bool isWritten(Value pointer) {
  bool found = false;
  forEachAlias(pointer, [&](Value alias) {
    for (Operation *user : alias.getUsers())
      // Pointers through loops and branches are not followed.
      found |= writesMemory(user) || user->getNumRegions() != 0 ||
               user->hasTrait<OpTrait::IsTerminator>();
  });
  return found;
}

bool standsAlone(BlockArgument pointer) {
  auto kernel = cast<tile::KernelOp>(pointer.getOwner()->getParentOp());
  auto classes =
      kernel->getAttrOfType<DenseI64ArrayAttr>(tile::aliasClassesAttr);
  if (!classes && !isWritten(pointer))
    return true;
  constexpr int64_t anywhere = -1;
  if (classes && classes[pointer.getArgNumber()] == anywhere)
    return false;
  return llvm::none_of(kernel.getArguments(), [&](BlockArgument other) {
    if (other == pointer || !isa<tile::PtrType>(other.getType()))
      return false;
    return classes ? classes[other.getArgNumber()] ==
                         classes[pointer.getArgNumber()]
                   : isWritten(other);
  });
}

/// Whether an op of a kernel always executes before another.
static bool comesBefore(Operation *first, Operation *second) {
  for (; !isa<tile::KernelOp>(first); first = first->getParentOp()) {
    Operation *beside = first->getBlock()->findAncestorOpInBlock(*second);
    if (beside)
      return first != beside && first->isBeforeInBlock(beside) &&
             !first->getParentOfType<LoopLikeOpInterface>();
  }
  return false;
}

bool isReadBeforeWrites(BlockArgument pointer) {
  if (isWritten(pointer))
    return false;
  SmallVector<Operation *> writes; // and what waits for others
  pointer.getOwner()->getParentOp()->walk([&](Operation *op) {
    auto load = dyn_cast<tile::LoadAtOp>(op);
    if (writesMemory(op) ||
        (load && load.getOrder() != tile::MemoryOrder::Weak))
      writes.push_back(op);
  });
  bool isBefore = true;
  forEachAlias(pointer, [&](Value alias) {
    for (Operation *user : alias.getUsers())
      isBefore &= isMemoryEffectFree(user) ||
                  llvm::all_of(writes, [&](Operation *write) {
                    return comesBefore(user, write);
                  });
  });
  return isBefore;
}

} // namespace tilegpt::tilegpu
