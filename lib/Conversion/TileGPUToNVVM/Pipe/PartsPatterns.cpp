// Exchanges between the blocks of a cluster: partial sums, which each thread
// sends to its counterparts in the other blocks and receives from them, tiles
// and scalars.
#include "Access/TileTransfer.h"
#include "Thread/InlinePtx.h"
#include "Thread/PipeAddress.h"
#include "Thread/RegisterVector.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Values sent by one instruction, and their bytes.
static constexpr int64_t quadSize = 4, quadBytes = 16;
/// The mbarrier of a mailbox and a padding word.
static constexpr int64_t headBytes = 16;

namespace {
struct LowerClusterRank : OpConversionPattern<ClusterRankOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ClusterRankOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value rank = op.getAlong()
                     ? rankAlong(rewriter, op.getLoc(), PlanAttr::of(op),
                                 int64_t(*op.getAlong()))
                     : NVVM::ClusterId::create(rewriter, op.getLoc(),
                                               rewriter.getI32Type());
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(
        op, rewriter.getIndexType(), rank);
    return success();
  }
};

struct LowerInitMailbox : OpConversionPattern<InitMailboxOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(InitMailboxOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value barrier = adaptor.getMailbox();
    auto byLeader = [&](function_ref<void()> emit) {
      auto leader =
          scf::IfOp::create(rewriter, loc, isThread(rewriter, loc, 0));
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(leader.thenBlock());
      emit();
    };
    byLeader([&] {
      NVVM::MBarrierInitOp::create(rewriter, loc, barrier,
                                   i32Constant(rewriter, loc, 1), Value());
      // Must be visible to other blocks too.
      NVVM::FenceMbarrierInitOp::create(rewriter, loc);
    });
    // One thread does both, so no wait is needed. But if ptxas predicates them,
    // the first becomes a warp-level instruction, and racecheck reports a race
    // between its lanes.
    NVVM::SyncWarpOp::create(rewriter, loc, i32Constant(rewriter, loc, -1));
    byLeader([&] {
      // Bytes of the values; the buffer may end after them.
      SharedType type = op.getMailbox().getType();
      int64_t bytes = llvm::product_of(type.getShape()) *
                          memoryBytes(type.getElementType()) -
                      headBytes;
      NVVM::MBarrierArriveExpectTxOp::create(
          rewriter, loc, /*res=*/Type(), barrier,
          i32Constant(rewriter, loc, bytes), NVVM::MemScopeKind::CTA,
          /*relaxed=*/false, /*predicate=*/Value());
    });
    rewriter.eraseOp(op);
    return success();
  }
};

/// The exchange of one thread. Part r of a tile is a range of columns, and thus
/// the same range of registers of every 64 rows in every thread: data only
/// moves between blocks.
class Exchange {
public:
  Exchange(OpBuilder &builder, SumPartsOp op, ValueRange registers,
           Value mailbox, Value part)
      : builder(builder), loc(op.getLoc()), math(builder, loc),
        registers(registers), mailbox(mailbox), part(part),
        parts(op.getParts()) {
    auto wide = cast<RankedTensorType>(op.getValue().getType()),
         share = cast<RankedTensorType>(op.getResult().getType());
    constexpr int64_t registersOfColumns = 2;
    wideRun = wide.getDimSize(1) / registersOfColumns;
    run = share.getDimSize(1) / registersOfColumns;
    quads = registers.size() / parts / quadSize;
    // With fewer rows than a warp group has, its first warps have all of them.
    constexpr int64_t warpRows = 16;
    PlanAttr plan = PlanAttr::of(op);
    threads = std::min<int64_t>(
        plan.getComputeThreads(),
        llvm::divideCeil(share.getDimSize(0), warpRows) * warpLanes);
    slotBytes = quads * threads * quadBytes;
    Value thread = blockThread(builder, loc);
    takesPart =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, thread,
                              i32Constant(builder, loc, threads));
    mine =
        bytesBehind(builder, loc, bytesBehind(builder, loc, mailbox, headBytes),
                    math.mul(math.min(thread, threads - 1), quadBytes));
  }

  SmallVector<Value> exchange() {
    for (int64_t to = 0; to < parts; ++to)
      send(to);
    waitFor(builder, loc, mailbox, i32Constant(builder, loc, 0));
    SmallVector<Value> sums = ownShare();
    for (int64_t slot = 0; slot < parts - 1; ++slot)
      for (int64_t quad = 0; quad < quads; ++quad)
        add(slot, quad, sums);
    return sums;
  }

