// Creation and shape ops: those that only rename elements become
// linalg.generic, which is fused into its consumers.
#include "TileGPT/Conversion/TileToArith/ExpandBytes.h"
#include "TileToLinalg.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;

static Value emptyLike(OpBuilder &builder, Location loc,
                       RankedTensorType type) {
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 type.getElementType());
}

/// `result[d…] = source[exprs(d…)]`.
static void replaceByRead(ConversionPatternRewriter &rewriter, Operation *op,
                          Value source, ArrayRef<AffineExpr> exprs) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t rank = type.getRank();
  AffineMap maps[] = {AffineMap::get(rank, 0, exprs, rewriter.getContext()),
                      rewriter.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, type, source, emptyLike(rewriter, loc, type), maps, iterators,
      [](OpBuilder &builder, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(builder, loc, arguments.front());
      });
}

/// A generic without inputs: `value(builder, indices)` for every element.
static Value generate(OpBuilder &builder, Location loc, RankedTensorType type,
                      function_ref<Value(OpBuilder &)> value) {
  int64_t rank = type.getRank();
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      builder, loc, type, ValueRange(), emptyLike(builder, loc, type),
      builder.getMultiDimIdentityMap(rank), iterators,
      [&](OpBuilder &nested, Location loc, ValueRange) {
        linalg::YieldOp::create(nested, loc, value(nested));
      });
  return op.getResult(0);
}

/// Element offsets of the piece at `indices`, which count pieces of `sizes`.
static SmallVector<OpFoldResult> pieceOffsets(OpBuilder &builder, Location loc,
                                              ValueRange indices,
                                              ArrayRef<int64_t> sizes) {
  SmallVector<OpFoldResult> offsets;
  for (auto [index, size] : llvm::zip_equal(indices, sizes))
    offsets.push_back(getAsOpFoldResult(builder.createOrFold<arith::MulIOp>(
        loc, index, indexConstant(builder, loc, size))));
  return offsets;
}

static SmallVector<OpFoldResult> attributes(OpBuilder &builder,
                                            ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(builder.getContext(), values);
}

namespace {
template <typename Op>
struct Lower : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  using Adaptor = typename OpConversionPattern<Op>::OpAdaptor;
  LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower(op, adaptor, rewriter);
    return success();
  }
  static void lower(Op op, Adaptor adaptor,
                    ConversionPatternRewriter &rewriter);
};
} // namespace

template <>
void Lower<tile::SplatOp>::lower(tile::SplatOp op, Adaptor adaptor,
                                 ConversionPatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  TypedAttr constant;
  if (matchPattern(adaptor.getValue(), m_Constant(&constant)))
    return rewriter.replaceOpWithNewOp<arith::ConstantOp>(
               op, DenseElementsAttr::get(type, Attribute(constant))),
           void();
  rewriter.replaceOp(op,
                     generate(rewriter, op.getLoc(), type,
                              [&](OpBuilder &) { return adaptor.getValue(); }));
}

template <>
void Lower<tile::IotaOp>::lower(tile::IotaOp op, Adaptor,
                                ConversionPatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  Location loc = op.getLoc();
  rewriter.replaceOp(
      op, generate(rewriter, loc, type, [&](OpBuilder &builder) -> Value {
        Value index = linalg::IndexOp::create(builder, loc, 0);
        return arith::IndexCastOp::create(builder, loc, type.getElementType(),
                                          index);
      }));
}

template <>
void Lower<tile::BroadcastOp>::lower(tile::BroadcastOp op, Adaptor adaptor,
                                     ConversionPatternRewriter &rewriter) {
  auto source = cast<RankedTensorType>(op.getSource().getType());
  auto type = cast<RankedTensorType>(op.getResult().getType());
  int64_t leading = type.getRank() - source.getRank();
  SmallVector<AffineExpr> exprs;
  for (auto [axis, size] : llvm::enumerate(source.getShape()))
    exprs.push_back(size == 1 ? rewriter.getAffineConstantExpr(0)
                              : rewriter.getAffineDimExpr(leading + axis));
  replaceByRead(rewriter, op, adaptor.getSource(), exprs);
}

template <>
void Lower<tile::ExpandDimsOp>::lower(tile::ExpandDimsOp op, Adaptor adaptor,
                                      ConversionPatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  SmallVector<AffineExpr> exprs;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (axis != static_cast<int64_t>(op.getAxis()))
      exprs.push_back(rewriter.getAffineDimExpr(axis));
  replaceByRead(rewriter, op, adaptor.getSource(), exprs);
}

