// Per-kernel global memory, and the counters by which the last block to finish
// is found.
#include "Thread/InlinePtx.h"
#include "Thread/KernelMemory.h"
#include "Thread/PipeAddress.h"
#include "Thread/RegisterVector.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
struct LowerWorkspace : OpConversionPattern<WorkspaceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WorkspaceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    tile::ViewType view = op.getResult().getType();
    SmallVector<Value> parts = {kernelMemory(
        rewriter, op, llvm::formatv("_workspace_{0}", op.getNumber()),
        rewriter.getI8Type(),
        ShapedType::getNumElements(view.getShape()) *
            memoryBytes(view.getElementType()))};
    for (int64_t size : view.getShape())
      parts.push_back(indexConstant(rewriter, loc, size));
    for (int64_t stride : view.getKnownStrides())
      parts.push_back(indexConstant(rewriter, loc, stride));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

/// Whether an i32 is nonzero in any consumer thread, as an i32 in all of them.
/// Producers do not participate; NVVM has no reduction over a subset of the
/// threads.
static Value anyOfBlock(OpBuilder &builder, Operation *op, Value value) {
  Location loc = op->getLoc();
  PlanAttr plan = PlanAttr::of(op);
  if (!plan || !plan.getProducer())
    return NVVM::BarrierOp::create(
               builder, loc, value.getType(), /*barrierId=*/Value(),
               /*numberOfThreads=*/Value(),
               NVVM::BarrierReductionAttr::get(builder.getContext(),
                                               NVVM::BarrierReduction::OR),
               value)
        .getResult(0);
  return inlinePtx(
             builder, loc, value.getType(),
             {value, i32Constant(builder, loc, plan.getComputeThreads())},
             "{\n.reg .pred own, any;\nsetp.ne.u32 own, $1, 0;\n"
             "bar.red.or.pred any, 1, $2, own;\nselp.u32 $0, 1, 0, any;\n}",
             "=r,r,n")
      .getResult(0);
}

/// The counter of a group of blocks: a word of an array, one per group.
template <typename Op>
static Value groupCounter(ConversionPatternRewriter &rewriter, Op op,
                          StringRef name, Value group) {
  Location loc = op.getLoc();
  Type i32 = rewriter.getI32Type();
  Value counters = kernelMemory(rewriter, op, name, i32, op.getGroups());
  Value number = arith::IndexCastOp::create(rewriter, loc, i32, group);
  return LLVM::GEPOp::create(rewriter, loc, counters.getType(), i32, counters,
                             ArrayRef<LLVM::GEPArg>(number));
}

/// The last increment wraps a counter to 0.
struct LowerMeetBlocks : OpConversionPattern<MeetBlocksOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MeetBlocksOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (PlanAttr plan = PlanAttr::of(op); plan && plan.getTeams() > 1)
      return op.emitOpError("expected a plan with one team, found ")
             << plan.getTeams();
    Type i32 = rewriter.getI32Type();
    Value last = i32Constant(rewriter, loc, op.getParts() - 1);
    Value counter =
        groupCounter(rewriter, op, "_blocks_met", adaptor.getGroup().front());
    // All writes of the block must be visible before it increments the counter.
    emitBarrier(rewriter, loc);
    auto leader =
        scf::IfOp::create(rewriter, loc, i32, isThread(rewriter, loc, 0),
                          /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(leader.thenBlock());
      Value before = inlinePtx(rewriter, loc, i32, ValueRange{counter, last},
                               "fence.acq_rel.gpu;\n"
                               "atom.relaxed.gpu.global.inc.u32 $0, [$1], $2;\n"
                               "fence.acq_rel.gpu;",
                               "=r,l,r,~{memory}")
                         .getResult(0);
      Value isLast = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::eq, before, last);
      scf::YieldOp::create(
          rewriter, loc,
          arith::ExtUIOp::create(rewriter, loc, i32, isLast).getResult());
      rewriter.setInsertionPointToStart(leader.elseBlock());
      scf::YieldOp::create(rewriter, loc, i32Constant(rewriter, loc, 0));
    }
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(
        op, arith::CmpIPredicate::ne,
        anyOfBlock(rewriter, op, leader.getResult(0)),
        i32Constant(rewriter, loc, 0));
    return success();
  }
};

