// Preserves the program order of a block's memory accesses: inserts a barrier
// between two accesses of the same argument that may touch the same element
// from different threads, if one of them writes.
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/OffsetFacts.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_ORDERMEMORY
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// Accesses that no barrier has followed yet.
using Pending = llvm::SetVector<Operation *>;

class Order {
public:
  explicit Order(tile::KernelOp kernel) : builder(kernel) {
    kernel.walk([&](Operation *op) {
      if (isAccess(op))
        accesses.try_emplace(op, op);
      else if (isOffsetAccess(op))
        byOffset.insert(op);
    });
    Pending pending;
    run(*kernel.getEntryBlock(), pending);
  }

private:
  void barrierBefore(Operation *op, Pending &pending) {
    builder.setInsertionPoint(op);
    BarrierOp::create(builder, op->getLoc());
    pending.clear();
  }

  /// Walks a block; `pending` holds the accesses since the last barrier, on
  /// entry and on return.
  void run(Block &block, Pending &pending) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isa<BarrierOp>(op)) {
        pending.clear();
      } else if (touchesMemory(&op)) {
        if (meetsAny(pending, &op, /*around=*/nullptr))
          barrierBefore(&op, pending);
        pending.insert(&op);
      } else if (isa<LoopLikeOpInterface>(op)) {
        runLoop(&op, pending);
      } else if (op.getNumRegions() > 0 && !isa<tile::ReduceOp>(op)) {
        runBranches(&op, pending);
      }
    }
  }

  /// Conflicts of a loop with earlier accesses need one barrier, before the
  /// loop.
  void runLoop(Operation *loop, Pending &pending) {
    if (meetsAny(pending, loop, /*around=*/nullptr))
      barrierBefore(loop, pending);
    // The body, or the two regions of a while loop, may run or not.
    Pending inside = pending;
    for (Region &region : loop->getRegions())
      for (Block &block : region)
        run(block, inside);
    // Grid points do not conflict.
    if (isGridWalk(loop)) {
      pending = std::move(inside);
      return;
    }
    // Loop-carried conflicts: accesses pending at the end of the body against
    // those at its start.
    Pending before = inside;
    before.remove_if([&](Operation *op) { return !loop->isAncestor(op); });
    for (Region &region : loop->getRegions())
      for (Block &block : region)
        runAgain(loop, block, before);
    pending = std::move(inside);
  }

  /// Walks the body of a loop with the accesses that the previous iteration
  /// left pending. A barrier before the first conflict clears them.
  void runAgain(Operation *loop, Block &block, Pending left) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (left.empty())
        break;
      if (isa<BarrierOp>(op)) {
        left.clear();
        continue;
      }
      if (meetsAny(left, &op, loop))
        barrierBefore(&op, left);
    }
  }

  /// Whether a loop is the grid loop of a persistent kernel.
  static bool isGridWalk(Operation *loop) {
    PlanAttr plan = PlanAttr::of(loop);
    return plan && plan.getPersistent() &&
           !loop->getParentOfType<LoopLikeOpInterface>();
  }

  void runBranches(Operation *op, Pending &pending) {
    Pending after = pending;
    for (Region &region : op->getRegions()) {
      Pending branch = pending;
      for (Block &block : region)
        run(block, branch);
      after.insert_range(branch);
    }
    pending = std::move(after);
  }

  /// Whether an access in `op` may conflict with a pending one.
  bool meetsAny(const Pending &pending, Operation *op, Operation *around) {
    WalkResult result = op->walk([&](Operation *later) {
      bool meets = touchesMemory(later) &&
                   llvm::any_of(pending, [&](Operation *earlier) {
                     return mayMeet(earlier, later, around);
                   });
      return meets ? WalkResult::interrupt() : WalkResult::advance();
    });
    return result.wasInterrupted();
  }

  /// Whether two accesses, at least one of which writes, may touch the same
  /// element from different threads.
  /// \param around  the loop of which `earlier` ran in an earlier iteration;
  ///                null if both ran in the same one.
  bool mayMeet(Operation *earlier, Operation *later, Operation *around) {
    if (byOffset.contains(earlier) || byOffset.contains(later))
      return mayMeetByOffset(earlier, later);
    const AccessOperands &a = accesses.at(earlier), &b = accesses.at(later);
    if (!a.isWrite && !b.isWrite)
      return false;
    BlockArgument rootA = facts.ofView(a.view).root,
                  rootB = facts.ofView(b.view).root;
    if (rootA && rootB && rootA != rootB)
      return false;
    // Windows of different iterations may differ.
    if (!around && areApart(a.view, b.view))
      return false;
    if (a.view != b.view || a.viewAxis != b.viewAxis ||
        a.tile.getShape() != b.tile.getShape() || a.indexedAxis ||
        b.indexedAxis)
      return true;
    bool isSameTile = a.indices == b.indices;
    if (auto loop = dyn_cast_or_null<scf::ForOp>(around)) {
      auto isFixed = [&](Value value) {
        return loop.isDefinedOutsideOfLoop(value);
      };
      // Tiles of different iterations are disjoint if an index is the induction
      // variable.
      if (isFixed(a.view) &&
          llvm::any_of(llvm::zip_equal(a.indices, b.indices), [&](auto pair) {
            auto [x, y] = pair;
            return x == y && x == loop.getInductionVar();
          }))
        return false;
      isSameTile &= isFixed(a.view) && llvm::all_of(a.indices, isFixed);
    } else if (around) {
      isSameTile = false;
    }
    // The same tile in the same layout: each thread accesses its own elements
    // only, unless elements are replicated, in which case one thread stores for
    // all.
    LayoutAttr layout = LayoutAttr::of(a.tile);
    return !isSameTile || !layout || a.tile != b.tile || hasCopies(layout);
  }

  bool touchesMemory(Operation *op) const {
    return accesses.contains(op) || byOffset.contains(op);
  }

  /// Does the same if one access is by offset, which may touch any element of
  /// an argument.
  bool mayMeetByOffset(Operation *earlier, Operation *later) {
    auto isWrite = [&](Operation *op) {
      return byOffset.contains(op) ? isOffsetWrite(op)
                                   : accesses.at(op).isWrite;
    };
    auto rootOf = [&](Operation *op) {
      return byOffset.contains(op) ? facts.ofPointer(pointerOf(op)).root
                                   : facts.ofView(accesses.at(op).view).root;
    };
    if (!isWrite(earlier) && !isWrite(later))
      return false;
    // Atomic updates of the same kind commute if their results are unused.
    auto update = dyn_cast<tile::AtomicRMWOp>(earlier),
         next = dyn_cast<tile::AtomicRMWOp>(later);
    if (update && next && update.getKind() == next.getKind() &&
        update.getKind() != tile::AtomicKind::Xchg && update->use_empty() &&
        next->use_empty())
      return false;
    BlockArgument rootA = rootOf(earlier), rootB = rootOf(later);
    return !rootA || !rootB || rootA == rootB;
  }

  static bool hasCopies(LayoutAttr layout) {
    auto repeats = [](ArrayRef<LayoutMode> modes) {
      return llvm::any_of(
          modes, [](const LayoutMode &mode) { return mode.isReplicated(); });
    };
    return repeats(layout.getLanes()) || repeats(layout.getWarps());
  }

  OpBuilder builder;
  IndexFacts facts;
  llvm::DenseMap<Operation *, AccessOperands> accesses;
  llvm::DenseSet<Operation *> byOffset;
};

struct OrderMemory : tilegpu::impl::OrderMemoryBase<OrderMemory> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    Order order(getOperation());
  }
};
} // namespace
