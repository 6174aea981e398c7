// Programmatic dependent launch: where a kernel lets the next launch start, and
// where it waits for the one before it.
#include "Grid/FirstStages.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_OVERLAPLAUNCHES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
class Overlap {
public:
  explicit Overlap(tile::KernelOp kernel) : kernel(kernel), builder(kernel) {}

  void run() {
    Block *body = kernel.getEntryBlock();
    waitIn(*body);
    placeRelease(*body);
    kernel->setAttr(overlapsName, builder.getUnitAttr());
  }

private:
  /// Lets the next launch start: at once, or where a producer feeds the kernel,
  /// when it has nothing more to copy. Earlier the next launch's blocks would
  /// start one by one as those of this one end; together they are spread over
  /// the multiprocessors in order. Blocks that share hardly anything and have
  /// copies to make while they wait may come as they please, but for those of
  /// clusters, which need several multiprocessors at a time.
  void placeRelease(Block &body) {
    builder.setInsertionPointToStart(&body);
    PlanAttr plan = PlanAttr::of(kernel);
    bool areApart = plan.getParts() == 1 && plan.getMulticast() == 1;
    if (!hasFirstStages || !areApart)
      for (auto roles : body.getOps<RolesOp>())
        builder.setInsertionPointToEnd(&roles.getProducer().front());
    ReleaseLaunchOp::create(builder, kernel.getLoc());
  }

  /// Waits in front of the first op of a block that touches what other launches
  /// touch; at its end if there is none, so that the launches behind this one
  /// can rely on those before it.
  void waitIn(Block &block) {
    for (Operation &op : block) {
      if (!mustWait(&op))
        continue;
      if (auto roles = dyn_cast<RolesOp>(op)) {
        for (Region *role : {&roles.getProducer(), &roles.getConsumer()})
          waitIn(role->front());
        return;
      }
      builder.setInsertionPoint(&op);
      auto wait = AwaitLaunchOp::create(builder, op.getLoc());
      if (hasCopies())
        bringCopiesForward(wait);
      else
        bringForward(wait);
      hasFirstStages |=
          fillFirstStages(wait, [&](Value map) { return isOwn(map); });
      if (isa<tile::KernelOp>(wait->getParentOp())) {
        beginLargeLoads(wait);
        bringSmallLoadsForward(wait);
      }
      return;
    }
    if (block.mightHaveTerminator())
      builder.setInsertionPoint(block.getTerminator());
    else
      builder.setInsertionPointToEnd(&block);
    AwaitLaunchOp::create(builder, kernel.getLoc());
  }

  bool mustWait(Operation *op) {
    return op
        ->walk([&](Operation *inner) {
          // The launch before must have drawn for the last time.
          if (isa<NextTileOp>(inner))
            return WalkResult::interrupt();
          return isPure(inner) || llvm::all_of(inner->getOperands(),
                                               [&](Value operand) {
                                                 return isOwn(operand);
                                               })
                     ? WalkResult::advance()
                     : WalkResult::interrupt();
        })
        .wasInterrupted();
  }

  /// Whether a value is no memory at all, or such as the step found it.
  bool isOwn(Value value) {
    if (auto map = value.getDefiningOp<TensorMapOp>())
      value = map.getView();
    if (isa<tile::PtrType>(value.getType()))
      return isLaunchInvariant(facts.ofPointer(value).root);
    return !isa<tile::ViewType>(value.getType()) ||
           isLaunchInvariant(facts.ofView(value).root);
  }

  /// Whether a load from a view may read what one of these ops writes.
  bool meetsAny(ArrayRef<Operation *> writes, Value view) {
    return llvm::any_of(writes, [&](Operation *write) {
      Value written = AccessOperands(write).view;
      return facts.ofView(written).root == facts.ofView(view).root &&
             !areApart(written, view);
    });
  }

  /// Copies of what is launch-invariant, out of a branch that has others too,
  /// into one of their own in front of it.
  void splitCopies(scf::IfOp group) {
    if (group.getNumResults() || !group.getElseRegion().empty() ||
        !llvm::all_of(
            group.thenBlock()->without_terminator(),
            [](Operation &op) { return isPure(&op) || isa<CopyOp>(op); }))
      return;
    SmallVector<CopyOp> early, others;
    for (auto copy : group.thenBlock()->getOps<CopyOp>())
      (isOwn(copy.getView()) && !copy.getRows() ? early : others)
          .push_back(copy);
    if (early.empty() || others.empty())
      return;
    builder.setInsertionPoint(group);
    auto apart =
        scf::IfOp::create(builder, group.getLoc(), group.getCondition());
    builder.setInsertionPoint(apart.thenBlock()->getTerminator());
    IRMapping mapping;
    for (Operation &op : group.thenBlock()->without_terminator())
      if (isPure(&op) || llvm::is_contained(early, &op))
        builder.clone(op, mapping);
    for (CopyOp copy : early)
      copy.erase();
  }

