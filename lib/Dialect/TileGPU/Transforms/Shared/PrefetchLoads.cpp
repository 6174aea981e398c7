// Issues loads some iterations before their use, so that they are in flight
// while earlier iterations compute, or the loads of several iterations at once.
#include "OffsetCopies.h"
#include "Shared/BatchIterations.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/Analysis/OffsetFacts.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/Matchers.h"
#include <limits>

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_PREFETCHLOADS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Whether an access by offset may be ordered with others: anything but a weak
/// load.
static bool isOrderedAccess(Operation *op) {
  auto load = dyn_cast<tile::LoadAtOp>(op);
  return isOffsetAccess(op) &&
         !(load && load.getOrder() == tile::MemoryOrder::Weak);
}

/// Whether an access by offset may order accesses of other threads: anything
/// but a weak load or store.
static bool isSynchronizingAccess(Operation *op) {
  auto store = dyn_cast<tile::StoreAtOp>(op);
  return isOrderedAccess(op) &&
         !(store && store.getOrder() == tile::MemoryOrder::Weak);
}

static bool hasWrites(scf::ForOp loop) {
  return loop
      ->walk([](Operation *op) {
        return isOffsetWrite(op) || (isAccess(op) && AccessOperands(op).isWrite)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether a load's address changes with every iteration of a loop, and depends
/// on nothing else in the loop.
static bool movesWith(scf::ForOp loop, Operation *load) {
  return llvm::is_contained(AccessOperands(load).indices,
                            loop.getInductionVar()) &&
         llvm::all_of(load->getOperands(), [&](Value operand) {
           return operand == loop.getInductionVar() ||
                  loop.isDefinedOutsideOfLoop(operand);
         });
}

/// Adds the ops of a loop that compute a value, in order. Returns false if a
/// later iteration's value cannot be computed ahead: from the induction
/// variable and loop-invariant values, by pure ops on tiles of at most
/// `mostElements` and loads of memory that stays. Loads past the end of the
/// loop are bounded by their view.
static bool addSourcesAhead(scf::ForOp loop, Value value, int64_t mostElements,
                            IndexFacts &facts,
                            llvm::SetVector<Operation *> &sources) {
  if (value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || op->getNumRegions() != 0 ||
      op->getNumResults() != 1)
    return false;
  if (sources.contains(op))
    return true;
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  if (tile && tile.getNumElements() > mostElements)
    return false;
  auto load = dyn_cast<tile::LoadOp>(op);
  // Views and assumptions hold for the indices of the loop only.
  if (load ? !loop.isDefinedOutsideOfLoop(load.getView()) ||
                 !readsWhatStays(load, facts)
           : !isPure(op) || isa<tile::AssumeOp>(op) ||
                 isa<tile::ViewType>(value.getType()))
    return false;
  if (!llvm::all_of(op->getOperands(), [&](Value operand) {
        return addSourcesAhead(loop, operand, mostElements, facts, sources);
      }))
    return false;
  sources.insert(op);
  return true;
}

/// The ops of a loop that compute where a load reads, in order; nothing if that
/// is the same in all iterations or not known ahead. Offsets of single elements
/// have no other use, so they may be many: they are computed ahead instead.
static std::optional<llvm::SetVector<Operation *>>
sourcesAhead(scf::ForOp loop, Operation *load, PlanAttr plan) {
  IndexFacts facts;
  llvm::SetVector<Operation *> sources;
  const bool isByOffset = isOffsetAccess(load);
  const int64_t mostElements = isByOffset ? std::numeric_limits<int64_t>::max()
                               : plan     ? plan.getComputeThreads()
                                          : 1;
  Value memory = isByOffset ? pointerOf(load) : AccessOperands(load).view;
  if (!loop.isDefinedOutsideOfLoop(memory) ||
      !llvm::all_of(load->getOperands(), [&](Value operand) {
        return addSourcesAhead(loop, operand, mostElements, facts, sources);
      }))
    return std::nullopt;
  // The copies of a later pass hoist sources that no iteration changes.
  auto usesNumber = [&](Operation *op) {
    return llvm::is_contained(op->getOperands(), Value(loop.getInductionVar()));
  };
  const bool moves =
      sources.empty() ? usesNumber(load) : llvm::any_of(sources, usesNumber);
  return moves ? std::optional(std::move(sources)) : std::nullopt;
}

/// Hoists the views and pointers that a loop derives from loop-invariant views,
/// such as the window of a head: loads of their tiles move with the loop.
static void hoistViews(scf::ForOp loop) {
  for (Operation &op : llvm::make_early_inc_range(*loop.getBody()))
    if (isa<tile::SelectOp, tile::SubviewOp, tile::BaseOp>(op) &&
        llvm::all_of(op.getOperands(), [&](Value operand) {
          return loop.isDefinedOutsideOfLoop(operand);
        }))
      op.moveBefore(loop);
}

/// Whether other blocks of a multiprocessor have enough loads in flight while
/// one computes and stores. Then carrying tiles only takes registers (softmax
/// of f32 16384 x 1823 in 528 blocks of an H200: 73 us, and 99 with carried
/// rows). Holds for grids whose blocks all run together.
static bool areHiddenByOthers(scf::ForOp loop, ArrayRef<Operation *> loads,
                              PlanAttr plan, int64_t multiprocessors) {
  constexpr int64_t fewestBlocks = 4, bytesUnderWay = 24576, mostThreads = 2048;
  std::optional<int64_t> all =
      knownBlocks(loop->getParentOfType<tile::KernelOp>());
  if (!all || !plan)
    return false;
  const int64_t blocks = *all / multiprocessors;
  int64_t bytes = 0;
  for (Operation *load : loads)
    bytes += tileBytes(cast<RankedTensorType>(load->getResult(0).getType()));
  return blocks >= fewestBlocks && blocks * plan.getThreads() <= mostThreads &&
         blocks * bytes >= bytesUnderWay;
}

/// Whether memory says how often a loop runs, as for rows of a sparse matrix:
/// mostly too seldom for a load ahead to pay.
static bool hasLoadedBounds(scf::ForOp loop) {
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.inclusive = true;
  llvm::SetVector<Operation *> sources;
  for (Value bound : {loop.getLowerBound(), loop.getUpperBound()})
    (void)getBackwardSlice(bound, &sources, options);
  return llvm::any_of(
      sources, llvm::IsaPred<tile::LoadOp, tile::LoadAtOp, tile::GatherOp>);
}

/// The loads of a loop that move with it and whose memory the loop does not
/// write, except for those that `--tile-gpu-pipeline-copies` turns into copies.
static SmallVector<Operation *> loadsAhead(scf::ForOp loop, PlanAttr plan,
                                           int64_t multiprocessors) {
  bool writes = hasWrites(loop);
  SmallVector<Operation *> loads;
  IndexFacts facts;
  bool hasRings = plan && plan.getStages() > 1;
  for (tile::LoadOp load : loop.getBody()->getOps<tile::LoadOp>()) {
    bool isCopy =
        hasRings && isWorthCopying(load, facts) && readsWhatStays(load, facts);
    if (movesWith(loop, load) && !isCopy &&
        (!writes || readsWhatStays(load, facts)))
      loads.push_back(load);
  }
  if (!hasLoadedBounds(loop))
    for (tile::LoadAtOp load : loop.getBody()->getOps<tile::LoadAtOp>())
      if (sourcesAhead(loop, load, plan) && readsWhatStays(load, facts))
        loads.push_back(load);
  if (writes && areHiddenByOthers(loop, loads, plan, multiprocessors))
    loads.clear();
  return loads;
}

/// Whether `--tile-gpu-pipeline-copies` copies the rows of a gather.
static bool areRowsCopied(scf::ForOp loop, tile::GatherOp gather, PlanAttr plan,
                          IndexFacts &facts) {
  return plan && plan.getStages() > 1 && !plan.getProducer() &&
         gather->hasOneUse() && hasPlaceAhead(loop, gather, facts) &&
         unitOfCopy(gather, bufferOf(gather), facts).bytes != 0 &&
         readsWhatStays(gather, facts);
}

/// The same for a tile at some offsets.
static bool areUnitsCopied(scf::ForOp loop, tile::LoadAtOp load, PlanAttr plan,
                           IndexFacts &facts) {
  return plan && plan.getStages() > 1 && !plan.getProducer() &&
         load->hasOneUse() &&
         unitOfCopy(loop, load, bufferOf(load), facts).bytes != 0 &&
         readsWhatStays(load, facts);
}

/// Whether carrying a loaded tile takes few registers per thread. Excludes
/// single elements, as copies find their addresses by them (`hasPlaceAhead`).
static bool isSmallTile(tile::LoadOp load, PlanAttr plan) {
  constexpr int64_t bytesOfThread = 16;
  RankedTensorType type = load.getType();
  return type.getNumElements() > 1 &&
         tileBytes(type) <=
             bytesOfThread * (plan ? plan.getComputeThreads() : 1);
}

/// Whether carrying the elements at some offsets leaves registers for dots.
static bool isModerateTile(tile::LoadAtOp load, PlanAttr plan) {
  constexpr int64_t bytesOfThread = 64;
  return tileBytes(load.getType()) <=
         bytesOfThread * (plan ? plan.getComputeThreads() : 1);
}

/// Whether the dots of a loop are short: they do not hide the latency of a
/// load, and their accumulators leave registers for prefetched tiles.
static bool hasFewAccumulators(scf::ForOp loop, PlanAttr plan) {
  constexpr int64_t mostOfThread = 32;
  int64_t elements = 0;
  loop->walk(
      [&](tile::DotOp dot) { elements += dot.getType().getNumElements(); });
  return elements <= mostOfThread * (plan ? plan.getComputeThreads() : 1);
}

/// The value to carry for a load: the tile, or its reshape if that is its only
/// use, so that layouts can follow its use.
static Operation *carriedFor(Operation *load) {
  Value tile = load->getResult(0);
  if (tile.hasOneUse())
    if (auto reshape = dyn_cast<tile::ReshapeOp>(*tile.getUsers().begin()))
      return reshape;
  return load;
}

/// Whether all dots that use an operand wait for another dot of the loop, such
/// as the weights times the values in attention: the operand arrives meanwhile.
static bool arrivesDuringDot(Operation *operand) {
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == operand->getBlock();
  };
  return llvm::all_of(operand->getUsers(), [&](Operation *dot) {
    llvm::SetVector<Operation *> before;
    return succeeded(getBackwardSlice(dot, &before, options)) &&
           llvm::any_of(before, llvm::IsaPred<tile::DotOp>);
  });
}

/// The loads of a loop with dots that are not copied to shared memory: operands
/// that are gathered or at offsets, and small tiles that operands are computed
/// from, such as scales.
static SmallVector<Operation *> loadsBesideDots(scf::ForOp loop,
                                                PlanAttr plan) {
  SmallVector<Operation *> loads;
  // Consumers of a main loop issue their own loads.
  const bool mayPrefetch =
      !(plan && plan.getProducer()) && hasFewAccumulators(loop, plan);
  const bool hasRings = plan && plan.getStages() > 1;
  IndexFacts facts;
  if (hasWrites(loop))
    return loads;
  for (Operation &op : *loop.getBody()) {
    if (auto gather = dyn_cast<tile::GatherOp>(op)) {
      Operation *operand = carriedFor(gather);
      if (llvm::all_of(operand->getUsers(), llvm::IsaPred<tile::DotOp>) &&
          sourcesAhead(loop, gather, plan) &&
          (movesWith(loop, gather) || !arrivesDuringDot(operand)) &&
          !areRowsCopied(loop, gather, plan, facts))
        loads.push_back(gather);
    } else if (auto load = dyn_cast<tile::LoadAtOp>(op)) {
      if (!(plan && plan.getProducer()) && isModerateTile(load, plan) &&
          llvm::all_of(carriedFor(load)->getUsers(),
                       llvm::IsaPred<tile::DotOp>) &&
          sourcesAhead(loop, load, plan) &&
          !areUnitsCopied(loop, load, plan, facts))
        loads.push_back(load);
    } else if (auto load = dyn_cast<tile::LoadOp>(op)) {
      const bool isOperand =
          llvm::all_of(op.getUsers(), llvm::IsaPred<tile::DotOp>);
      if (!isOperand && mayPrefetch && movesWith(loop, load) &&
          isSmallTile(load, plan) && !(hasRings && isWorthCopying(load, facts)))
        loads.push_back(load);
    }
  }
  return loads;
}

/// Elements of all tiles that a thread computes in an iteration.
static int64_t countThreadElements(scf::ForOp loop, PlanAttr plan) {
  const int64_t threads = plan ? plan.getComputeThreads() : 1;
  int64_t elements = 0;
  loop->walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type))
        elements += llvm::divideCeil(tile.getNumElements(), threads);
  });
  return elements;
}