private:
  /// Register `number` of the share of block `of`.
  Value valueOf(int64_t of, int64_t number) {
    return registers[number / run * wideRun + of * run + number % run];
  }

  /// Sends block `to` its share, unless that is this block. Data from the next
  /// block goes to slot 0, and so on around the cluster.
  void send(int64_t to) {
    Value isOther =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, part,
                              i32Constant(builder, loc, to));
    Value sends = arith::AndIOp::create(builder, loc, isOther, takesPart);
    Value slot = math.rem(math.add(part, parts - 1 - to), parts);
    auto cluster =
        LLVM::LLVMPointerType::get(builder.getContext(), clusterSharedSpace);
    Value rank = i32Constant(builder, loc, to);
    Value there = bytesBehind(
              builder, loc,
              NVVM::MapaOp::create(builder, loc, cluster, mine, rank),
              math.mul(slot, slotBytes)),
          barrier = NVVM::MapaOp::create(builder, loc, cluster, mailbox, rank);
    for (int64_t quad = 0; quad < quads; ++quad) {
      SmallVector<Value> operands = {
          bytesBehind(builder, loc, there, quad * threads * quadBytes)};
      for (int64_t number = 0; number < quadSize; ++number)
        operands.push_back(valueOf(to, quad * quadSize + number));
      operands.append({barrier, sends});
      inlinePtx(
          builder, loc, TypeRange(), operands,
          "@$6 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4."
          "f32 [$0], {$1, $2, $3, $4}, [$5];",
          "r,f,f,f,f,r,b");
    }
  }

  SmallVector<Value> ownShare() {
    SmallVector<Value> own;
    for (int64_t number = 0; number < quads * quadSize; ++number)
      own.push_back(valueOf(0, number));
    for (int64_t of = 1; of < parts; ++of) {
      Value isHere = math.isEqual(part, of);
      for (auto [number, value] : llvm::enumerate(own))
        value = arith::SelectOp::create(builder, loc, isHere,
                                        valueOf(of, number), value);
    }
    return own;
  }

  /// Adds four values of a slot. Inactive threads, whose rows do not exist,
  /// read another's.
  void add(int64_t slot, int64_t quad, MutableArrayRef<Value> sums) {
    Value at = bytesBehind(builder, loc, mine,
                           slot * slotBytes + quad * threads * quadBytes);
    auto type = VectorType::get(quadSize, builder.getF32Type());
    Value four = LLVM::LoadOp::create(builder, loc, type, at, quadBytes);
    for (auto [sum, value] :
         llvm::zip_equal(sums.slice(quad * quadSize, quadSize),
                         unpackVector(builder, loc, four)))
      sum = arith::AddFOp::create(builder, loc, sum, value);
  }

  OpBuilder &builder;
  Location loc;
  Arithmetic math;
  ValueRange registers;
  Value mailbox, part; ///< part: i32
  int64_t parts;
  /// Registers of 64 rows: of all columns, of a share.
  int64_t wideRun, run;
  int64_t quads, threads, slotBytes;
  Value takesPart, mine;
};

struct LowerSumParts : OpConversionPattern<SumPartsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SumPartsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    PlanAttr plan = PlanAttr::of(op);
    for (Type type : {op.getValue().getType(), op.getResult().getType()}) {
      auto tile = cast<RankedTensorType>(type);
      if (LayoutAttr::of(tile) !=
          accumulatorLayout(DotKind::Wgmma, tile, plan.getWarps()))
        return op.emitOpError("expected the layout of a wgmma accumulator on ")
               << plan.getWarps() << " warps, found " << tile;
    }
    if (!op.getMailbox())
      return op.emitOpError(
          "has no mailbox; run --tile-gpu-specialize-roles first");
    if (plan.getParts() != op.getParts())
      return op.emitOpError("expected shares for ")
             << plan.getParts() << " parts, found " << op.getParts();
    Value part = arith::IndexCastUIOp::create(rewriter, op.getLoc(),
                                              rewriter.getI32Type(),
                                              adaptor.getPart().front());
    rewriter.replaceOpWithMultiple(op,
                                   {Exchange(rewriter, op, adaptor.getValue(),
                                             adaptor.getMailbox().front(), part)
                                        .exchange()});
    return success();
  }
};

