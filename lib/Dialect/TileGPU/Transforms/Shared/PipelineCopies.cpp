// Pipelines the copies of dot operands in loops: cp.async copies tiles from
// global to shared memory several iterations before their use.
#include "OffsetCopies.h"
#include "Shared/CopyPipeline.h"
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
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_PIPELINECOPIES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {

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
      keepBehindStart(loop);
      // Facts hold for the kernel as it is now.
      IndexFacts facts;
      SmallVector<CopyStream> streams;
      for (auto write : loop.getOps<WriteOp>()) {
        std::string reason;
        if (std::optional<CopyStream> stream =
                match(loop, write, facts, reason))
          streams.push_back(*stream);
        else if (!holdsRows(write))
          explainMissed(isLoad(write.getValue().getDefiningOp())
                            ? write.getValue().getDefiningOp()
                            : write,
                        "copy")
              << "an operand is loaded through registers: " << reason;
      }
      for (auto load : loop.getOps<tile::LoadOp>())
        if (std::optional<CopyStream> stream = match(loop, load, facts))
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
      pipelineCopies(loop, streams, stages);
      ++numLoops;
    }
  }

private:
  static bool isLoad(Operation *op) {
    return isa_and_nonnull<tile::LoadOp, tile::GatherOp, tile::LoadAtOp>(op);
  }

  /// Copies only check the end of an axis: makes tiles of operands that may
  /// begin before it, where elements are zero, begin behind the end instead.
  static void keepBehindStart(scf::ForOp loop) {
    for (auto write : loop.getOps<WriteOp>()) {
      auto load = write.getValue().getDefiningOp<tile::LoadOp>();
      if (!load || load->getBlock() != loop.getBody() ||
          load.getPad() != tile::PadKind::Zero || load.getOrder())
        continue;
      IndexFacts facts;
      AccessFacts access = analyzeAccess(load, facts);
      OpBuilder builder(load);
      for (auto [axis, isBehind] : llvm::enumerate(access.isBehindStart)) {
        if (isBehind)
          continue;
        Value end = tile::NumTilesOp::create(
            builder, load.getLoc(), load.getView(), axis,
            builder.getI64ArrayAttr(load.getType().getDimSize(axis)));
        load.getIndicesMutable()[axis].assign(arith::MinUIOp::create(
            builder, load.getLoc(), load.getIndices()[axis], end));
      }
    }
  }

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

  /// The stream that ends in a write, if it can be copied asynchronously;
  /// otherwise sets `reason`.
  static std::optional<CopyStream> match(scf::ForOp loop, WriteOp write,
                                         IndexFacts &facts,
                                         std::string &reason) {
    auto buffer = write.getBuffer().getDefiningOp<AllocOp>();
    constexpr StringLiteral storesThere =
        "the kernel may store to the tensor that it is loaded from";
    auto refuse = [&](StringRef why) {
      reason = why;
      return std::nullopt;
    };
    if (isa<BlockArgument>(write.getValue()))
      return refuse("the iteration before loads or computes it");
    Operation *load = write.getValue().getDefiningOp();
    if (!isLoad(load) || !buffer || load->getBlock() != loop.getBody())
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
    if (auto byOffset = dyn_cast<tile::LoadAtOp>(load)) {
      CopyUnit unit = unitOfCopy(loop, byOffset, stage, facts);
      if (unit.bytes == 0)
        return refuse(
            "its offsets do not advance by one along the last axis in aligned "
            "and equally masked units of 4 bytes or more, or depend on what "
            "the loop computes or on tiles from memory");
      if (!readsWhatStays(load, facts))
        return refuse(storesThere);
      return CopyStream{load, write, buffer, stage, AllocOp(), unit, {}, {}};
    }
    auto gather = dyn_cast<tile::GatherOp>(load);
    if (gather && !loop.isDefinedOutsideOfLoop(numbersOf(gather)))
      return refuse("the loop changes the rows that are gathered");
    if (gather ? !hasPlaceAhead(loop, gather, facts)
               : !hasPlaceAhead(loop, cast<tile::LoadOp>(load), facts))
      return refuse("its address depends on what the loop computes");
    CopyUnit unit = gather ? unitOfCopy(gather, stage, facts)
                           : unitOfCopy(cast<tile::LoadOp>(load), stage, facts);
    AccessFacts access = analyzeAccess(load, facts);
    if (unit.bytes == 0 && !gather &&
        llvm::is_contained(access.isBehindStart, false))
      return refuse("its index may be negative; add tile.assume with a range");
    if (unit.bytes == 0)
      return refuse(
          "its rows are not known to start at multiples of 4 bytes; make the "
          "size of the last axis of the view static, and such a multiple, or "
          "state it of pointers and strides with tile.assume");
    if (!readsWhatStays(load, facts))
      return refuse(storesThere);
    return CopyStream{load,      write, buffer,          stage,
                      AllocOp(), unit,  access.isInside, AllocOp()};
  }

  /// The stream of a loaded tile that threads compute with.
  static std::optional<CopyStream> match(scf::ForOp loop, tile::LoadOp load,
                                         IndexFacts &facts) {
    if (llvm::any_of(load->getUsers(), llvm::IsaPred<WriteOp>) ||
        !hasPlaceAhead(loop, load, facts) || !isWorthCopying(load, facts) ||
        !readsWhatStays(load, facts))
      return std::nullopt;
    return CopyStream{load,
                      WriteOp(),
                      AllocOp(),
                      bufferOf(load),
                      AllocOp(),
                      CopyUnit{sharedUnitBytes},
                      analyzeAccess(load, facts).isInside,
                      AllocOp()};
  }

  /// The number of stages that fit beside everything else.
  static int64_t countStages(tile::KernelOp kernel, PlanAttr plan,
                             ArrayRef<CopyStream> streams) {
    const target::GpuTarget *target = target::lookUpTarget(plan.getTarget());
    if (!target)
      return 0;
    int64_t stageBytes = 0, otherBytes = 0, scratch = 0;
    for (const CopyStream &stream : streams) {
      stageBytes += stream.stage.getNumBytes();
      if (auto gather = dyn_cast<tile::GatherOp>(stream.load))
        otherBytes += bufferOfRows(numbersOf(gather).getType()).getNumBytes();
    }
    kernel.walk([&](Operation *op) {
      auto alloc = dyn_cast<AllocOp>(op);
      if (alloc && llvm::none_of(streams, [&](const CopyStream &stream) {
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