/// How many iterations ahead loads are issued. A load takes as long as hundreds
/// of instructions, so if an iteration reads little, several loads are in
/// flight, in a bounded number of registers. A loop without stores is unrolled
/// later, which clusters the loads of several iterations anyway.
static int64_t countAhead(scf::ForOp loop, ArrayRef<Operation *> loads,
                          PlanAttr plan) {
  if (!hasWrites(loop))
    return 1;
  constexpr int64_t bytesUnderWay = 4096, mostRegisters = 16, most = 8;
  int64_t bytes = 0, registers = 0;
  for (Operation *load : loads) {
    int64_t size =
        tileBytes(cast<RankedTensorType>(load->getResult(0).getType()));
    bytes += size;
    registers +=
        llvm::divideCeil(size, 4 * (plan ? plan.getComputeThreads() : 1));
  }
  int64_t ahead =
      std::min<int64_t>({int64_t(llvm::divideCeil(bytesUnderWay, bytes)),
                         mostRegisters / registers, most});
  if (std::optional<APInt> trips = loop.getStaticTripCount())
    ahead = std::min(ahead, trips->getSExtValue() / 2);
  // The loop is unrolled by as many iterations.
  constexpr int64_t mostUnrolled = 1024;
  ahead = std::min(ahead, mostUnrolled / countThreadElements(loop, plan));
  return std::max<int64_t>(ahead, 1);
}