/// Its rows have the same address in every block's buffer.
struct LowerWritePart : OpConversionPattern<WritePartOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WritePartOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getValue().getType());
    SharedType buffer = op.getBuffer().getType();
    Value row = Arithmetic(rewriter, loc)
                    .mul(adaptor.getPart().front(), type.getDimSize(0));
    SmallVector<Value> origin = {row, indexConstant(rewriter, loc, 0)};
    auto cluster = LLVM::LLVMPointerType::get(getContext(), clusterSharedSpace);
    int64_t parts = buffer.getShape()[0] / type.getDimSize(0);
    for (int64_t to = 0; to < parts; ++to) {
      Value there = NVVM::MapaOp::create(rewriter, loc, cluster,
                                         adaptor.getBuffer().front(),
                                         i32Constant(rewriter, loc, to));
      TileTransfer(rewriter, loc, type, buffer, there, origin)
          .write(adaptor.getValue());
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// Thread r sends to block r, whose mailbox has a word for each block.
struct LowerGatherParts : OpConversionPattern<GatherPartsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(GatherPartsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getResult().getType());
    int64_t parts = type.getDimSize(0);
    if (adaptor.getValue().size() != 1 ||
        LayoutAttr::of(type).getNumRegisters() != parts)
      return op.emitOpError("expected every thread to have all numbers, found ")
             << op.getValue().getType() << " and " << type;
    constexpr int64_t wordBytes = 8;
    Arithmetic math(rewriter, loc);
    Type element = type.getElementType(), i64 = rewriter.getI64Type(),
         bits = rewriter.getIntegerType(element.getIntOrFloatBitWidth());
    Value mailbox = adaptor.getMailbox().front(),
          thread = blockThread(rewriter, loc);
    Value sends =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, thread,
                              i32Constant(rewriter, loc, parts));
    Value word = adaptor.getValue().front();
    if (isa<FloatType>(element))
      word = arith::BitcastOp::create(rewriter, loc, bits, word);
    if (bits != i64)
      word = arith::ExtUIOp::create(rewriter, loc, i64, word);
    auto cluster = LLVM::LLVMPointerType::get(getContext(), clusterSharedSpace);
    Value place = arith::IndexCastUIOp::create(
        rewriter, loc, rewriter.getI32Type(),
        math.mul(adaptor.getPart().front(), wordBytes));
    Value mine = bytesBehind(
        rewriter, loc, bytesBehind(rewriter, loc, mailbox, headBytes), place);
    // Threads that send nothing name the last block.
    Value to = math.min(thread, parts - 1),
          there = NVVM::MapaOp::create(rewriter, loc, cluster, mine, to),
          barrier = NVVM::MapaOp::create(rewriter, loc, cluster, mailbox, to);
    inlinePtx(rewriter, loc, TypeRange(), {there, word, barrier, sends},
              "@$3 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes."
              "b64 [$0], $1, [$2];",
              "r,l,r,b");
    waitFor(rewriter, loc, mailbox, i32Constant(rewriter, loc, 0));
    SmallVector<Value> all;
    for (int64_t from = 0; from < parts; ++from) {
      Value received = LLVM::LoadOp::create(
          rewriter, loc, i64,
          bytesBehind(rewriter, loc, mailbox, headBytes + from * wordBytes),
          wordBytes);
      if (bits != i64)
        received = arith::TruncIOp::create(rewriter, loc, bits, received);
      if (isa<FloatType>(element))
        received = arith::BitcastOp::create(rewriter, loc, element, received);
      all.push_back(received);
    }
    rewriter.replaceOpWithMultiple(op, {all});
    return success();
  }
};

struct LowerArriveCluster : OpConversionPattern<ArriveClusterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ArriveClusterOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getRelaxed())
      rewriter.replaceOpWithNewOp<NVVM::ClusterArriveRelaxedOp>(op, UnitAttr());
    else
      rewriter.replaceOpWithNewOp<NVVM::ClusterArriveOp>(op, UnitAttr());
    return success();
  }
};

struct LowerAwaitCluster : OpConversionPattern<AwaitClusterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AwaitClusterOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::ClusterWaitOp>(op, UnitAttr());
    return success();
  }
};
} // namespace

void populatePartsPatterns(const ThreadTypeConverter &converter,
                           RewritePatternSet &patterns) {
  patterns
      .add<LowerClusterRank, LowerInitMailbox, LowerSumParts, LowerWritePart,
           LowerGatherParts, LowerArriveCluster, LowerAwaitCluster>(
          converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
