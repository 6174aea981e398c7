// Lowers gathers and scatters to a loop over the entries of the index tile,
// each of which accesses its own box.
#include "Memory/TileBox.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;

namespace {
/// The indices of a gather or scatter with a gap at the axis that the index
/// tile walks.
SmallVector<Value> withGap(ValueRange indices, int64_t axis) {
  SmallVector<Value> result(indices);
  result.insert(result.begin() + axis, Value());
  return result;
}

/// Entry `position` of the index tile, and whether it names an entry of the
/// view.
struct Entry {
  Value index, exists;
  Entry(OpBuilder &builder, Location loc, Value tile, Value position,
        Value view, int64_t axis) {
    Value element = tensor::ExtractOp::create(builder, loc, tile, position);
    index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                       element);
    // Read as unsigned, a negative index is too large as well.
    exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                   index, memrefDim(builder, loc, view, axis));
  }
};

struct LowerGather : OpConversionPattern<tile::GatherOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::GatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto tileType = cast<RankedTensorType>(op.getResult().getType());
    int64_t axis = op.getAxis(), rank = tileType.getRank();
    Value view = adaptor.getView();
    Value pad =
        padConstant(rewriter, loc, op.getPad(), tileType.getElementType());
    TileBox box(rewriter, loc, view, withGap(adaptor.getIndices(), axis),
                tileType.getShape());
    Value scratch = memref::AllocOp::create(
        rewriter, loc,
        MemRefType::get(tileType.getShape(), tileType.getElementType()));

    auto loop = scf::ForOp::create(
        rewriter, loc, indexConstant(rewriter, loc, 0),
        indexConstant(rewriter, loc, tileType.getDimSize(axis)),
        indexConstant(rewriter, loc, 1));
    OpBuilder body = OpBuilder::atBlockTerminator(loop.getBody());
    Value position = loop.getInductionVar();
    Entry entry(body, loc, adaptor.getIndex(), position, view, axis);
    TileBox row = box;
    row.offsets[axis] = row.starts[axis] = entry.index;
    SmallVector<OpFoldResult> at = zeros(body, rank);
    at[axis] = position;
    Value whole = arith::AndIOp::create(body, loc, entry.exists, box.inside);
    box.eitherWay(
        body, loc, whole,
        [&](OpBuilder &then) {
          linalg::CopyOp::create(
              then, loc, window(then, loc, view, row.offsets, row.whole),
              window(then, loc, scratch, at, row.whole));
        },
        [&](OpBuilder &other) {
          linalg::FillOp::create(other, loc, pad,
                                 window(other, loc, scratch, at, row.whole));
          auto partly = scf::IfOp::create(other, loc, entry.exists);
          OpBuilder part = partly.getThenBodyBuilder();
          linalg::CopyOp::create(
              part, loc, window(part, loc, view, row.starts, row.clipped),
              window(part, loc, scratch, at, row.clipped));
        });

    Value tile = bufferization::ToTensorOp::create(
        rewriter, loc, tileType, scratch, /*restrict=*/true, /*writable=*/true);
    rewriter.replaceOp(op,
                       applyMask(rewriter, loc, adaptor.getMask(), tile, pad));
    return success();
  }
};

struct LowerScatter : OpConversionPattern<tile::ScatterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::ScatterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto tileType = cast<RankedTensorType>(op.getValue().getType());
    int64_t axis = op.getAxis();
    Value view = adaptor.getView();
    TileBox box(rewriter, loc, view, withGap(adaptor.getIndices(), axis),
                tileType.getShape());
    auto loop = scf::ForOp::create(
        rewriter, loc, indexConstant(rewriter, loc, 0),
        indexConstant(rewriter, loc, tileType.getDimSize(axis)),
        indexConstant(rewriter, loc, 1));
    OpBuilder body = OpBuilder::atBlockTerminator(loop.getBody());
    Value position = loop.getInductionVar();
    Entry entry(body, loc, adaptor.getIndex(), position, view, axis);
    box.starts[axis] = entry.index;
    SmallVector<OpFoldResult> from = zeros(body, tileType.getRank());
    from[axis] = position;
    auto choose = scf::IfOp::create(body, loc, entry.exists);
    OpBuilder then = choose.getThenBodyBuilder();
    if (Value mask = adaptor.getMask())
      storeMasked(then, loc, adaptor.getValue(), mask, from, view, box.starts,
                  box.clipped);
    else
      storeBox(then, loc, adaptor.getValue(), from, view, box.starts,
               box.clipped);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void cpu::populateGatherPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<LowerGather, LowerScatter>(converter, patterns.getContext());
}