/// Masks a load by offset of iteration `number` if the loop has no such
/// iteration: its offsets may then be outside of the memory.
static void maskPastEnd(OpBuilder &builder, tile::LoadAtOp load,
                        scf::ForOp loop, Value number) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(load);
  Location loc = load.getLoc();
  Value exists = builder.createOrFold<arith::CmpIOp>(
      loc,
      loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                            : arith::CmpIPredicate::slt,
      number, loop.getUpperBound());
  if (matchPattern(exists, m_One()))
    return;
  RankedTensorType type = load.getType().clone(builder.getI1Type());
  Value mask = tile::SplatOp::create(builder, loc, type, exists,
                                     builder.getI64ArrayAttr(type.getShape()));
  if (load.getMask())
    mask = arith::AndIOp::create(builder, loc, load.getMask(), mask);
  load.getMaskMutable().assign(mask);
}

/// Makes the loop carry loaded tiles to later iterations. The last iterations
/// prefetch past the end of the loop, which costs a read but is safe, as loads
/// are bounded by their view or masked. If tiles are carried over several
/// iterations, the loop is unrolled by as many: a tile that moves to another
/// register has to arrive first. Tiles from which a load's address is computed,
/// such as the numbers of gathered rows, arrive another iteration earlier.
static void rotate(scf::ForOp loop, SmallVector<Operation *> loads,
                   int64_t ahead, PlanAttr plan) {
  IRRewriter rewriter(loop);
  Location loc = loop.getLoc();
  llvm::SetVector<Operation *> sources;
  for (Operation *load : loads)
    if (auto known = sourcesAhead(loop, load, plan))
      sources.insert_range(*known);
  // Tiles that nothing else uses are carried below.
  const llvm::SetVector<Operation *> all(loads.begin(), loads.end());
  llvm::erase_if(loads, [&](Operation *load) {
    return sources.contains(load) &&
           llvm::all_of(load->getUsers(), [&](Operation *user) {
             return sources.contains(user) || all.contains(user);
           });
  });
  // Clones the loads with their sources for iteration `to`.
  SmallVector<Operation *> sourceLoads;
  auto clone = [&](OpBuilder &builder, Value to) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), to);
    sourceLoads.clear();
    for (Operation *source : sources)
      if (Operation *copy = builder.clone(*source, mapping);
          isa<tile::LoadOp>(copy))
        sourceLoads.push_back(copy);
    SmallVector<Value> tiles;
    for (Operation *load : loads) {
      Operation *copy = sources.contains(load)
                            ? mapping.lookup(load->getResult(0)).getDefiningOp()
                            : builder.clone(*load, mapping);
      if (auto byOffset = dyn_cast<tile::LoadAtOp>(copy))
        maskPastEnd(builder, byOffset, loop, to);
      if (Operation *used = carriedFor(load); used != load)
        copy = builder.clone(*used, mapping);
      tiles.push_back(copy->getResult(0));
    }
    return tiles;
  };
  SmallVector<Value> numbers{loop.getLowerBound()};
  while (int64_t(numbers.size()) < ahead)
    numbers.push_back(rewriter.createOrFold<arith::AddIOp>(loc, numbers.back(),
                                                           loop.getStep()));
  SmallVector<Value> first(loads.size() * ahead);
  for (auto [number, value] : llvm::enumerate(numbers))
    for (auto [load, tile] : llvm::enumerate(clone(rewriter, value)))
      first[load * ahead + number] = tile;
  Value distance = loop.getStep();
  if (ahead > 1)
    distance = rewriter.createOrFold<arith::MulIOp>(
        loc, distance, arith::ConstantIndexOp::create(rewriter, loc, ahead));
  Value next;
  auto makeNext = [&](OpBuilder &builder, Location,
                      ArrayRef<BlockArgument> carried) {
    next =
        arith::AddIOp::create(builder, loc, loop.getInductionVar(), distance);
    SmallVector<Value> tiles;
    for (auto [number, tile] : llvm::enumerate(clone(builder, next))) {
      llvm::append_range(tiles,
                         carried.slice(number * ahead, ahead).drop_front());
      tiles.push_back(tile);
    }
    return tiles;
  };
  FailureOr<LoopLikeOpInterface> rotated = loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false, makeNext);
  auto result = cast<scf::ForOp>(rotated->getOperation());
  auto carried = result.getRegionIterArgs().take_back(loads.size() * ahead);
  // The body moved into the new loop: its loads are the old ones.
  for (auto [number, load] : llvm::enumerate(loads)) {
    Operation *carriedOp = carriedFor(load);
    rewriter.replaceAllUsesWith(carriedOp->getResult(0),
                                carried[number * ahead]);
    rewriter.eraseOp(carriedOp);
    if (carriedOp != load)
      rewriter.eraseOp(load);
  }
  for (Operation *source : llvm::reverse(sources))
    if (source->use_empty())
      rewriter.eraseOp(source);
  // The next tiles are loaded where this iteration's are no longer needed, so
  // that they take the same registers.
  if (ahead > 1) {
    (void)loopUnrollByFactor(result, ahead);
    return;
  }
  // The next tiles are loaded before anything waits for this iteration's. The
  // ops that makeNext creates are the last of the body.
  Block *body = result.getBody();
  SmallVector<Operation *> early;
  for (Operation *op = next.getDefiningOp(); op != body->getTerminator();
       op = op->getNextNode())
    early.push_back(op);
  for (Operation *op : llvm::reverse(early))
    op->moveBefore(body, body->begin());
  if (!sourceLoads.empty())
    rotate(result, sourceLoads, 1, plan);
}

