// tile_gpu.write and tile_gpu.read: each thread moves the registers it holds.
#include "ThreadPatterns.h"
#include "TileTransfer.h"

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

/// What moves a tile to or from its buffer; a column may be any.
template <typename OpT>
TileTransfer
transferOf(OpBuilder &builder, OpT op, Type tile,
           typename OpConversionPattern<OpT>::OneToNOpAdaptor adaptor) {
  auto type = cast<RankedTensorType>(tile);
  SmallVector<Value> origin;
  if (!adaptor.getColumn().empty()) {
    origin.assign(type.getRank(), indexConstant(builder, op.getLoc(), 0));
    origin.back() = adaptor.getColumn().front();
  }
  return TileTransfer(builder, op.getLoc(), type, op.getBuffer().getType(),
                      adaptor.getBuffer().front(), origin,
                      /*alignment=*/origin.empty() ? 0 : 1);
}

struct LowerWrite : OpConversionPattern<WriteOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WriteOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    transferOf(rewriter, op, op.getValue().getType(), adaptor)
        .write(adaptor.getValue());
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerRead : OpConversionPattern<ReadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileTransfer transfer =
        transferOf(rewriter, op, op.getResult().getType(), adaptor);
    rewriter.replaceOpWithMultiple(op, {transfer.read()});
    return success();
  }
};
} // namespace

void populateSharedPatterns(const ThreadTypeConverter &converter,
                            RewritePatternSet &patterns) {
  patterns.add<LowerWrite, LowerRead>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
