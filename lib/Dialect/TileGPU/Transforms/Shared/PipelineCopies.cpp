// Pipelines the copies of dot operands in loops: cp.async copies tiles from
// global to shared memory several iterations before their use.
#include "Shared/FirstCopies.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Layouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Scratch.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_PIPELINECOPIES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {

/// A tile that every iteration of a loop loads, either for a dot, through a
/// buffer, or to compute with it.
struct Stream {
  Operation *load;  ///< or a gather of rows
  WriteOp write;    ///< null if the tile itself is used
  AllocOp buffer;   ///< the destination of `write`; null without
  SharedType stage; ///< the buffer of one iteration
  AllocOp ring;     ///< the buffers of all stages
  int64_t unit;     ///< bytes per copy
  /// By axis: whether the tile is in bounds of the view in every iteration.
  SmallVector<bool> isInside;
  AllocOp rows; ///< the indices of gathered rows
};

/// Clones `value` for the iteration whose induction variable `mapping`
/// contains.
Value formAhead(OpBuilder &builder, scf::ForOp loop, Value value,
                IRMapping &mapping) {
  if (Value formed = mapping.lookupOrNull(value))
    return formed;
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    mapping.map(operand, formAhead(builder, loop, operand, mapping));
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

/// The barrier before a group of adjacent writes (or after it), which orders
/// these writes and the reads of their buffers. Null if there is none.
BarrierOp barrierBefore(Operation *write) {
  do
    write = write->getPrevNode();
  while (isa_and_nonnull<WriteOp>(write));
  return dyn_cast_or_null<BarrierOp>(write);
}
Operation *barrierBehind(Operation *write) {
  do
    write = write->getNextNode();
  while (isa_and_nonnull<WriteOp>(write));
  return isa_and_nonnull<BarrierOp, PublishOp>(write) ? write : nullptr;
}

SharedType bufferOfRows(RankedTensorType numbers) {
  return SharedType::get(numbers.getContext(), numbers.getShape(),
                         numbers.getElementType(), /*swizzle=*/0,
                         /*padding=*/0);
}

/// Rewrites one loop.
class Pipeline {
public:
  Pipeline(scf::ForOp loop, MutableArrayRef<Stream> streams, int64_t stages)
      : loop(loop), streams(streams), stages(stages), rewriter(loop) {}

  void build() {
    Location loc = loop.getLoc();
    for (Stream &stream : streams)
      makeRing(stream);
    rewriter.setInsertionPoint(loop);
    writeRows();
    // All reads of the rings' memory must be done.
    auto barrier = BarrierOp::create(rewriter, loc);
    for (int64_t stage = 0; stage + 1 < stages; ++stage)
      copyAhead(loop.getLowerBound(), stage, index(stage));

    // The loop carries the stage to read and the stage to fill.
    unsigned carried = loop.getNumRegionIterArgs();
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, {index(0), index(stages - 1)},
        /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &builder, Location loc, ArrayRef<BlockArgument> stage) {
          return SmallVector<Value>{following(builder, loc, stage[0]),
                                    following(builder, loc, stage[1])};
        }));
    Value read = loop.getRegionIterArg(carried),
          fill = loop.getRegionIterArg(carried + 1);

    rewriter.setInsertionPointToStart(loop.getBody());
    // There are stages - 1 groups before the loop and one per iteration; all
    // but the last stages - 2 have arrived, including this iteration's.
    WaitCopiesOp::create(rewriter, loc, stages - 2);
    // … for every thread; and all have read the stage that is filled next.
    FinishDotOp inFlight = findDotInFlight();
    if (inFlight)
      PublishOp::create(rewriter, loc, /*to_all=*/true);
    else
      BarrierOp::create(rewriter, loc);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      if (inFlight)
        rewriter.setInsertionPoint(inFlight);
      copyAhead(loop.getInductionVar(), stages - 1, fill);
    }
    for (Stream &stream : streams) {
      Value slot = sliceOf(stream, read);
      if (stream.write)
        rewriter.replaceAllUsesWith(stream.buffer.getResult(), slot);
      else
        readInstead(stream, slot);
    }
    for (Stream &stream : streams)
      if (stream.write)
        eraseWrite(stream);
      else
        rewriter.eraseOp(stream.load);
    issueFirstCopies(barrier, loop);
  }

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loop.getLoc(), value);
  }

  /// The end of the first dot of warp groups: copies are issued while it runs.
  FinishDotOp findDotInFlight() {
    auto dots = loop.getOps<FinishDotOp>();
    return dots.empty() ? FinishDotOp() : *dots.begin();
  }

  /// Writes the indices of gathered rows to shared memory, after the last reads
  /// of that memory.
  void writeRows() {
    bool isFirst = true;
    for (Stream &stream : streams) {
      auto gather = dyn_cast<tile::GatherOp>(stream.load);
      if (!gather)
        continue;
      Location loc = gather.getLoc();
      if (std::exchange(isFirst, false))
        BarrierOp::create(rewriter, loc);
      TypedValue<RankedTensorType> numbers = numbersOf(gather);
      {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(
            loop->getParentOfType<tile::KernelOp>().getEntryBlock());
        stream.rows =
            AllocOp::create(rewriter, loc, bufferOfRows(numbers.getType()),
                            /*offset=*/IntegerAttr());
      }
      WriteOp::create(rewriter, loc, numbers, stream.rows);
    }
  }

  Value following(OpBuilder &builder, Location loc, Value stage) {
    auto constant = [&](int64_t value) {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value next = arith::AddIOp::create(builder, loc, stage, constant(1));
    Value isEnd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        next, constant(stages));
    return arith::SelectOp::create(builder, loc, isEnd, constant(0), next);
  }

  void makeRing(Stream &stream) {
    SharedType type = stream.stage;
    SmallVector<int64_t> shape = {stages};
    llvm::append_range(shape, type.getShape());
    if (stream.buffer)
      rewriter.setInsertionPoint(stream.buffer);
    else
      rewriter.setInsertionPointToStart(
          loop->getParentOfType<tile::KernelOp>().getEntryBlock());
    stream.ring = AllocOp::create(
        rewriter, stream.load->getLoc(),
        SharedType::get(type.getContext(), shape, type.getElementType(),
                        type.getSwizzle(), type.getPadding()),
        /*offset=*/IntegerAttr());
  }

  Value sliceOf(Stream &stream, Value stage) {
    return SliceOp::create(rewriter, loop.getLoc(), stream.stage, stream.ring,
                           stage);
  }

  void readInstead(Stream &stream, Value slot) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(stream.load);
    Value tile = stream.load->getResult(0);
    rewriter.replaceAllUsesWith(
        tile, ReadOp::create(rewriter, tile.getLoc(), tile.getType(), slot)
                  .getResult());
  }

  /// Issues the copies for the iteration `iterations` after the one with
  /// induction variable `from`, if it exists, and commits the group in any
  /// case.
  void copyAhead(Value from, int64_t iterations, Value stage) {
    Location loc = loop.getLoc();
    Value distance = rewriter.createOrFold<arith::MulIOp>(loc, loop.getStep(),
                                                          index(iterations));
    Value ahead = rewriter.createOrFold<arith::AddIOp>(loc, from, distance);
    Value exists = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::slt, ahead, loop.getUpperBound());
    auto then = scf::IfOp::create(rewriter, loc, exists);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&then.getThenRegion().front());
      IRMapping mapping;
      mapping.map(loop.getInductionVar(), ahead);
      for (Stream &stream : streams)
        copy(stream, stage, mapping);
    }
    CommitCopiesOp::create(rewriter, loc);
  }

  void copy(Stream &stream, Value stage, IRMapping &mapping) {
    AccessOperands access(stream.load);
    Value view = formAhead(rewriter, loop, access.view, mapping);
    SmallVector<Value> indices;
    for (Value position : access.indices)
      if (position)
        indices.push_back(formAhead(rewriter, loop, position, mapping));
    auto made = CopyOp::create(rewriter, stream.load->getLoc(), view, indices,
                               stream.rows ? stream.rows.getResult() : Value(),
                               sliceOf(stream, stage), /*first=*/Value(),
                               stream.isInside, stream.unit);
    if (stream.rows && loop->isAncestor(made))
      made->setAttr(keptRowsName, rewriter.getUnitAttr());
  }

  /// Erases the load and the write, and the barriers around the write if it was
  /// the only one between them.
  void eraseWrite(Stream &stream) {
    Operation *before = barrierBefore(stream.write),
              *behind = barrierBehind(stream.write);
    rewriter.eraseOp(stream.write);
    auto gather = dyn_cast<tile::GatherOp>(stream.load);
    Operation *convert =
        gather ? gather.getIndex().getDefiningOp<ConvertLayoutOp>() : nullptr;
    rewriter.eraseOp(stream.load);
    if (convert && convert->use_empty())
      rewriter.eraseOp(convert);
    rewriter.eraseOp(stream.buffer);
    if (before && behind && before->getNextNode() == behind) {
      rewriter.eraseOp(before);
      rewriter.eraseOp(behind);
    }
  }

  scf::ForOp loop;
  MutableArrayRef<Stream> streams;
  int64_t stages;
  IRRewriter rewriter;
};

