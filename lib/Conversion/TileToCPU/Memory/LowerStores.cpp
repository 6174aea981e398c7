// Lowers stores, which write the part of a tile that is in bounds.
#include "Memory/TileBox.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;

namespace {
struct LowerStore : OpConversionPattern<tile::StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto tileType = cast<RankedTensorType>(op.getValue().getType());
    Value view = adaptor.getView(), value = adaptor.getValue();
    SmallVector<Value> indices(adaptor.getIndices());
    applyOrder(rewriter, loc, view, indices, op.getOrder());
    TileBox box(rewriter, loc, view, indices, tileType.getShape());
    SmallVector<OpFoldResult> from = zeros(rewriter, tileType.getRank());
    if (Value mask = adaptor.getMask()) {
      storeMasked(rewriter, loc, value, mask, from, view, box.starts,
                  box.clipped);
    } else {
      box.eitherWay(
          rewriter, loc, box.inside,
          [&](OpBuilder &then) {
            storeBox(then, loc, value, from, view, box.offsets, box.whole);
          },
          [&](OpBuilder &other) {
            storeBox(other, loc, value, from, view, box.starts, box.clipped);
          });
    }
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void cpu::populateStorePatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<LowerStore>(converter, patterns.getContext());
}