namespace {
struct PrefetchLoads : tilegpu::impl::PrefetchLoadsBase<PrefetchLoads> {
  using PrefetchLoadsBase::PrefetchLoadsBase;

  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    PlanAttr plan = PlanAttr::of(getOperation());
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (mayPrefetch(loop))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      hoistViews(loop);
      // Other operands of dots come through shared memory.
      SmallVector<Operation *> loads =
          holds(loop, llvm::IsaPred<tile::DotOp>)
              ? loadsBesideDots(loop, plan)
              : loadsAhead(loop, plan, multiprocessors);
      if (loads.empty())
        continue;
      // Batches would unroll copies, too.
      const bool hasCopies = llvm::any_of(
          loop.getBody()->getOps<tile::LoadOp>(), [&](tile::LoadOp load) {
            return !llvm::is_contained(loads, load.getOperation());
          });
      if (hasCopies || holds(loop, isOffsetAccess) ||
          !batchIterations(loop, loads, plan))
        rotate(loop, loads, countAhead(loop, loads, plan), plan);
    }
  }

private:
  /// Iterations of a loop of reductions are batched instead, which offsets past
  /// its end do not allow.
  static bool mayPrefetch(scf::ForOp loop) {
    if (holds(loop, llvm::IsaPred<tile::DotOp>))
      return !holds(loop, isOrderedAccess);
    return hasWrites(loop) ? !holds(loop, isSynchronizingAccess)
                           : !holds(loop, isOffsetAccess);
  }

  static bool holds(scf::ForOp loop, function_ref<bool(Operation *)> isSuch) {
    return loop
        ->walk([&](Operation *op) {
          return isSuch(op) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }
};
} // namespace
