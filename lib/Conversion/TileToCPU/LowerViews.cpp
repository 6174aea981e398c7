// Lowers windows of views to windows of memrefs, which moves no data, memory
// that a kernel allocates, and the ops that query sizes and the grid.
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileToLinalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;

namespace {
struct LowerDim : OpConversionPattern<tile::DimOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::DimOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, memrefDim(rewriter, op.getLoc(), adaptor.getView(), op.getAxis()));
    return success();
  }
};

/// ⌈dim/size⌉, written so that no division rounds towards zero below it: sizes
/// are positive.
struct LowerNumTiles : OpConversionPattern<tile::NumTilesOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::NumTilesOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t size = tile::knownSizes(op.getSizes()).front();
    Value dim = memrefDim(rewriter, loc, adaptor.getView(), op.getAxis());
    Value up = arith::AddIOp::create(rewriter, loc, dim,
                                     indexConstant(rewriter, loc, size - 1));
    rewriter.replaceOpWithNewOp<arith::DivUIOp>(
        op, up, indexConstant(rewriter, loc, size));
    return success();
  }
};

struct LowerSubview : OpConversionPattern<tile::SubviewOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::SubviewOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t rank = op.getSource().getType().getRank();
    auto offsets =
        getMixedValues(op.getStaticOffsets(), adaptor.getOffsets(), rewriter);
    auto sizes =
        getMixedValues(op.getStaticSizes(), adaptor.getSizes(), rewriter);
    MemRefType type = memoryType(op.getResult().getType());
    if (beginsAtAnEnd(op.getSource().getType(), offsets)) {
      rewriter.replaceOp(op, emptyWindow(rewriter, loc, adaptor.getSource(),
                                         offsets, sizes, type));
      return success();
    }
    Value window = memref::SubViewOp::create(
        rewriter, loc, adaptor.getSource(), offsets, sizes,
        SmallVector<OpFoldResult>(rank, rewriter.getIndexAttr(1)));
    rewriter.replaceOp(op, castMemref(rewriter, loc, window, type));
    return success();
  }

private:
  /// Whether an offset is the size of its axis, where only an empty window can
  /// be.
  static bool beginsAtAnEnd(tile::ViewType source,
                            ArrayRef<OpFoldResult> offsets) {
    return llvm::any_of(
        llvm::zip_equal(source.getShape(), offsets), [](auto axis) {
          auto [size, offset] = axis;
          return getConstantIntValue(offset) == std::optional<int64_t>(size);
        });
  }

  /// Such a window, which memref.subview rejects.
  static Value emptyWindow(OpBuilder &builder, Location loc, Value source,
                           ArrayRef<OpFoldResult> offsets,
                           ArrayRef<OpFoldResult> sizes, MemRefType type) {
    auto parts = memref::ExtractStridedMetadataOp::create(builder, loc, source);
    Value start = parts.getOffset();
    SmallVector<OpFoldResult> windowSizes, strides;
    for (auto [axis, stride] :
         llvm::enumerate(type.getStridesAndOffset().first)) {
      Value along = arith::MulIOp::create(
          builder, loc,
          getValueOrCreateConstantIndexOp(builder, loc, offsets[axis]),
          parts.getStrides()[axis]);
      start = arith::AddIOp::create(builder, loc, start, along);
      windowSizes.push_back(type.isDynamicDim(axis)
                                ? OpFoldResult(getValueOrCreateConstantIndexOp(
                                      builder, loc, sizes[axis]))
                                : builder.getIndexAttr(type.getDimSize(axis)));
      strides.push_back(ShapedType::isDynamic(stride)
                            ? OpFoldResult(parts.getStrides()[axis])
                            : builder.getIndexAttr(stride));
    }
    return memref::ReinterpretCastOp::create(
        builder, loc, type, parts.getBaseBuffer(), OpFoldResult(start),
        windowSizes, strides);
  }
};

struct LowerSelect : OpConversionPattern<tile::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::SelectOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto source = cast<MemRefType>(adaptor.getSource().getType());
    int64_t rank = source.getRank(), dropped = adaptor.getIndices().size();
    SmallVector<OpFoldResult> offsets(adaptor.getIndices());
    offsets.resize(rank, rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> sizes(dropped, rewriter.getIndexAttr(1));
    for (int64_t axis = dropped; axis < rank; ++axis)
      sizes.push_back(getAsOpFoldResult(
          memrefDim(rewriter, loc, adaptor.getSource(), axis)));
    SmallVector<OpFoldResult> strides(rank, rewriter.getIndexAttr(1));
    auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
        source.getShape().drop_front(dropped), source, offsets, sizes,
        strides));
    Value window = memref::SubViewOp::create(
        rewriter, loc, type, adaptor.getSource(), offsets, sizes, strides);
    rewriter.replaceOp(op, castMemref(rewriter, loc, window,
                                      memoryType(op.getResult().getType())));
    return success();
  }
};

