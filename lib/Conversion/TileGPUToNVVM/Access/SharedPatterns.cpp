// tile_gpu.write and tile_gpu.read: each thread moves its own registers.
#include "Access/TileTransfer.h"
#include "Thread/ThreadPatterns.h"

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

struct LowerSharedWrite : OpConversionPattern<WriteOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WriteOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileTransfer(rewriter, op.getLoc(),
                 cast<RankedTensorType>(op.getValue().getType()),
                 op.getBuffer().getType(), adaptor.getBuffer().front())
        .write(adaptor.getValue());
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerSharedRead : OpConversionPattern<ReadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileTransfer transfer(
        rewriter, op.getLoc(), cast<RankedTensorType>(op.getResult().getType()),
        op.getBuffer().getType(), adaptor.getBuffer().front());
    rewriter.replaceOpWithMultiple(op, {transfer.read()});
    return success();
  }
};
} // namespace

void populateSharedPatterns(const ThreadTypeConverter &converter,
                            RewritePatternSet &patterns) {
  patterns.add<LowerSharedWrite, LowerSharedRead>(converter,
                                                  patterns.getContext());
}

} // namespace tilegpt::tilegpu
