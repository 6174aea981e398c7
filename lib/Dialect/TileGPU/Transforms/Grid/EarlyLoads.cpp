// Hoists loads, and marks those that stay in place.
#include "Grid/EarlyLoads.h"
#include "MoveAhead.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Whether a load exceeds the copies allowed before the wait, and no element is
/// replicated.
static bool isLarge(tile::LoadOp load) {
  RankedTensorType type = load.getType();
  LayoutAttr layout = LayoutAttr::of(type);
  int64_t bytes = bufferOf(load).getNumBytes();
  return layout && bytes > mostEarlyBytes &&
         layout.getNumRegisters() * PlanAttr::of(load).getComputeThreads() ==
             type.getNumElements();
}

/// Whether each element is known to be loaded by one thread only.
static bool isDivided(tile::LoadOp load) {
  LayoutAttr layout = LayoutAttr::of(load.getType());
  auto isCopy = [](const LayoutMode &mode) { return mode.isReplicated(); };
  return layout && llvm::none_of(layout.getLanes(), isCopy) &&
         llvm::none_of(layout.getWarps(), isCopy);
}

void beginLargeLoads(AwaitLaunchOp wait, EarlyAccesses &accesses) {
  constexpr int64_t registerFile = int64_t(256) << 10, heldAlone = 128,
                    heldBesideOthers = 32;
  SmallVector<tile::LoadOp> loads = accesses.findLoads(wait, isLarge);
  int64_t bytes = 0;
  for (tile::LoadOp load : loads)
    bytes += bufferOf(load).getNumBytes();
  // A block that needs all registers of a multiprocessor has it to itself.
  int64_t held = bytes >= registerFile ? heldAlone : heldBesideOthers;
  for (tile::LoadOp load : loads) {
    if (wait->isBeforeInBlock(load))
      load->moveBefore(wait);
    load->setAttr(earlyLoadName,
                  Builder(load.getContext()).getI64IntegerAttr(held));
  }
}

/// Whether the kernel's blocks are few enough to start with the launch, about
/// four per multiprocessor. Early loads of later blocks have nothing to wait
/// for, and each of their warps fetches them from L2 again, as it does for
/// pinned loads (layer norm of 692072 rows of 37 floats: 51 us, and 587 with
/// early loads).
static bool startsAtOnce(tile::KernelOp kernel) {
  constexpr int64_t mostBlocksAtOnce = 512;
  std::optional<int64_t> blocks = mostBlocks(kernel);
  return blocks && *blocks <= mostBlocksAtOnce;
}

/// Whether loads may be moved above an op: it contains only arithmetic, loads,
/// and moves between registers and shared memory.
static bool isPassed(Operation *op) {
  return !op->walk([](Operation *inner) {
              bool isHarmless =
                  isa<CopyOp, CopyRunOp, CommitCopiesOp, WaitCopiesOp,
                      BarrierOp, AllocOp, ReadOp, WriteOp, DotOp,
                      LoopLikeOpInterface>(inner) ||
                  (isAccess(inner) && !AccessOperands(inner).isWrite) ||
                  isMemoryEffectFree(inner);
              return isHarmless ? WalkResult::advance()
                                : WalkResult::interrupt();
            }).wasInterrupted();
}

void bringLateLoadsForward(AwaitLaunchOp wait, EarlyAccesses &accesses) {
  // Bytes that every warp may load again, and those that a thread may hold
  // while its block reduces others.
  constexpr int64_t mostBytes = 512, mostHeld = 128;
  auto kernel = wait->getParentOfType<tile::KernelOp>();
  OpSet movable;
  SmallVector<tile::LoadOp> loads;
  Operation *last = wait;
  int64_t bytes = 0, held = 0;
  bool isFar = false, isBehindEffect = false;
  for (Operation *op = wait->getNextNode(); op && isPassed(op);
       op = op->getNextNode()) {
    bool isKnown = isKnownAt(wait, op, movable);
    if (isKnown && isPure(op))
      movable.insert(op);
    auto load = dyn_cast<tile::LoadOp>(op);
    isFar |= !load && !isPure(op);
    isBehindEffect |= !load && !isMemoryEffectFree(op);
    if (!load || !isKnown)
      continue;
    bool mustWait = accesses.mustWait(load);
    if (mustWait && !isFar) {
      last = load;
      continue;
    }
    if (mustWait && !isBehindEffect && isDivided(load)) {
      RankedTensorType type = load.getType();
      int64_t own = LayoutAttr::of(type).getNumRegisters() *
                    memoryBytes(type.getElementType());
      if (held + own > mostHeld)
        continue;
      held += own;
    } else {
      int64_t size = bufferOf(load).getNumBytes();
      if (bytes + size > mostBytes || (!mustWait && !startsAtOnce(kernel)))
        continue;
      bytes += size;
    }
    loads.push_back(load);
  }
  for (tile::LoadOp load : loads) {
    OpSet moved;
    addSources(load, movable, moved);
    for (Operation *op : moved)
      if (wait->isBeforeInBlock(op))
        op->moveBefore(wait);
    if (accesses.mustWait(load)) {
      load->moveAfter(last);
      last = load;
    } else {
      load->moveBefore(wait);
      load->setAttr(earlyLoadName, UnitAttr::get(load.getContext()));
    }
  }
}

} // namespace tilegpt::tilegpu