  /// Moves the first groups of a loop's copies ahead (`tile_gpu.copy`) to the
  /// front of the wait, as long as they read what is launch-invariant. Behind a
  /// group that also has others, those that do become part of that one.
  void bringCopiesForward(AwaitLaunchOp wait) {
    for (auto group :
         llvm::make_early_inc_range(wait->getBlock()->getOps<scf::IfOp>()))
      if (wait->isBeforeInBlock(group))
        splitCopies(group);
    llvm::SetVector<Operation *> movable, moved;
    bool isCut = false;
    SmallVector<Operation *> writes;
    auto isKnown = [&](Value value) {
      Operation *definition = value.getDefiningOp();
      return !definition || definition->getBlock() != wait->getBlock() ||
             definition->isBeforeInBlock(wait) || movable.contains(definition);
    };
    for (Operation *op = wait->getNextNode(); op; op = op->getNextNode()) {
      llvm::SetVector<Value> needed(op->operand_begin(), op->operand_end());
      getUsedValuesDefinedAbove(op->getRegions(), needed);
      bool isCopies = false, isEarly = true;
      op->walk([&](Operation *inner) {
        if (isa<CopyOp, CopyRunOp>(inner)) {
          Value view = inner->getOperand(0);
          isCopies = true;
          // Numbers of rows are written where they are.
          auto copy = dyn_cast<CopyOp>(inner);
          isEarly &= isOwn(view) && !meetsAny(writes, view) &&
                     !(copy && copy.getRows());
        } else if (isAccess(inner) && AccessOperands(inner).isWrite) {
          writes.push_back(inner);
        }
      });
      bool isGroup = isCopies || isa<CommitCopiesOp>(op);
      if (llvm::all_of(needed, isKnown) && isEarly &&
          (isGroup ? !isa<LoopLikeOpInterface>(op) : isPure(op))) {
        movable.insert(op);
        if (!isGroup || (isCut && isa<CommitCopiesOp>(op)))
          continue;
        for (Value value : needed)
          addWithOperands(value, movable, moved);
        moved.insert(op);
      } else if (isa<LoopLikeOpInterface>(op)) {
        break;
      } else if (isGroup) {
        isCut = true;
      }
    }
    for (Operation *op : moved)
      op->moveBefore(wait);
  }

  /// Starts the loads of what is launch-invariant in front of the wait instead
  /// of behind it, as copies to shared memory: loads to registers ptxas moves
  /// back.
  void bringForward(AwaitLaunchOp wait) {
    SmallVector<tile::LoadOp> loads = findCopyable(wait);
    if (loads.empty())
      return;
    Location loc = wait.getLoc();
    SmallVector<AllocOp> buffers;
    builder.setInsertionPoint(wait);
    for (tile::LoadOp load : loads) {
      AllocOp buffer = AllocOp::create(builder, load.getLoc(), bufferOf(load),
                                       /*offset=*/IntegerAttr());
      CopyOp::create(builder, load.getLoc(), load.getView(), load.getIndices(),
                     /*rows=*/Value(), buffer, /*first=*/Value(),
                     analyzeAccess(load, facts).isInside);
      buffers.push_back(buffer);
    }
    CommitCopiesOp::create(builder, loc);

    Operation *first = nullptr;
    for (auto [load, buffer] : llvm::zip_equal(loads, buffers)) {
      builder.setInsertionPoint(firstUser(load));
      Operation *read = readInsteadOf(load, buffer);
      closeBehind(read);
      if (!first || read->isBeforeInBlock(first))
        first = read;
    }
    builder.setInsertionPoint(first);
    WaitCopiesOp::create(builder, loc, 0);
    BarrierOp::create(builder, loc);
  }

