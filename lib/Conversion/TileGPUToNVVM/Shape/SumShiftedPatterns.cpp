// Shifted rows are added up through shared memory.
#include "Access/TileTransfer.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Scratch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
struct LowerSumShifted : OpConversionPattern<SumShiftedOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SumShiftedOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto from = cast<RankedTensorType>(op.getValue().getType()),
         to = cast<RankedTensorType>(op.getResult().getType());
    SharedType buffer = getExchangeBuffer(op);
    Value pointer = scratchPointer(rewriter, op);
    emitScratchBarrier(rewriter, op);
    TileTransfer(rewriter, loc, from, buffer, pointer)
        .write(adaptor.getValue());
    emitBarrier(rewriter, loc);

    ThreadTile tile(rewriter, loc, to);
    Value base[] = {indexConstant(rewriter, loc, 0), tile.getBase(0)};
    SharedTile shared(rewriter, loc, buffer, pointer, base);
    SmallVector<Value> sums;
    for (int64_t reg = 0; reg < tile.getNumRegisters(); ++reg) {
      if (tile.isPadding(reg)) {
        sums.push_back(
            LLVM::PoisonOp::create(rewriter, loc, to.getElementType()));
        continue;
      }
      const int64_t column = tile.getOffset(reg)[0];
      Value inside = tile.isInside(reg), sum;
      for (int64_t row = 0; row < from.getDimSize(0); ++row) {
        Value next =
            shared.load({row, column + op.getShift(row)}, 1, inside).front();
        sum = sum ? arith::AddFOp::create(rewriter, loc, sum, next).getResult()
                  : next;
      }
      sums.push_back(sum);
    }
    rewriter.replaceOpWithMultiple(op, {sums});
    return success();
  }
};
} // namespace

void populateSumShiftedPatterns(const ThreadTypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<LowerSumShifted>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
