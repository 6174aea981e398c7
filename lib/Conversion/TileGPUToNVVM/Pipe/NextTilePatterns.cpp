// Dynamic tile scheduling: a counter in global memory, and the ring buffer
// through which consumers receive tile indices.
#include "Thread/InlinePtx.h"
#include "Thread/PipeAddress.h"
#include "Thread/ThreadPatterns.h"
#include "Thread/WarpShuffle.h"
#include "TileGPT/Dialect/TileGPU/Analysis/GridWalk.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The counter of a kernel: 0 when its module is loaded and after each launch.
static Value counterOf(OpBuilder &builder, Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  auto module = op->getParentOfType<ModuleOp>();
  std::string name = (function.getSymName() + "_next_tile").str();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    LLVM::GlobalOp::create(builder, op->getLoc(), builder.getI32Type(),
                           /*isConstant=*/false, LLVM::Linkage::Internal, name,
                           builder.getI32IntegerAttr(0), /*alignment=*/4,
                           globalSpace);
  }
  return LLVM::AddressOfOp::create(
      builder, op->getLoc(),
      LLVM::LLVMPointerType::get(builder.getContext(), globalSpace), name);
}

/// The word of a stage.
static Value wordOf(OpBuilder &builder, Location loc, Value words,
                    Value stage) {
  return LLVM::GEPOp::create(builder, loc, words.getType(),
                             builder.getI32Type(), words,
                             ArrayRef<LLVM::GEPArg>(stage));
}

/// Draws on lane 0 of the producer's warp and broadcasts the result.
static Value drawByLeader(OpBuilder &builder, Operation *op,
                          function_ref<Value()> draw) {
  Location loc = op->getLoc();
  auto leader = scf::IfOp::create(
      builder, loc, builder.getI32Type(),
      isThread(builder, loc, PlanAttr::of(op).getConsumerThreads()),
      /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(leader.thenBlock());
  scf::YieldOp::create(builder, loc, draw());
  builder.setInsertionPointToStart(leader.elseBlock());
  scf::YieldOp::create(builder, loc, i32Constant(builder, loc, 0));
  builder.setInsertionPointAfter(leader);
  return shuffleFrom(builder, loc, leader.getResult(0),
                     indexConstant(builder, loc, 0));
}

namespace {
/// The counter wraps to 0 after as many fetches as there are tiles: each block
/// fetches once for each of its tiles.
struct LowerNextTile : OpConversionPattern<NextTileOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(NextTileOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    Value tiles =
        arith::IndexCastOp::create(rewriter, loc, i32, adaptor.getTiles());
    Value last = arith::SubIOp::create(rewriter, loc, tiles,
                                       i32Constant(rewriter, loc, 1));
    auto draw = [&]() -> Value {
      // LLVM would give the increment the order of all of memory.
      return inlinePtx(
                 rewriter, loc, i32, ValueRange{counterOf(rewriter, op), last},
                 "atom.relaxed.gpu.global.inc.u32 $0, [$1], $2;", "=r,l,r")
          .getResult(0);
    };
    Value drawn =
        hasProducerWarp(op) ? drawByLeader(rewriter, op, draw) : draw();
    Value tile = arith::AddIOp::create(
        rewriter, loc, drawn, NVVM::GridDimXOp::create(rewriter, loc, i32));
    Value isThere = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ult, tile, tiles);
    tile = arith::SelectOp::create(rewriter, loc, isThere, tile,
                                   i32Constant(rewriter, loc, noTile));
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, rewriter.getIndexType(),
                                                    tile);
    return success();
  }
};

struct LowerSend : OpConversionPattern<SendOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SendOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value pipe = adaptor.getPipe().front(), stage = adaptor.getCursor()[0];
    waitForRoom(rewriter, loc, pipe, stage, adaptor.getCursor()[1],
                op.getPipe().getType().getStages());
    Value number = arith::IndexCastOp::create(
        rewriter, loc, rewriter.getI32Type(), adaptor.getValue().front());
    ProducerLeader leader(rewriter, op);
    LLVM::StoreOp::create(
        rewriter, loc, number,
        wordOf(rewriter, loc, adaptor.getWords().front(), stage),
        /*alignment=*/4, /*isVolatile=*/true);
    NVVM::MBarrierArriveOp::create(rewriter, loc, rewriter.getI64Type(),
                                   fullBarrier(rewriter, loc, pipe, stage),
                                   /*count=*/Value());
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerReceive : OpConversionPattern<ReceiveOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReceiveOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value pipe = adaptor.getPipe().front(), stage = adaptor.getCursor()[0];
    waitFor(rewriter, loc, fullBarrier(rewriter, loc, pipe, stage),
            adaptor.getCursor()[1]);
    Value number = LLVM::LoadOp::create(
        rewriter, loc, rewriter.getI32Type(),
        wordOf(rewriter, loc, adaptor.getWords().front(), stage),
        /*alignment=*/4, /*isVolatile=*/true);
    // Every lane has read before the first one arrives; and ptxas knows that
    // the index is warp-uniform.
    constexpr int64_t allLanes = -1, lastLane = 31;
    Value same = NVVM::ShflOp::create(rewriter, loc, rewriter.getI32Type(),
                                      i32Constant(rewriter, loc, allLanes),
                                      number, i32Constant(rewriter, loc, 0),
                                      i32Constant(rewriter, loc, lastLane),
                                      NVVM::ShflKind::idx, UnitAttr());
    arriveOfWarp(rewriter, loc,
                 emptyBarrier(rewriter, loc, pipe, stage,
                              op.getPipe().getType().getStages()));
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, rewriter.getIndexType(),
                                                    same);
    return success();
  }
};
} // namespace

void populateNextTilePatterns(const ThreadTypeConverter &converter,
                              RewritePatternSet &patterns) {
  patterns.add<LowerNextTile, LowerSend, LowerReceive>(converter,
                                                       patterns.getContext());
}

} // namespace tilegpt::tilegpu