  /// Starts the first accesses of loads that are too large to be copies, so
  /// that a block has something on its way while it waits and makes what comes
  /// in front of its products. Only of what no two threads hold: each of these
  /// accesses goes to L2.
  void beginLargeLoads(AwaitLaunchOp wait) {
    constexpr int64_t registerFile = int64_t(256) << 10, heldAlone = 128,
                      heldBesideOthers = 32;
    SmallVector<tile::LoadOp> loads = findLoads(wait, isLarge);
    int64_t bytes = 0;
    for (tile::LoadOp load : loads)
      bytes += bufferOf(load).getNumBytes();
    // One that needs all registers of a multiprocessor has it for itself.
    int64_t held = bytes >= registerFile ? heldAlone : heldBesideOthers;
    for (tile::LoadOp load : loads) {
      if (wait->isBeforeInBlock(load))
        load->moveBefore(wait);
      load->setAttr(earlyLoadName, builder.getI64IntegerAttr(held));
    }
  }

  /// Whether a load takes more than copies in front of the wait may, and every
  /// element goes to one thread.
  static bool isLarge(tile::LoadOp load) {
    RankedTensorType type = load.getType();
    int64_t bytes = bufferOf(load).getNumBytes();
    return bytes > mostBytes &&
           LayoutAttr::of(type).getNumRegisters() *
                   PlanAttr::of(load).getComputeThreads() ==
               type.getNumElements();
  }

  /// Starts loads that are too small to be copies, and stand far behind the
  /// wait, at once: those of what is launch-invariant in front of it, the
  /// others behind the loads that stand there. Loaded behind a product and its
  /// sums, a bias or a residual would be waited for by itself. Loads pass
  /// nothing that writes to memory or lets others do so.
  void bringSmallLoadsForward(AwaitLaunchOp wait) {
    llvm::SetVector<Operation *> movable;
    SmallVector<tile::LoadOp> loads;
    Operation *last = wait;
    int64_t bytes = 0;
    bool isFar = false;
    for (Operation *op = wait->getNextNode(); op && isPassed(op);
         op = op->getNextNode()) {
      bool isKnown = isKnownAt(wait, op, movable);
      if (isKnown && isPure(op))
        movable.insert(op);
      auto load = dyn_cast<tile::LoadOp>(op);
      isFar |= !load && !isPure(op);
      if (!load || !isKnown)
        continue;
      if (mustWait(load) && !isFar) {
        last = load;
        continue;
      }
      int64_t size = bufferOf(load).getNumBytes();
      if (bytes + size > mostSmallBytes || (!mustWait(load) && !startsAtOnce()))
        continue;
      bytes += size;
      loads.push_back(load);
    }
    for (tile::LoadOp load : loads) {
      llvm::SetVector<Operation *> moved;
      for (Value operand : load->getOperands())
        addWithOperands(operand, movable, moved);
      for (Operation *op : moved)
        if (wait->isBeforeInBlock(op))
          op->moveBefore(wait);
      if (mustWait(load)) {
        load->moveAfter(last);
        last = load;
      } else {
        load->moveBefore(wait);
        load->setAttr(earlyLoadName, builder.getUnitAttr());
      }
    }
  }

  /// Whether the blocks of the kernel are few enough to start with the launch,
  /// about four a multiprocessor. What later ones load early waits for nothing,
  /// and each of their warps fetches it from L2 again, as what must stay in its
  /// place does (layer norm of 692072 rows of 37 floats: 51 us, and 587 so).
  bool startsAtOnce() const {
    constexpr int64_t mostBlocksAtOnce = 512;
    std::optional<int64_t> blocks = mostBlocks(kernel);
    return blocks && *blocks <= mostBlocksAtOnce;
  }