/// The address of a thread's registers in an entry of a workspace: four of them
/// adjacent, followed by those of the other threads.
class PartAddress {
public:
  static constexpr int64_t quadSize = 4, quadBytes = 16;

  PartAddress(OpBuilder &builder, Operation *op, Value pointer, Value place,
              int64_t registers)
      : builder(builder), loc(op->getLoc()),
        threads(PlanAttr::of(op).getComputeThreads()),
        quads(registers / quadSize) {
    Arithmetic math(builder, loc);
    Value bytes = math.mul(threadNumber(builder, loc), quadBytes);
    start = move(move(pointer, math.mul(place, quads * threads * quadBytes)),
                 bytes);
  }

  Value of(int64_t quad) const {
    return bytesBehind(builder, loc, start, quad * threads * quadBytes);
  }
  void skip(Value quads) {
    Arithmetic math(builder, loc);
    start = move(start, math.mul(quads, threads * quadBytes));
  }
  int64_t countQuads() const { return quads; }

private:
  Value move(Value pointer, Value bytes) const {
    Value distance =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), bytes);
    return bytesBehind(builder, loc, pointer, distance);
  }

  OpBuilder &builder;
  Location loc;
  int64_t threads, quads;
  Value start;
};

/// For a tile whose threads have as many registers as the workspace has room
/// for: without padding, in the layout of a wgmma.
static LogicalResult verifyRegisters(Operation *op, size_t registers,
                                     tile::ViewType workspace) {
  int64_t room = workspace.getShape()[1] / PlanAttr::of(op).getComputeThreads();
  if (int64_t(registers) == room && room % PartAddress::quadSize == 0)
    return success();
  return op->emitOpError("expected ")
         << room << " registers a thread, in fours, found " << registers;
}

struct LowerPutPart : OpConversionPattern<PutPartOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PutPartOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ValueRange registers = adaptor.getValue();
    if (failed(
            verifyRegisters(op, registers.size(), op.getWorkspace().getType())))
      return failure();
    PartAddress address(rewriter, op, adaptor.getWorkspace().front(),
                        adaptor.getPlace().front(), registers.size());
    for (int64_t quad = 0; quad < address.countQuads(); ++quad) {
      Value four = packVector(
          rewriter, loc,
          registers.slice(quad * PartAddress::quadSize, PartAddress::quadSize));
      LLVM::StoreOp::create(rewriter, loc, four, address.of(quad),
                            PartAddress::quadBytes);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// Reads from L2, where other blocks have written.
static SmallVector<Value> loadQuad(OpBuilder &builder, Location loc,
                                   Value from) {
  SmallVector<Type> types(PartAddress::quadSize, builder.getF32Type());
  Value four =
      inlinePtx(builder, loc,
                LLVM::LLVMStructType::getLiteral(builder.getContext(), types),
                from, "ld.relaxed.gpu.global.v4.f32 {$0, $1, $2, $3}, [$4];",
                "=f,=f,=f,=f,l,~{memory}")
          .getResult(0);
  SmallVector<Value> values;
  for (int64_t number = 0; number < PartAddress::quadSize; ++number)
    values.push_back(LLVM::ExtractValueOp::create(builder, loc, four, number));
  return values;
}

/// Counters increase by 2³¹ whenever all blocks of a group have arrived, so
/// that they need no reset: part 0 adds the difference to the others'
/// increments.
struct LowerAwaitBlocks : OpConversionPattern<AwaitBlocksOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AwaitBlocksOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (PlanAttr plan = PlanAttr::of(op); plan && plan.getTeams() > 1)
      return op.emitOpError("expected a plan with one team, found ")
             << plan.getTeams();
    Arithmetic math(rewriter, loc);
    Value counter =
        groupCounter(rewriter, op, "_blocks_come", adaptor.getGroup().front());
    constexpr int64_t half = int64_t(1) << 31;
    Value count = arith::SelectOp::create(
        rewriter, loc, math.isEqual(adaptor.getPart().front(), 0),
        i32Constant(rewriter, loc, int32_t(half - (op.getParts() - 1))),
        i32Constant(rewriter, loc, 1));
    // All writes of the block must be visible before it increments the counter,
    // and none of its threads reads others' data before all have arrived.
    emitBarrier(rewriter, loc);
    auto leader = scf::IfOp::create(rewriter, loc, isThread(rewriter, loc, 0));
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(leader.thenBlock());
      inlinePtx(rewriter, loc, TypeRange(), ValueRange{counter, count},
                "{\n.reg .b32 before, now;\n.reg .pred wait;\n"
                "fence.acq_rel.gpu;\n"
                "atom.relaxed.gpu.global.add.u32 before, [$0], $1;\n"
                "AWAIT_BLOCKS:\n"
                "ld.relaxed.gpu.global.u32 now, [$0];\n"
                "xor.b32 now, now, before;\nsetp.ge.s32 wait, now, 0;\n"
                "@wait bra AWAIT_BLOCKS;\nfence.acq_rel.gpu;\n}",
                "l,r,~{memory}");
    }
    emitBarrier(rewriter, loc);
    rewriter.eraseOp(op);
    return success();
  }
};

