// Byte conversions by shifts: a second axis enumerates the bytes of a value.
#include "TileGPT/Conversion/TileToArith/ExpandBytes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tile {

namespace {
struct ExpandBytes : OpRewritePattern<BytesOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BytesOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType from = op.getSource().getType(), to = op.getType();
    if (!from.hasStaticShape() || !to.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "has no known size");
    rewriter.replaceOp(op,
                       to.getElementType().isInteger(8)
                           ? unpack(rewriter, op.getLoc(), op.getSource(), to)
                           : pack(rewriter, op.getLoc(), op.getSource(), to));
    return success();
  }

private:
  static Value reshape(OpBuilder &builder, Location loc, Value tile,
                       ArrayRef<int64_t> shape) {
    auto type = cast<RankedTensorType>(tile.getType());
    return ReshapeOp::create(builder, loc, type.clone(shape), tile,
                             builder.getI64ArrayAttr(shape));
  }

  /// The tile's values as integers of their width.
  static RankedTensorType integersOf(RankedTensorType type) {
    return type.clone(IntegerType::get(
        type.getContext(), type.getElementType().getIntOrFloatBitWidth()));
  }
  static Value bitcast(OpBuilder &builder, Location loc, Value tile,
                       RankedTensorType type) {
    return tile.getType() == type
               ? tile
               : arith::BitcastOp::create(builder, loc, type, tile).getResult();
  }

  /// The bit offset of byte `[i, j]` in value `i`: 8·j.
  static Value shifts(OpBuilder &builder, Location loc, RankedTensorType type) {
    int64_t bytes = type.getDimSize(1);
    RankedTensorType row = type.clone({bytes});
    Value number =
        IotaOp::create(builder, loc, row, builder.getI64ArrayAttr({bytes}));
    Value eight = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            row, builder.getIntegerAttr(row.getElementType(), 8)));
    Value distance = arith::MulIOp::create(builder, loc, number, eight);
    return BroadcastOp::create(builder, loc, type, distance,
                               builder.getI64ArrayAttr(type.getShape()));
  }

  static Value unpack(OpBuilder &builder, Location loc, Value source,
                      RankedTensorType to) {
    RankedTensorType numbers =
        integersOf(cast<RankedTensorType>(source.getType()));
    int64_t count = numbers.getDimSize(0);
    RankedTensorType table = numbers.clone({count, to.getDimSize(0) / count});
    Value column = reshape(builder, loc, bitcast(builder, loc, source, numbers),
                           {count, 1});
    Value wide = BroadcastOp::create(builder, loc, table, column,
                                     builder.getI64ArrayAttr(table.getShape()));
    Value shifted =
        arith::ShRUIOp::create(builder, loc, wide, shifts(builder, loc, table));
    Value bytes = arith::TruncIOp::create(
        builder, loc, table.clone(builder.getI8Type()), shifted);
    return reshape(builder, loc, bytes, to.getShape());
  }

  static Value pack(OpBuilder &builder, Location loc, Value source,
                    RankedTensorType to) {
    RankedTensorType numbers = integersOf(to);
    int64_t count = numbers.getDimSize(0),
            total = cast<RankedTensorType>(source.getType()).getDimSize(0);
    RankedTensorType table = numbers.clone({count, total / count});
    Value bytes = reshape(builder, loc, source, table.getShape());
    Value wide = arith::ExtUIOp::create(builder, loc, table, bytes);
    Value shifted =
        arith::ShLIOp::create(builder, loc, wide, shifts(builder, loc, table));
    auto joined = ReduceOp::create(
        builder, loc, TypeRange{numbers}, ValueRange{shifted}, /*axis=*/1,
        ReduceKindAttr::get(builder.getContext(), ReduceKind::Or),
        /*identities=*/ArrayAttr(), /*keepdims=*/false);
    return bitcast(builder, loc, joined.getResult(0), to);
  }
};
} // namespace

void populateExpandBytesPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandBytes>(patterns.getContext());
}

} // namespace tilegpt::tile