  /// Whether the operands of an op behind a place are there already, or can be.
  static bool isKnownAt(Operation *place, Operation *op,
                        const llvm::SetVector<Operation *> &movable) {
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      Operation *definition = operand.getDefiningOp();
      return !definition || definition->getBlock() != place->getBlock() ||
             definition->isBeforeInBlock(place) || movable.contains(definition);
    });
  }

  /// Whether a load may be moved in front of an op: inside of it there are
  /// arithmetic, loads, and what moves tiles between registers and shared
  /// memory.
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

  /// A buffer that is written later may get the place of the one that is read:
  /// all threads must have read it.
  void closeBehind(Operation *read) {
    for (Operation *op = read->getNextNode(); op; op = op->getNextNode()) {
      bool writes = op->walk([](Operation *inner) {
                        return isa<WriteOp, CopyOp, CopyRunOp>(inner)
                                   ? WalkResult::interrupt()
                                   : WalkResult::advance();
                      }).wasInterrupted();
      if (isa<BarrierOp>(op))
        return;
      if (!writes)
        continue;
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(op);
      BarrierOp::create(builder, read->getLoc());
      return;
    }
  }

  /// Reads a buffer in the place of a load. Where only another layout of the
  /// tile is used it is read as that.
  Operation *readInsteadOf(tile::LoadOp load, AllocOp buffer) {
    Operation *used = load;
    if (load->hasOneUse())
      if (auto convert = dyn_cast<ConvertLayoutOp>(*load->getUsers().begin()))
        used = convert;
    auto read = ReadOp::create(builder, load.getLoc(),
                               used->getResult(0).getType(), buffer);
    used->getResult(0).replaceAllUsesWith(read);
    used->erase();
    if (used != load)
      load.erase();
    return read;
  }

  /// The loads in the block of the wait that are used behind it and can be
  /// copies in front of it; what they need is moved there.
  SmallVector<tile::LoadOp> findCopyable(AwaitLaunchOp wait) {
    int64_t bytes = 0;
    return findLoads(wait, [&](tile::LoadOp load) {
      int64_t size = bufferOf(load).getNumBytes();
      if (!isWorthCopying(load, facts) ||
          firstUser(load)->isBeforeInBlock(wait) || bytes + size > mostBytes)
        return false;
      bytes += size;
      return true;
    });
  }

  /// The loads in the block of the wait that suit, of those that need not wait;
  /// what they need is moved in front of it.
  SmallVector<tile::LoadOp> findLoads(AwaitLaunchOp wait,
                                      function_ref<bool(tile::LoadOp)> suits) {
    SmallVector<tile::LoadOp> loads;
    llvm::SetVector<Operation *> movable, moved;
    SmallVector<Operation *> writes;
    for (Operation &op : *wait->getBlock()) {
      op.walk([&](Operation *inner) {
        if (isAccess(inner) && AccessOperands(inner).isWrite)
          writes.push_back(inner);
      });
      bool isKnown = isKnownAt(wait, &op, movable);
      if (isKnown && isPure(&op) && wait->isBeforeInBlock(&op))
        movable.insert(&op);
      auto load = dyn_cast<tile::LoadOp>(op);
      if (!load || !isKnown || mustWait(load) ||
          meetsAny(writes, load.getView()) || !suits(load))
        continue;
      loads.push_back(load);
      for (Value operand : load->getOperands())
        addWithOperands(operand, movable, moved);
    }
    for (Operation *op : moved)
      op->moveBefore(wait);
    return loads;
  }

  static void addWithOperands(Value value,
                              const llvm::SetVector<Operation *> &movable,
                              llvm::SetVector<Operation *> &moved) {
    Operation *op = value.getDefiningOp();
    if (!op || !movable.contains(op))
      return;
    for (Value operand : op->getOperands())
      addWithOperands(operand, movable, moved);
    moved.insert(op);
  }

  /// Whether the kernel has copies ahead of its own.
  bool hasCopies() {
    return kernel
        ->walk([](Operation *op) {
          return isa<CommitCopiesOp, RolesOp>(op) ? WalkResult::interrupt()
                                                  : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// The first op of the load's block that uses it, itself or inside.
  static Operation *firstUser(tile::LoadOp load) {
    Operation *first = nullptr;
    for (Operation *user : load->getUsers()) {
      Operation *here = load->getBlock()->findAncestorOpInBlock(*user);
      if (!first || here->isBeforeInBlock(first))
        first = here;
    }
    return first;
  }

  /// More would keep the blocks of this launch and of the one before it from
  /// sharing a multiprocessor.
  static constexpr int64_t mostBytes = int64_t(64) << 10;
  /// Of small loads, which every warp may repeat.
  static constexpr int64_t mostSmallBytes = 512;
  tile::KernelOp kernel;
  OpBuilder builder;
  IndexFacts facts;
  /// Whether rings have their first copies in front of the wait.
  bool hasFirstStages = false;
};

struct OverlapLaunches : tilegpu::impl::OverlapLaunchesBase<OverlapLaunches> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    auto plan = kernel->getAttrOfType<PlanAttr>(PlanAttr::attrName);
    if (!plan)
      return;
    llvm::Expected<const target::GpuTarget &> target =
        target::GpuTarget::find(plan.getTarget());
    if (!target) {
      kernel.emitOpError() << llvm::toString(target.takeError());
      return signalPassFailure();
    }
    if (!target->hasTma) {
      explainMissed(kernel, "overlap")
          << target->name << " has no programmatic dependent launch";
      return;
    }
    if (!plan.getOverlap()) {
      explainMissed(kernel, "overlap")
          << "an early launch would save less than a long loop loses to blocks "
             "that start at different times";
      return;
    }
    Overlap(kernel).run();
    explainPassed(kernel, "overlap")
        << "the launch may start before the preceding one has finished";
  }
};
} // namespace
