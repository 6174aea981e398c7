// Lowers roles to a branch on the warp group, and pipes to mbarriers.
#include "Thread/InlinePtx.h"
#include "Thread/PipeAddress.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
struct LowerRoles : OpConversionPattern<RolesOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(RolesOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    PlanAttr plan = PlanAttr::of(op);
    if (!plan || !plan.getProducer() ||
        plan.getComputeThreads() % PlanAttr::producerThreads)
      return op.emitOpError("expected a plan with a producer and whole warp "
                            "groups of 4 warps that compute");
    Value group = warpGroup(rewriter, loc);
    if (plan.getParts() > 1 || plan.getMulticast() > 1) {
      // What other blocks wait for is ordered by the fence after
      // initialization; a release would wait for all outstanding memory
      // operations.
      NVVM::ClusterArriveRelaxedOp::create(rewriter, loc, UnitAttr());
      NVVM::ClusterWaitOp::create(rewriter, loc, UnitAttr());
    } else {
      NVVM::Barrier0Op::create(rewriter, loc);
    }
    Value produces = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::eq, group,
        i32Constant(rewriter, loc,
                    plan.getConsumerThreads() / PlanAttr::producerThreads));
    auto roles = scf::IfOp::create(rewriter, loc, produces,
                                   /*withElseRegion=*/true);
    std::optional<ArrayRef<int64_t>> registers = op.getRegisters();

    rewriter.setInsertionPointToStart(roles.thenBlock());
    if (registers)
      NVVM::SetMaxRegisterOp::create(rewriter, loc, uint32_t((*registers)[0]),
                                     NVVM::SetMaxRegisterAction::decrease);
    auto leader = scf::IfOp::create(
        rewriter, loc,
        hasProducerWarp(op)
            ? isWarpOf(rewriter, loc, plan.getConsumerThreads())
            : isThread(rewriter, loc, plan.getConsumerThreads()));
    rewriter.inlineBlockBefore(&op.getProducer().front(),
                               leader.thenBlock()->getTerminator());

    rewriter.setInsertionPointToStart(roles.elseBlock());
    if (registers)
      NVVM::SetMaxRegisterOp::create(rewriter, loc, uint32_t((*registers)[1]),
                                     NVVM::SetMaxRegisterAction::increase);
    rewriter.inlineBlockBefore(&op.getConsumer().front(),
                               roles.elseBlock()->getTerminator());
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerPipe : OpConversionPattern<PipeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PipeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t stages = op.getResult().getType().getStages();
    Value pipe = adaptor.getBarriers();
    auto leader = scf::IfOp::create(rewriter, loc, isThread(rewriter, loc, 0));
    rewriter.setInsertionPointToStart(leader.thenBlock());
    Value producers = i32Constant(rewriter, loc, 1),
          readers = i32Constant(rewriter, loc,
                                op.getReaders() *
                                    op.getResult().getType().getBlocks());
    for (int64_t number = 0; number < 2 * stages; ++number)
      NVVM::MBarrierInitOp::create(
          rewriter, loc,
          bytesBehind(rewriter, loc, pipe, number * barrierBytes),
          number < stages ? producers : readers, Value());
    // Must be visible to TMA too.
    NVVM::FenceMbarrierInitOp::create(rewriter, loc);
    rewriter.replaceOp(op, pipe);
    return success();
  }
};

struct LowerCursor : OpConversionPattern<CursorOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CursorOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value zero = i32Constant(rewriter, loc, 0);
    SmallVector<Value> place = {zero, zero};
    if (Value position = adaptor.getPosition()) {
      Value stages =
          i32Constant(rewriter, loc, op.getResult().getType().getStages());
      position = arith::IndexCastUIOp::create(rewriter, loc,
                                              rewriter.getI32Type(), position);
      Value round = arith::DivUIOp::create(rewriter, loc, position, stages);
      place = {arith::RemUIOp::create(rewriter, loc, position, stages),
               arith::AndIOp::create(rewriter, loc, round,
                                     i32Constant(rewriter, loc, 1))};
    }
    rewriter.replaceOpWithMultiple(op, {place});
    return success();
  }
};