struct LowerTranspose : OpConversionPattern<tile::TransposeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::TransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value window = memref::TransposeOp::create(
        rewriter, op.getLoc(), adaptor.getSource(),
        AffineMapAttr::get(
            AffineMap::getPermutationMap(op.getPermutation(), getContext())));
    rewriter.replaceOp(op, castMemref(rewriter, op.getLoc(), window,
                                      memoryType(op.getResult().getType())));
    return success();
  }
};

/// Each constant gets its own global, and shared memory one of its name. Shared
/// memory of a program is visible to other kernels, which define the same one.
struct LowerData : OpConversionPattern<tile::DataOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::DataOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto value = cast<DenseElementsAttr>(op.getValue());
    int64_t count = value.getNumElements();
    auto flat = RankedTensorType::get({count}, value.getElementType());
    auto type = MemRefType::get({count}, value.getElementType());
    auto module = op->getParentOfType<ModuleOp>();
    StringAttr name = nameOf(op, module);
    if (!module.lookupSymbol(name)) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(module.getBody());
      memref::GlobalOp::create(rewriter, loc, name,
                               op->hasAttr(tile::programAttr)
                                   ? StringAttr()
                                   : rewriter.getStringAttr("private"),
                               type, value.reshape(flat),
                               /*constant=*/!op.getShared(),
                               rewriter.getI64IntegerAttr(op.getAlignment()));
    }
    Value memory = memref::GetGlobalOp::create(rewriter, loc, type, name);
    rewriter.replaceOp(op,
                       pointTo(rewriter, loc, memory,
                               getTypeConverter()->convertType(op.getType())));
    return success();
  }

  /// An unused name, or the common one of shared memory.
  static StringAttr nameOf(tile::DataOp op, ModuleOp module) {
    Builder builder(op.getContext());
    if (std::optional<StringRef> shared = op.getShared()) {
      if (op->hasAttr(tile::programAttr))
        return builder.getStringAttr("tilegpt_program_" + *shared);
      auto function = op->getParentOfType<FunctionOpInterface>();
      return builder.getStringAttr("tilegpt_shared_" + function.getName() +
                                   "_" + *shared);
    }
    int64_t number = 0;
    StringAttr name;
    do {
      name = builder.getStringAttr("tilegpt_data_" + Twine(number++));
    } while (module.lookupSymbol(name));
    return name;
  }

  /// A pointer to the first element of `memory`.
  static Value pointTo(OpBuilder &builder, Location loc, Value memory,
                       Type type) {
    return memref::ReinterpretCastOp::create(
        builder, loc, cast<MemRefType>(type), memory,
        OpFoldResult(indexConstant(builder, loc, 0)), ArrayRef<OpFoldResult>(),
        ArrayRef<OpFoldResult>());
  }
};

/// Like the buffer of a tile, placed by `cpu-place-tile-buffers`.
struct LowerScratch : OpConversionPattern<tile::ScratchOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::ScratchOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value memory = memref::AllocOp::create(
        rewriter, loc,
        MemRefType::get({int64_t(op.getCount())}, op.getType().getPointee()));
    rewriter.replaceOp(
        op, LowerData::pointTo(rewriter, loc, memory,
                               getTypeConverter()->convertType(op.getType())));
    return success();
  }
};

struct LowerBlockId : OpConversionPattern<tile::BlockIdOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::BlockIdOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, gridArgument(op, op.getAxis()));
    return success();
  }
};

struct LowerNumBlocks : OpConversionPattern<tile::NumBlocksOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::NumBlocksOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, gridArgument(op, 3 + op.getAxis()));
    return success();
  }
};
} // namespace

void cpu::populateViewPatterns(const TypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns
      .add<LowerDim, LowerNumTiles, LowerSubview, LowerSelect, LowerTranspose,
           LowerData, LowerScratch, LowerBlockId, LowerNumBlocks>(
          converter, patterns.getContext());
}
