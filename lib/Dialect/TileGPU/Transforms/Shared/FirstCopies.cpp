// Finds the first op that waits, and the ops that can be issued ahead of it.
#include "Shared/FirstCopies.h"
#include "MoveAhead.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Layouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Scratch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static bool isGlobalLoad(Operation *op) {
  return isa<tile::LoadOp, tile::GatherOp>(op);
}

/// Whether an op is a group of copies, or commits one. Copies of gathered rows
/// are excluded, since the row numbers are read from shared memory.
static bool isCopyGroup(Operation *op) {
  auto group = dyn_cast<scf::IfOp>(op);
  if (!group)
    return isa<CommitCopiesOp>(op);
  return group.getNumResults() == 0 && group.getElseRegion().empty() &&
         llvm::all_of(group.thenBlock()->without_terminator(),
                      [](Operation &inner) {
                        auto copy = dyn_cast<CopyOp>(inner);
                        return copy ? !copy.getRows() : isPure(&inner);
                      });
}

/// Whether threads wait at an op for values from memory or for each other.
static bool waitsForOthers(Operation *op) {
  return op->getNumRegions() != 0 || scratchBytes(op) != 0 ||
         isa<tile::ReduceOp, BarrierOp, WriteOp>(op);
}

/// Whether copies may be issued ahead of an op. Buffers that are written before
/// the loop are read in it, so no copy uses their memory; buffers that are read
/// before it may share memory with those of the loop.
static bool isPassedByCopies(Operation *op) {
  return isMemoryEffectFree(op) || isGlobalLoad(op) || isCopyGroup(op) ||
         isa<AllocOp, BarrierOp, WriteOp>(op);
}

/// The registers that a loaded tile takes per thread, in bytes.
static int64_t registerBytes(Operation *load) {
  auto type = cast<RankedTensorType>(load->getResult(0).getType());
  return LayoutAttr::of(type).getNumRegisters() *
         memoryBytes(type.getElementType());
}

void issueFirstCopies(BarrierOp barrier, scf::ForOp loop) {
  /// Loads hold their registers until the loop at most.
  constexpr int64_t mostRegisterBytes = 64;
  Block &block = *loop->getBlock();
  if (!isa<tile::KernelOp>(block.getParentOp()))
    return;
  Operation *place = &block.front();
  while (!waitsForOthers(place)) {
    // The copies may overwrite the memory that is read here.
    if (isa<ReadOp, CopyOp, CopyRunOp>(place))
      return;
    place = place->getNextNode();
  }
  if (place == barrier || place == loop)
    return;

  OpSet movable;
  SmallVector<Operation *> loads, copies;
  bool isReduced = false;
  int64_t bytes = 0;
  for (Operation *op = place; op != loop; op = op->getNextNode()) {
    if (!isPassedByCopies(op))
      return;
    isReduced |= isa<tile::ReduceOp>(op);
    const bool isGroup = isCopyGroup(op);
    if (!isKnownAt(place, op, movable) || (!isGroup && waitsForOthers(op))) {
      // Groups are counted in order.
      if (isGroup)
        return;
      continue;
    }
    if (isGlobalLoad(op) && (bytes += registerBytes(op)) > mostRegisterBytes)
      continue;
    movable.insert(op);
    if (isGroup)
      copies.push_back(op);
    else if (isGlobalLoad(op))
      loads.push_back(op);
  }
  // An operand that is only loaded would queue behind the copies.
  if (!isReduced)
    return;
  OpSet moved;
  for (Operation *op : llvm::concat<Operation *>(loads, copies)) {
    addSources(op, movable, moved);
    moved.insert(op);
  }
  for (Operation *op : moved)
    op->moveBefore(place);
  barrier.erase();
}

} // namespace tilegpt::tilegpu