struct PipelineCopies : tilegpu::impl::PipelineCopiesBase<PipelineCopies> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())) ||
        failed(verifyLayouts(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    PlanAttr plan = PlanAttr::of(kernel);
    if (!plan) {
      kernel.emitOpError("has no plan; run --tile-gpu-make-plan first");
      return signalPassFailure();
    }
    constexpr int64_t fewestStages = 2;
    if (plan.getStages() < fewestStages || plan.getProducer())
      return;
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      for (auto gather : loop.getOps<tile::GatherOp>())
        if (isInvariant(loop, numbersOf(gather)))
          hoist(loop, numbersOf(gather));
      // Facts hold for the kernel as it is now.
      IndexFacts facts;
      SmallVector<Stream> streams;
      for (auto write : loop.getOps<WriteOp>()) {
        std::string reason;
        if (std::optional<Stream> stream = match(loop, write, facts, reason))
          streams.push_back(*stream);
        else if (!holdsRows(write))
          explainMissed(isa_and_nonnull<tile::LoadOp, tile::GatherOp>(
                            write.getValue().getDefiningOp())
                            ? write.getValue().getDefiningOp()
                            : write,
                        "copy")
              << "an operand is loaded through registers: " << reason;
      }
      for (auto load : loop.getOps<tile::LoadOp>())
        if (std::optional<Stream> stream = match(loop, load, facts))
          streams.push_back(*stream);
      if (streams.empty())
        continue;
      int64_t stages =
          std::min(plan.getStages(), countStages(kernel, plan, streams));
      if (stages < fewestStages) {
        explainMissed(loop, "copy")
            << "two stages of the tiles that the loop loads do not fit shared "
               "memory; choose smaller tiles";
        continue;
      }
      explainPassed(loop, "copy")
          << remark::add("{0} load{1} ahead of {2}, {3} stages", streams.size(),
                         streams.size() == 1 ? "" : "s",
                         streams.size() == 1 ? "its use" : "their use", stages);
      Pipeline(loop, streams, stages).build();
      ++numLoops;
    }
  }

