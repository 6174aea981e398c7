// Exchanges between the blocks of a group through global memory: numbers with
// the mark of the launch, which tells readers that they have arrived.
#include "Pipe/MarkedWords.h"
#include "Thread/InlinePtx.h"
#include "Thread/PipeAddress.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static constexpr int64_t halfBits = 32;

/// Reads a word at $1, whose other half is written by another block at the same
/// time, to `low` and `high`.
static constexpr StringLiteral readWord =
    "ld.relaxed.gpu.global.b64 word, [$1];\nmov.b64 {low, high}, word;\n";

namespace {
struct LowerBeginExchange : OpConversionPattern<BeginExchangeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(BeginExchangeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Arithmetic math(rewriter, loc);
    Type i32 = rewriter.getI32Type();
    Value words = wordsOfGroup(rewriter, loc, op.getWorkspace().getType(),
                               adaptor.getWorkspace().front(),
                               /*exchange=*/0, adaptor.getGroup().front());
    Value place = arith::IndexCastOp::create(
        rewriter, loc, i32, math.mul(adaptor.getPart().front(), markedBytes));
    Value last =
        inlinePtx(rewriter, loc, i32, bytesBehind(rewriter, loc, words, place),
                  "{\n.reg .b64 word;\n.reg .b32 low, high;\n" +
                      readWord.str() + "mov.b32 $0, high;\n}",
                  "=r,l,~{memory}")
            .getResult(0);
    rewriter.replaceOp(op, math.add(last, 1));
    return success();
  }
};

/// Thread 0 sends the number of the block, thread r receives that of block r,
/// and all threads read them from shared memory.
struct LowerGatherBlocks : OpConversionPattern<GatherBlocksOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(GatherBlocksOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    PlanAttr plan = PlanAttr::of(op);
    auto type = cast<RankedTensorType>(op.getResult().getType());
    int64_t parts = type.getDimSize(0);
    if (adaptor.getValue().size() != 1 ||
        LayoutAttr::of(type) != GatherBlocksOp::getResultLayout(
                                    getContext(), parts, plan.getWarps()))
      return op.emitOpError("expected every thread to have the number, and "
                            "lanes to have those of all blocks, found ")
             << op.getValue().getType() << " and " << type;
    if (parts > plan.getComputeThreads())
      return op.emitOpError("expected a thread for each of ")
             << parts << " blocks, found " << plan.getComputeThreads();
    Value words =
        wordsOfGroup(rewriter, loc, op.getWorkspace().getType(),
                     adaptor.getWorkspace().front(), int64_t(op.getExchange()),
                     adaptor.getGroup().front());
    Value buffer = adaptor.getBuffer().front(),
          mark = adaptor.getMark().front();
    unsigned bits = type.getElementTypeBitWidth();
    send(rewriter, loc, words, adaptor.getPart().front(), parts, mark,
         halvesOf(rewriter, loc, adaptor.getValue().front()));
    receive(rewriter, loc, words, parts, mark, bits > halfBits, buffer);
    emitBarrier(rewriter, loc);
    rewriter.replaceOpWithMultiple(op, {readAll(rewriter, loc, type, buffer)});
    return success();
  }

private:
  /// The bits of a number, 32 at a time.
  static SmallVector<Value> halvesOf(OpBuilder &builder, Location loc,
                                     Value number) {
    Type i32 = builder.getI32Type();
    unsigned width = number.getType().getIntOrFloatBitWidth();
    Type bits = builder.getIntegerType(width);
    if (number.getType() != bits)
      number = arith::BitcastOp::create(builder, loc, bits, number);
    if (width == halfBits)
      return {number};
    if (width < halfBits)
      return {arith::ExtUIOp::create(builder, loc, i32, number)};
    Value high = Arithmetic(builder, loc).shiftRight(number, halfBits);
    return {arith::TruncIOp::create(builder, loc, i32, number),
            arith::TruncIOp::create(builder, loc, i32, high)};
  }

  static void send(OpBuilder &builder, Location loc, Value words, Value part,
                   int64_t parts, Value mark, ArrayRef<Value> halves) {
    Value place = arith::IndexCastOp::create(
        builder, loc, builder.getI32Type(),
        Arithmetic(builder, loc).mul(part, markedBytes));
    Value mine = bytesBehind(builder, loc, words, place);
    auto leader = scf::IfOp::create(builder, loc, isThread(builder, loc, 0));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(leader.thenBlock());
    for (auto [number, half] : llvm::enumerate(halves))
      sendWord(builder, loc,
               bytesBehind(builder, loc, mine,
                           int64_t(number) * parts * markedBytes),
               half, mark);
  }

  /// Waits for the number of another block in each of the first threads, and
  /// passes it on.
  static void receive(OpBuilder &builder, Location loc, Value words,
                      int64_t parts, Value mark, bool hasTwo, Value buffer) {
    Value thread = blockThread(builder, loc);
    auto readers = scf::IfOp::create(
        builder, loc,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, thread,
                              i32Constant(builder, loc, parts)));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(readers.thenBlock());
    Type i64 = builder.getI64Type();
    Arithmetic math(builder, loc);
    Value place = math.mul(thread, markedBytes),
          theirs = bytesBehind(builder, loc, words, place);
    SmallVector<Value> pointers = {theirs};
    if (hasTwo)
      pointers.push_back(
          bytesBehind(builder, loc, theirs, parts * markedBytes));
    SmallVector<Value> halves = awaitWords(builder, loc, pointers, mark);
    Value number = arith::ExtUIOp::create(builder, loc, i64, halves[0]);
    if (hasTwo)
      number = arith::OrIOp::create(
          builder, loc, number,
          math.shiftLeft(
              arith::ExtUIOp::create(builder, loc, i64, halves[1]).getResult(),
              halfBits));
    LLVM::StoreOp::create(builder, loc, number,
                          bytesBehind(builder, loc, buffer, place),
                          markedBytes);
  }

  /// The numbers of a lane. Registers past the last block repeat its number.
  static SmallVector<Value> readAll(OpBuilder &builder, Location loc,
                                    RankedTensorType type, Value buffer) {
    Arithmetic math(builder, loc);
    int64_t parts = type.getDimSize(0),
            lanes =
                std::min<int64_t>(llvm::bit_ceil(uint64_t(parts)), warpLanes);
    Value lane = math.rem(blockThread(builder, loc), lanes);
    Type element = type.getElementType(), i64 = builder.getI64Type(),
         bits = builder.getIntegerType(type.getElementTypeBitWidth());
    SmallVector<Value> all;
    for (int64_t first = 0; first < parts; first += lanes) {
      Value place =
          math.mul(math.min(math.add(lane, first), parts - 1), markedBytes);
      Value number = LLVM::LoadOp::create(
          builder, loc, i64, bytesBehind(builder, loc, buffer, place),
          markedBytes);
      if (bits != i64)
        number = arith::TruncIOp::create(builder, loc, bits, number);
      if (element != bits)
        number = arith::BitcastOp::create(builder, loc, element, number);
      all.push_back(number);
    }
    return all;
  }
};
} // namespace

void populateBlockExchangePatterns(const ThreadTypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<LowerBeginExchange, LowerGatherBlocks>(converter,
                                                      patterns.getContext());
}

} // namespace tilegpt::tilegpu