struct LowerAdvance : OpConversionPattern<AdvanceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AdvanceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value stage = adaptor.getCursor()[0], phase = adaptor.getCursor()[1];
    Value one = i32Constant(rewriter, loc, 1);
    Value next = arith::AddIOp::create(rewriter, loc, stage, one);
    Value wraps = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::eq, next,
        i32Constant(rewriter, loc, op.getResult().getType().getStages()));
    Value other = arith::XOrIOp::create(rewriter, loc, phase, one);
    SmallVector<Value> place = {
        arith::SelectOp::create(rewriter, loc, wraps,
                                i32Constant(rewriter, loc, 0), next),
        arith::SelectOp::create(rewriter, loc, wraps, other, phase)};
    rewriter.replaceOpWithMultiple(op, {place});
    return success();
  }
};

struct LowerSlot : OpConversionPattern<SlotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SlotOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value ring = adaptor.getRing().front();
    SharedType type = op.getRing().getType();
    int64_t stages = type.getShape().front(), bytes = type.getNumBytes();
    if (bytes % stages ||
        bytes / stages != op.getResult().getType().getNumBytes())
      return op.emitOpError("expected stages that follow each other without "
                            "gaps, found ")
             << type;
    Value offset =
        arith::MulIOp::create(rewriter, loc, adaptor.getCursor()[0],
                              i32Constant(rewriter, loc, bytes / stages));
    rewriter.replaceOpWithNewOp<LLVM::GEPOp>(op, ring.getType(),
                                             rewriter.getI8Type(), ring,
                                             ArrayRef<LLVM::GEPArg>(offset));
    return success();
  }
};

struct LowerAcquire : OpConversionPattern<AcquireOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AcquireOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value pipe = adaptor.getPipe().front(), stage = adaptor.getCursor()[0];
    waitForRoom(rewriter, loc, pipe, stage, adaptor.getCursor()[1],
                op.getPipe().getType().getStages());
    ProducerLeader leader(rewriter, op);
    NVVM::MBarrierArriveExpectTxOp::create(
        rewriter, loc, /*res=*/Type(), fullBarrier(rewriter, loc, pipe, stage),
        i32Constant(rewriter, loc, op.getBytes()), NVVM::MemScopeKind::CTA,
        /*relaxed=*/false, /*predicate=*/Value());
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerAwait : OpConversionPattern<AwaitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AwaitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    waitFor(rewriter, loc,
            fullBarrier(rewriter, loc, adaptor.getPipe().front(),
                        adaptor.getCursor()[0]),
            adaptor.getCursor()[1]);
    rewriter.eraseOp(op);
    return success();
  }
};

/// The latest copy to a stage before the cursor belongs to its round, others to
/// the round before.
struct LowerFinishCopies : OpConversionPattern<FinishCopiesOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(FinishCopiesOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value place = adaptor.getCursor()[0], phase = adaptor.getCursor()[1];
    for (int64_t number = 0; number < op.getPipe().getType().getStages();
         ++number) {
      Value stage = i32Constant(rewriter, loc, number);
      Value isBefore = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::uge, stage, place);
      Value earlier = arith::ExtUIOp::create(rewriter, loc,
                                             rewriter.getI32Type(), isBefore);
      waitFor(rewriter, loc,
              fullBarrier(rewriter, loc, adaptor.getPipe().front(), stage),
              arith::XOrIOp::create(rewriter, loc, phase, earlier));
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerProbe : OpConversionPattern<ProbeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ProbeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value barrier = fullBarrier(rewriter, loc, adaptor.getPipe().front(),
                                adaptor.getCursor()[0]);
    Value complete =
        inlinePtx(rewriter, loc, rewriter.getI32Type(),
                  {barrier, adaptor.getCursor()[1]},
                  "{\n.reg .pred complete;\n"
                  "mbarrier.test_wait.parity.shared.b64 complete, [$1], $2;\n"
                  "selp.b32 $0, 1, 0, complete;\n}",
                  "=r,r,r")
            .getResult(0);
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(
        op, arith::CmpIPredicate::ne, complete, i32Constant(rewriter, loc, 0));
    return success();
  }
};