private:
  /// Whether a write provides the row indices for the copies of an inner loop.
  static bool holdsRows(WriteOp write) {
    return llvm::any_of(write.getBuffer().getUsers(),
                        [](Operation *user) { return isa<CopyOp>(user); });
  }

  /// Whether a loop recomputes a loop-invariant value in each iteration.
  static bool isInvariant(scf::ForOp loop, Value value) {
    if (loop.isDefinedOutsideOfLoop(value))
      return true;
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == loop.getBody() && op->getNumRegions() == 0 &&
           isMemoryEffectFree(op) &&
           llvm::all_of(op->getOperands(), [&](Value operand) {
             return isInvariant(loop, operand);
           });
  }

  /// Hoists the computation of an invariant value out of its loop.
  static void hoist(scf::ForOp loop, Value value) {
    if (loop.isDefinedOutsideOfLoop(value))
      return;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      hoist(loop, operand);
    op->moveBefore(loop);
  }

  /// The stream that ends in a write, if it can be copied asynchronously in
  /// 16-byte units; otherwise sets `reason`.
  static std::optional<Stream> match(scf::ForOp loop, WriteOp write,
                                     IndexFacts &facts, std::string &reason) {
    auto buffer = write.getBuffer().getDefiningOp<AllocOp>();
    auto refuse = [&](StringRef why) {
      reason = why;
      return std::nullopt;
    };
    Operation *load = write.getValue().getDefiningOp();
    if (!isa_and_nonnull<tile::LoadOp, tile::GatherOp>(load) || !buffer ||
        load->getBlock() != loop.getBody())
      return refuse("it is computed in the loop, not loaded there");
    if (!load->hasOneUse())
      return refuse("its load has other uses; load the tile again for them");
    // The buffer must have no other writes, and no readers elsewhere.
    for (Operation *user : buffer.getResult().getUsers())
      if (user != write &&
          (!isa<tilegpu::DotOp, AsyncDotOp>(user) ||
           user->getBlock() != loop.getBody() || user->isBeforeInBlock(write)))
        return refuse("its buffer has other uses");
    SharedType stage = buffer.getResult().getType();
    auto gather = dyn_cast<tile::GatherOp>(load);
    if (gather && !loop.isDefinedOutsideOfLoop(numbersOf(gather)))
      return refuse("the loop changes the rows that are gathered");
    if (gather ? !hasPlaceAhead(loop, gather, facts)
               : !hasPlaceAhead(loop, cast<tile::LoadOp>(load), facts))
      return refuse("its address depends on what the loop computes");
    int64_t unit = gather ? unitOfCopy(gather, stage, facts)
                          : unitOfCopy(cast<tile::LoadOp>(load), stage, facts);
    AccessFacts access = analyzeAccess(load, facts);
    if (unit == 0 && !gather && llvm::is_contained(access.isBehindStart, false))
      return refuse("its index may be negative; add tile.assume with a range");
    if (unit == 0)
      return refuse(
          "its rows are not known to be multiples of 4 bytes; make the size of "
          "the last axis of the view static, and such a multiple");
    if (!readsWhatStays(load, facts))
      return refuse(
          "the kernel may store to the tensor that it is loaded from");
    return Stream{load,      write, buffer,          stage,
                  AllocOp(), unit,  access.isInside, AllocOp()};
  }

  /// The stream of a loaded tile that threads compute with.
  static std::optional<Stream> match(scf::ForOp loop, tile::LoadOp load,
                                     IndexFacts &facts) {
    if (llvm::any_of(load->getUsers(), llvm::IsaPred<WriteOp>) ||
        !hasPlaceAhead(loop, load, facts) || !isWorthCopying(load, facts) ||
        !readsWhatStays(load, facts))
      return std::nullopt;
    return Stream{load,
                  WriteOp(),
                  AllocOp(),
                  bufferOf(load),
                  AllocOp(),
                  sharedUnitBytes,
                  analyzeAccess(load, facts).isInside,
                  AllocOp()};
  }

  /// The number of stages that fit beside everything else.
  static int64_t countStages(tile::KernelOp kernel, PlanAttr plan,
                             ArrayRef<Stream> streams) {
    const target::GpuTarget *target = target::lookUpTarget(plan.getTarget());
    if (!target)
      return 0;
    int64_t stageBytes = 0, otherBytes = 0, scratch = 0;
    for (const Stream &stream : streams) {
      stageBytes += stream.stage.getNumBytes();
      if (auto gather = dyn_cast<tile::GatherOp>(stream.load))
        otherBytes += bufferOfRows(numbersOf(gather).getType()).getNumBytes();
    }
    kernel.walk([&](Operation *op) {
      auto alloc = dyn_cast<AllocOp>(op);
      if (alloc && llvm::none_of(streams, [&](const Stream &stream) {
            return stream.buffer == alloc;
          }))
        otherBytes += alloc.getResult().getType().getNumBytes();
      scratch = std::max(scratch, scratchBytes(op));
    });
    int64_t room = int64_t(target->sharedBytesPerBlock) - otherBytes - scratch;
    return room / stageBytes;
  }
};
} // namespace