template <>
void Lower<tile::PermuteOp>::lower(tile::PermuteOp op, Adaptor adaptor,
                                   ConversionPatternRewriter &rewriter) {
  SmallVector<AffineExpr> exprs(op.getPermutation().size());
  for (auto [axis, from] : llvm::enumerate(op.getPermutation()))
    exprs[from] = rewriter.getAffineDimExpr(axis);
  replaceByRead(rewriter, op, adaptor.getSource(), exprs);
}

/// The axes of `type` that are not 1, as expressions.
static SmallVector<int64_t> longAxes(RankedTensorType type) {
  SmallVector<int64_t> axes;
  for (auto [axis, size] : llvm::enumerate(type.getShape()))
    if (size != 1)
      axes.push_back(axis);
  return axes;
}

template <>
void Lower<tile::ReshapeOp>::lower(tile::ReshapeOp op, Adaptor adaptor,
                                   ConversionPatternRewriter &rewriter) {
  Location loc = op.getLoc();
  auto source = cast<RankedTensorType>(op.getSource().getType());
  auto type = cast<RankedTensorType>(op.getResult().getType());

  // Only axes of size 1 come or go: a renaming of elements, which fuses.
  SmallVector<int64_t> from = longAxes(source), to = longAxes(type);
  auto sizeOf = [](RankedTensorType type) {
    return [type](int64_t axis) { return type.getDimSize(axis); };
  };
  if (llvm::equal(llvm::map_range(from, sizeOf(source)),
                  llvm::map_range(to, sizeOf(type)))) {
    SmallVector<AffineExpr> exprs(source.getRank(),
                                  rewriter.getAffineConstantExpr(0));
    for (auto [axis, result] : llvm::zip_equal(from, to))
      exprs[axis] = rewriter.getAffineDimExpr(result);
    return replaceByRead(rewriter, op, adaptor.getSource(), exprs);
  }

  auto flat =
      RankedTensorType::get({source.getNumElements()}, source.getElementType());
  Value value = adaptor.getSource();
  auto allAxes = [](int64_t rank) {
    return SmallVector<ReassociationIndices>{
        llvm::to_vector<2>(llvm::seq<int64_t>(0, rank))};
  };
  if (source.getRank() != 1)
    value = tensor::CollapseShapeOp::create(rewriter, loc, flat, value,
                                            allAxes(source.getRank()));
  if (type.getRank() != 1)
    value = tensor::ExpandShapeOp::create(rewriter, loc, type, value,
                                          allAxes(type.getRank()));
  rewriter.replaceOp(op, value);
}

template <>
void Lower<tile::CatOp>::lower(tile::CatOp op, Adaptor adaptor,
                               ConversionPatternRewriter &rewriter) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getResult().getType());
  Value result = emptyLike(rewriter, loc, type);
  SmallVector<int64_t> offsets(type.getRank(), 0);
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (Value part : {adaptor.getLhs(), adaptor.getRhs()}) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(part.getType()).getShape();
    result = tensor::InsertSliceOp::create(
        rewriter, loc, part, result, attributes(rewriter, offsets),
        attributes(rewriter, shape), attributes(rewriter, strides));
    offsets[op.getAxis()] += shape[op.getAxis()];
  }
  rewriter.replaceOp(op, result);
}

template <>
void Lower<tile::ExtractOp>::lower(tile::ExtractOp op, Adaptor adaptor,
                                   ConversionPatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
      op, type, adaptor.getSource(),
      pieceOffsets(rewriter, op.getLoc(), adaptor.getIndices(),
                   type.getShape()),
      attributes(rewriter, type.getShape()),
      SmallVector<OpFoldResult>(type.getRank(), rewriter.getIndexAttr(1)));
}

template <>
void Lower<tile::InsertOp>::lower(tile::InsertOp op, Adaptor adaptor,
                                  ConversionPatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op.getSource().getType());
  rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
      op, adaptor.getSource(), adaptor.getDest(),
      pieceOffsets(rewriter, op.getLoc(), adaptor.getIndices(),
                   type.getShape()),
      attributes(rewriter, type.getShape()),
      SmallVector<OpFoldResult>(type.getRank(), rewriter.getIndexAttr(1)));
}

void cpu::populateShapePatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns) {
  tile::populateExpandBytesPatterns(patterns);
  patterns
      .add<Lower<tile::SplatOp>, Lower<tile::IotaOp>, Lower<tile::BroadcastOp>,
           Lower<tile::ExpandDimsOp>, Lower<tile::PermuteOp>,
           Lower<tile::ReshapeOp>, Lower<tile::CatOp>, Lower<tile::ExtractOp>,
           Lower<tile::InsertOp>>(converter, patterns.getContext());
}
