// Keeps the program order of a block where its threads meet in memory: between
// two accesses of the same argument, one of which writes, that may touch the
// same element from different threads, there is a barrier.
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

  /// Walks a block; `pending` is what is behind the last barrier, before and
  /// after it.
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

  /// What a loop meets is waited for once, in front of it.
  void runLoop(Operation *loop, Pending &pending) {
    if (meetsAny(pending, loop, /*around=*/nullptr))
      barrierBefore(loop, pending);
    // The body, or the two regions of a while loop, may run or not.
    Pending inside = pending;
    for (Region &region : loop->getRegions())
      for (Block &block : region)
        run(block, inside);
    // The places of a grid do not meet.
    if (isGridWalk(loop)) {
      pending = std::move(inside);
      return;
    }
    // Then from one iteration to the next: what is pending at the end of the
    // body meets its start.
    Pending before = inside;
    before.remove_if([&](Operation *op) { return !loop->isAncestor(op); });
    for (Region &region : loop->getRegions())
      for (Block &block : region)
        runAgain(loop, block, before);
    pending = std::move(inside);
  }

  /// Walks the body of a loop for what the iteration before left behind. The
  /// first access that meets it gets a barrier, which clears it.
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

  /// Whether a loop is that of blocks which stay over the places of the grid.
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

  /// Whether an access in `op` may meet a pending one.
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

  /// Whether two accesses, of which at least one writes, may touch the same
  /// element from different threads.
  /// \param around  the loop of which `earlier` ran in an iteration before that
  ///                of `later`; null when both run in the same.
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
    // Windows from different iterations may be others.
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
      // Tiles of different iterations differ where an index counts them.
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
    // The same tile in the same layout: every thread meets itself only, unless
    // there are copies of an element, one of which stores for all.
    LayoutAttr layout = LayoutAttr::of(a.tile);
    return !isSameTile || !layout || a.tile != b.tile || hasCopies(layout);
  }

  bool touchesMemory(Operation *op) const {
    return accesses.contains(op) || byOffset.contains(op);
  }

  /// The same where one of the accesses is by offsets, which may lead anywhere
  /// in the memory of an argument.
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
    // Updates of one kind whose old values nobody reads come to the same in any
    // order.
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