/// One arrival of this warp at the mbarrier of every block of a cluster: lane n
/// arrives in block n.
void arriveInBlocks(OpBuilder &builder, Location loc, Value barrier,
                    int64_t blocks) {
  constexpr int64_t lastLane = 31;
  Arithmetic math(builder, loc);
  Value lane = math.bitAnd(blockThread(builder, loc), lastLane);
  auto arrives = scf::IfOp::create(
      builder, loc,
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, lane,
                            i32Constant(builder, loc, blocks)));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(arrives.thenBlock());
  auto cluster =
      LLVM::LLVMPointerType::get(builder.getContext(), clusterSharedSpace);
  Value there = NVVM::MapaOp::create(builder, loc, cluster, barrier, lane);
  // Reads have completed. Release semantics at cluster scope would wait for all
  // outstanding memory operations in every iteration.
  NVVM::MBarrierArriveOp::create(builder, loc, /*res=*/Type(), there,
                                 /*count=*/Value());
}

struct LowerRelease : OpConversionPattern<ReleaseOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReleaseOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value barrier = emptyBarrier(rewriter, loc, adaptor.getPipe().front(),
                                 adaptor.getCursor()[0],
                                 op.getPipe().getType().getStages());
    if (int64_t blocks = op.getPipe().getType().getBlocks(); blocks > 1) {
      arriveInBlocks(rewriter, loc, barrier, blocks);
    } else if (op->hasAttr(oneOfSeveralName)) {
      arriveOfWarp(rewriter, loc, barrier);
    } else {
      // LLVM does not unroll a loop of dots that contains inline assembly.
      constexpr int64_t lastLane = 31;
      Arithmetic math(rewriter, loc);
      Value lane = math.bitAnd(blockThread(rewriter, loc), lastLane);
      auto leader = scf::IfOp::create(rewriter, loc, math.isEqual(lane, 0));
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(leader.thenBlock());
      NVVM::MBarrierArriveOp::create(rewriter, loc, rewriter.getI64Type(),
                                     barrier, /*count=*/Value());
    }
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

namespace {
struct LowerTeam : OpConversionPattern<TeamOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TeamOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(
        op, rewriter.getIndexType(),
        teamNumber(rewriter, op.getLoc(), PlanAttr::of(op)));
    return success();
  }
};

struct LowerInitTurns : OpConversionPattern<InitTurnsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(InitTurnsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto leader = scf::IfOp::create(rewriter, loc, isThread(rewriter, loc, 0));
    rewriter.setInsertionPointToStart(leader.thenBlock());
    for (int64_t team = 0; team < 2; ++team)
      NVVM::MBarrierInitOp::create(
          rewriter, loc,
          bytesBehind(rewriter, loc, adaptor.getTurns(), team * barrierBytes),
          i32Constant(rewriter, loc, 1), Value());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Team w waits for consecutive phases of its barrier, one per tile; team 0
/// gets its first turn without waiting, so its phases lag by one.
struct LowerTakeTurn : OpConversionPattern<TakeTurnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TakeTurnOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Arithmetic math(rewriter, loc);
    Value number = arith::IndexCastUIOp::create(
        rewriter, loc, rewriter.getI32Type(), adaptor.getNumber());
    Value team = teamNumber(rewriter, loc, PlanAttr::of(op));
    Value parity =
        math.bitAnd(math.add(math.add(math.shiftRight(number, 1), team), 1), 1);
    waitFor(rewriter, loc, fullBarrier(rewriter, loc, adaptor.getTurns(), team),
            parity);
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerPassTurn : OpConversionPattern<PassTurnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PassTurnOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    PlanAttr plan = PlanAttr::of(op);
    Arithmetic math(rewriter, loc);
    Value other = math.bitXor(teamNumber(rewriter, loc, plan), 1);
    Value thread =
        math.rem(blockThread(rewriter, loc), plan.getComputeThreads());
    Value barrier = fullBarrier(rewriter, loc, adaptor.getTurns(), other);
    auto leader = scf::IfOp::create(rewriter, loc, math.isEqual(thread, 0));
    rewriter.setInsertionPointToStart(leader.thenBlock());
    NVVM::MBarrierArriveOp::create(rewriter, loc, rewriter.getI64Type(),
                                   barrier, /*count=*/Value());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void populatePipePatterns(const ThreadTypeConverter &converter,
                          RewritePatternSet &patterns) {
  patterns.add<LowerRoles, LowerPipe, LowerCursor, LowerAdvance, LowerSlot,
               LowerAcquire, LowerAwait, LowerFinishCopies, LowerProbe,
               LowerRelease, LowerTeam, LowerInitTurns, LowerTakeTurn,
               LowerPassTurn>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
