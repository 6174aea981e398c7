// Rewrites a loop so that it copies tiles several iterations ahead.
#include "Shared/CopyPipeline.h"
#include "EraseDead.h"
#include "MoveAhead.h"
#include "OffsetCopies.h"
#include "Shared/FirstCopies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include <map>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {

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

/// Rewrites one loop.
class Pipeline {
public:
  Pipeline(scf::ForOp loop, MutableArrayRef<CopyStream> streams, int64_t stages)
      : loop(loop), streams(streams), stages(stages), rewriter(loop) {}

  void build() {
    Location loc = loop.getLoc();
    for (CopyStream &stream : streams)
      makeRing(stream);
    rewriter.setInsertionPoint(loop);
    writeRows();
    // All reads of the rings' memory must be done.
    auto barrier = BarrierOp::create(rewriter, loc);
    for (CopyStream &stream : streams)
      if (auto load = dyn_cast<tile::LoadAtOp>(stream.load))
        unitOffsets.try_emplace(load, load, stream.unit.bytes, barrier);
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
    for (CopyStream &stream : streams) {
      Value slot = sliceOf(stream, read);
      if (stream.write)
        rewriter.replaceAllUsesWith(stream.buffer.getResult(), slot);
      else
        readInstead(stream, slot);
    }
    for (CopyStream &stream : streams)
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
    for (CopyStream &stream : streams) {
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

  void makeRing(CopyStream &stream) {
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

  Value sliceOf(CopyStream &stream, Value stage) {
    return SliceOp::create(rewriter, loop.getLoc(), stream.stage, stream.ring,
                           stage);
  }

  void readInstead(CopyStream &stream, Value slot) {
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
      for (CopyStream &stream : streams)
        copy(stream, stage, mapping);
    }
    CommitCopiesOp::create(rewriter, loc);
  }

  void copy(CopyStream &stream, Value stage, IRMapping &mapping) {
    if (auto offsets = unitOffsets.find(stream.load);
        offsets != unitOffsets.end())
      return offsets->second.copyTo(rewriter, loop, mapping,
                                    sliceOf(stream, stage));
    AccessOperands access(stream.load);
    Value view = formAhead(rewriter, loop, access.view, mapping);
    SmallVector<Value> indices;
    for (Value position : access.indices)
      if (position)
        indices.push_back(formAhead(rewriter, loop, position, mapping));
    auto made = CopyOp::create(rewriter, stream.load->getLoc(), view, indices,
                               stream.rows ? stream.rows.getResult() : Value(),
                               sliceOf(stream, stage), /*first=*/Value(),
                               stream.isInside, stream.unit.bytes,
                               stream.unit.isClipped);
    if (stream.rows && loop->isAncestor(made))
      made->setAttr(keptRowsName, rewriter.getUnitAttr());
  }

  /// Erases the load and the write, and the barriers around the write if it was
  /// the only one between them.
  void eraseWrite(CopyStream &stream) {
    Operation *before = barrierBefore(stream.write),
              *behind = barrierBehind(stream.write);
    rewriter.eraseOp(stream.write);
    SmallVector<Operation *> sources;
    if (auto gather = dyn_cast<tile::GatherOp>(stream.load))
      sources.push_back(gather.getIndex().getDefiningOp<ConvertLayoutOp>());
    else if (isa<tile::LoadAtOp>(stream.load))
      for (Value source : stream.load->getOperands())
        sources.push_back(source.getDefiningOp());
    rewriter.eraseOp(stream.load);
    eraseDead(sources);
    rewriter.eraseOp(stream.buffer);
    if (before && behind && before->getNextNode() == behind) {
      rewriter.eraseOp(before);
      rewriter.eraseOp(behind);
    }
  }

  scf::ForOp loop;
  MutableArrayRef<CopyStream> streams;
  int64_t stages;
  IRRewriter rewriter;
  std::map<Operation *, UnitOffsets> unitOffsets; ///< of loads by offset
};

} // namespace

SharedType tilegpu::bufferOfRows(RankedTensorType numbers) {
  return SharedType::get(numbers.getContext(), numbers.getShape(),
                         numbers.getElementType(), /*swizzle=*/0,
                         /*padding=*/0);
}

void tilegpu::pipelineCopies(scf::ForOp loop,
                             MutableArrayRef<CopyStream> streams,
                             int64_t stages) {
  Pipeline(loop, streams, stages).build();
}
