// Views decomposed into pointer, sizes and strides. Windows are arithmetic on
// these.
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tilegpt::tilegpu {

ViewParts::ViewParts(tile::ViewType type, ValueRange parts)
    : type(type), pointer(parts.front()), sizes(parts.slice(1, type.getRank())),
      strides(parts.slice(1 + type.getRank(), type.getRank())),
      knownStrides(type.getKnownStrides()) {}

Value ViewParts::size(OpBuilder &builder, Location loc, int64_t axis) const {
  return type.isDynamicDim(axis)
             ? sizes[axis]
             : indexConstant(builder, loc, type.getShape()[axis]);
}

Value ViewParts::stride(OpBuilder &builder, Location loc, int64_t axis) const {
  return ShapedType::isDynamic(knownStrides[axis])
             ? strides[axis]
             : indexConstant(builder, loc, knownStrides[axis]);
}

/// `pointer` advanced by `index` · `stride` elements of `type`; the product is
/// 64-bit, as views may be larger than 4 GB.
static Value advance(OpBuilder &builder, Location loc, Value pointer, Type type,
                     Value index, Value stride) {
  Type i64 = builder.getI64Type();
  Value offset = arith::MulIOp::create(
      builder, loc, arith::IndexCastOp::create(builder, loc, i64, index),
      arith::IndexCastOp::create(builder, loc, i64, stride));
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             typeInMemory(type), pointer,
                             ArrayRef<LLVM::GEPArg>(offset));
}

/// Indices, some of which are constants.
static SmallVector<Value> mixedIndices(OpBuilder &builder, Location loc,
                                       ArrayRef<ValueRange> dynamic,
                                       ArrayRef<int64_t> fixed) {
  SmallVector<Value> values;
  for (int64_t value : fixed) {
    if (ShapedType::isDynamic(value)) {
      values.push_back(dynamic.front().front());
      dynamic = dynamic.drop_front();
    } else {
      values.push_back(indexConstant(builder, loc, value));
    }
  }
  return values;
}

namespace {
struct LowerDim : OpConversionPattern<tile::DimOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::DimOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ViewParts view(op.getView().getType(), adaptor.getView());
    rewriter.replaceOp(op, view.size(rewriter, op.getLoc(), op.getAxis()));
    return success();
  }
};

struct LowerNumTiles : OpConversionPattern<tile::NumTilesOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::NumTilesOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ViewParts view(op.getView().getType(), adaptor.getView());
    int64_t size = tile::knownSizes(op.getSizes()).front();
    // Sizes are not negative, so the cheaper unsigned form suffices.
    rewriter.replaceOpWithNewOp<arith::CeilDivUIOp>(
        op, view.size(rewriter, op.getLoc(), op.getAxis()),
        indexConstant(rewriter, op.getLoc(), size));
    return success();
  }
};

struct LowerSubview : OpConversionPattern<tile::SubviewOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::SubviewOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ViewParts source(op.getSource().getType(), adaptor.getSource());
    SmallVector<Value> offsets = mixedIndices(
        rewriter, loc, adaptor.getOffsets(), op.getStaticOffsets());
    SmallVector<Value> parts = {source.pointer};
    for (auto [axis, offset] : llvm::enumerate(offsets))
      if (!isConstantIntValue(offset, 0))
        parts.front() =
            advance(rewriter, loc, parts.front(), source.type.getElementType(),
                    offset, source.stride(rewriter, loc, axis));
    parts.append(
        mixedIndices(rewriter, loc, adaptor.getSizes(), op.getStaticSizes()));
    for (int64_t axis = 0; axis < source.type.getRank(); ++axis)
      parts.push_back(source.stride(rewriter, loc, axis));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct LowerSelect : OpConversionPattern<tile::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ViewParts source(op.getSource().getType(), adaptor.getSource());
    SmallVector<Value> parts = {source.pointer};
    for (auto [axis, index] : llvm::enumerate(adaptor.getIndices()))
      parts.front() =
          advance(rewriter, loc, parts.front(), source.type.getElementType(),
                  index.front(), source.stride(rewriter, loc, axis));
    int64_t rank = source.type.getRank();
    for (int64_t axis = op.getIndices().size(); axis < rank; ++axis)
      parts.push_back(source.size(rewriter, loc, axis));
    for (int64_t axis = op.getIndices().size(); axis < rank; ++axis)
      parts.push_back(source.stride(rewriter, loc, axis));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct LowerTranspose : OpConversionPattern<tile::TransposeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::TransposeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ViewParts source(op.getSource().getType(), adaptor.getSource());
    SmallVector<Value> parts = {source.pointer};
    for (int64_t axis : op.getPermutation())
      parts.push_back(source.size(rewriter, loc, axis));
    for (int64_t axis : op.getPermutation())
      parts.push_back(source.stride(rewriter, loc, axis));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};
struct LowerBase : OpConversionPattern<tile::BaseOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::BaseOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, ViewParts(op.getView().getType(), adaptor.getView()).pointer);
    return success();
  }
};

/// Selects one of two pointers.
struct LowerChoice : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<tile::PtrType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "does not select a pointer");
    rewriter.replaceOpWithNewOp<arith::SelectOp>(
        op, adaptor.getCondition().front(), adaptor.getTrueValue().front(),
        adaptor.getFalseValue().front());
    return success();
  }
};

struct LowerPtrToInt : OpConversionPattern<tile::PtrToIntOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::PtrToIntOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::PtrToIntOp>(op, op.getType(),
                                                  adaptor.getPointer().front());
    return success();
  }
};

struct LowerIntToPtr : OpConversionPattern<tile::IntToPtrOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::IntToPtrOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::IntToPtrOp>(
        op, getTypeConverter()->convertType(op.getType()),
        adaptor.getAddress().front());
    return success();
  }
};

struct LowerViewAt : OpConversionPattern<tile::ViewAtOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::ViewAtOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> sizes =
        mixedIndices(rewriter, loc, adaptor.getSizes(), op.getStaticSizes());
    SmallVector<Value> strides;
    if (op.getStaticStrides()) {
      strides = mixedIndices(rewriter, loc, adaptor.getStrides(),
                             *op.getStaticStrides());
    } else {
      // Dense: the product of the sizes of the following axes.
      Value stride = indexConstant(rewriter, loc, 1);
      strides.resize(sizes.size());
      for (int64_t axis = int64_t(sizes.size()) - 1; axis >= 0; --axis) {
        strides[axis] = stride;
        stride = arith::MulIOp::create(rewriter, loc, stride, sizes[axis]);
      }
    }
    SmallVector<Value> parts = {adaptor.getBase().front()};
    parts.append(sizes);
    parts.append(strides);
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};
} // namespace

void populateViewPatterns(const ThreadTypeConverter &converter,
                          RewritePatternSet &patterns) {
  patterns
      .add<LowerDim, LowerNumTiles, LowerSubview, LowerSelect, LowerTranspose,
           LowerBase, LowerChoice, LowerPtrToInt, LowerIntToPtr, LowerViewAt>(
          converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