/// A share is a range of columns, and thus the same range of registers of every
/// 64 rows in every thread. Several of its loads are in flight at a time, of
/// several parts if these are small.
struct LowerSumShare : OpConversionPattern<SumShareOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SumShareOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    constexpr int64_t registersOfColumns = 2;
    constexpr size_t mostOnTheirWay = 16;
    Location loc = op.getLoc();
    PlanAttr plan = PlanAttr::of(op);
    auto share = cast<RankedTensorType>(op.getResult().getType());
    if (LayoutAttr::of(share) !=
        accumulatorLayout(DotKind::Wgmma, share, plan.getWarps()))
      return op.emitOpError("expected the layout of a wgmma accumulator on ")
             << plan.getWarps() << " warps, found " << share;
    int64_t entry = op.getWorkspace().getType().getShape()[1],
            rows = std::max(share.getDimSize(0), groupRows),
            wide = entry / rows / registersOfColumns / PartAddress::quadSize,
            own = share.getDimSize(1) / registersOfColumns /
                  PartAddress::quadSize,
            registers = entry / plan.getComputeThreads();
    PartAddress address(rewriter, op, adaptor.getWorkspace().front(),
                        adaptor.getFirst().front(), registers);
    address.skip(
        Arithmetic(rewriter, loc).mul(adaptor.getShare().front(), own));
    SmallVector<int64_t> quads;
    for (int64_t part = 0; part < int64_t(op.getParts()); ++part)
      for (int64_t quad = 0; quad < address.countQuads(); ++quad)
        if (quad % wide < own)
          quads.push_back(part * address.countQuads() + quad);
    size_t count = quads.size() / op.getParts() * PartAddress::quadSize;
    SmallVector<Value> sums;
    for (size_t first = 0; first < quads.size(); first += mostOnTheirWay) {
      SmallVector<Value> values;
      for (int64_t quad :
           ArrayRef(quads).drop_front(first).take_front(mostOnTheirWay))
        llvm::append_range(values, loadQuad(rewriter, loc, address.of(quad)));
      for (auto [number, value] : llvm::enumerate(values)) {
        size_t place = first * PartAddress::quadSize + number;
        if (place < count)
          sums.push_back(value);
        else
          sums[place % count] =
              arith::AddFOp::create(rewriter, loc, sums[place % count], value);
      }
    }
    rewriter.replaceOpWithMultiple(op, {sums});
    return success();
  }
};
} // namespace

void populateWorkspacePatterns(const ThreadTypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<LowerWorkspace, LowerMeetBlocks, LowerPutPart, LowerAwaitBlocks,
               LowerSumShare>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
