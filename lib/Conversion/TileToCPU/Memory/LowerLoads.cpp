// Lowers loads, in place if possible: a load of memory that the kernel never
// writes becomes a window of it if its rows are contiguous and either the tile
// is whole or only its in-bounds part is used; otherwise it is copied to a
// padded buffer.
#include "Memory/TileBox.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;

/// Whether elements that are adjacent along the last axis are adjacent in
/// memory.
static bool hasUnitInnerStride(MemRefType type) {
  return type.getRank() == 0 || type.getStridesAndOffset().first.back() == 1;
}

/// Copies the box of `view` to `scratch`, pad outside.
static void copyPadded(OpBuilder &builder, Location loc, Value view,
                       const TileBox &box, Value pad, Value scratch) {
  linalg::FillOp::create(builder, loc, pad, scratch);
  Value source = window(builder, loc, view, box.starts, box.clipped);
  Value target = window(builder, loc, scratch,
                        zeros(builder, box.clipped.size()), box.clipped);
  linalg::CopyOp::create(builder, loc, source, target);
}

namespace {
struct LowerLoad : OpConversionPattern<tile::LoadOp> {
  LowerLoad(const TypeConverter &converter, MLIRContext *context,
            const LoadSet &inPlace, const LoadEdges &edges)
      : OpConversionPattern(converter, context), inPlace(inPlace),
        edges(edges) {}

  LogicalResult
  matchAndRewrite(tile::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto tileType = cast<RankedTensorType>(op.getResult().getType());
    Value view = adaptor.getView();
    SmallVector<Value> indices(adaptor.getIndices());
    applyOrder(rewriter, loc, view, indices, op.getOrder());
    TileBox box(rewriter, loc, view, indices, tileType.getShape());
    Value pad =
        padConstant(rewriter, loc, op.getPad(), tileType.getElementType());
    const bool readsInPlace =
        inPlace.contains(op) &&
        hasUnitInnerStride(cast<MemRefType>(view.getType()));
    const auto part = edges.find(op);
    Value tile;
    if (readsInPlace && part != edges.end())
      tile = loadPart(rewriter, op, view, box, pad, part->second);
    else if (readsInPlace && box.mayBeInside)
      tile = loadInPlace(rewriter, loc, view, box, pad, tileType);
    else
      tile = loadCopy(rewriter, loc, view, box, pad, tileType);
    rewriter.replaceOp(op,
                       applyMask(rewriter, loc, adaptor.getMask(), tile, pad));
    return success();
  }

private:
  /// The memref type of a tile that is a window of a view.
  static MemRefType windowType(RankedTensorType tile) {
    SmallVector<int64_t> strides(tile.getRank(), ShapedType::kDynamic);
    if (!strides.empty())
      strides.back() = 1;
    return MemRefType::get(tile.getShape(), tile.getElementType(),
                           StridedLayoutAttr::get(tile.getContext(),
                                                  ShapedType::kDynamic,
                                                  strides));
  }

  static Value asTile(OpBuilder &builder, Location loc, RankedTensorType tile,
                      Value memref) {
    return bufferization::ToTensorOp::create(builder, loc, tile, memref,
                                             /*restrict=*/true);
  }

  static Value paddedCopy(OpBuilder &builder, Location loc, Value view,
                          const TileBox &box, Value pad,
                          RankedTensorType tileType) {
    Value scratch = memref::AllocOp::create(
        builder, loc,
        MemRefType::get(tileType.getShape(), tileType.getElementType()));
    copyPadded(builder, loc, view, box, pad, scratch);
    return castMemref(builder, loc, scratch, windowType(tileType));
  }

  /// A window of the view where `holds`, a padded copy where it does not.
  static Value windowOrCopy(OpBuilder &builder, Location loc, Value view,
                            const TileBox &box, Value pad,
                            RankedTensorType tileType, Value holds,
                            function_ref<Value(OpBuilder &)> makeWindow) {
    auto choose = scf::IfOp::create(builder, loc, windowType(tileType), holds,
                                    /*withElseRegion=*/true);
    OpBuilder then = choose.getThenBodyBuilder();
    scf::YieldOp::create(then, loc, makeWindow(then));
    OpBuilder other = choose.getElseBodyBuilder();
    scf::YieldOp::create(other, loc,
                         paddedCopy(other, loc, view, box, pad, tileType));
    return asTile(builder, loc, tileType, choose.getResult(0));
  }

  /// Uses the tile in place, without a copy, if it is entirely in bounds.
  static Value loadInPlace(OpBuilder &builder, Location loc, Value view,
                           const TileBox &box, Value pad,
                           RankedTensorType tileType) {
    return windowOrCopy(builder, loc, view, box, pad, tileType, box.inside,
                        [&](OpBuilder &then) {
                          return castMemref(
                              then, loc,
                              window(then, loc, view, box.offsets, box.whole),
                              windowType(tileType));
                        });
  }

  /// Uses the tile in place if all elements that are needed are in bounds.
  static Value loadPart(ConversionPatternRewriter &rewriter, tile::LoadOp op,
                        Value view, const TileBox &box, Value pad,
                        ArrayRef<TileEdges> edges) {
    Location loc = op.getLoc();
    auto tileType = cast<RankedTensorType>(op.getResult().getType());
    Value holds;
    for (auto [axis, each] : llvm::enumerate(edges)) {
      if (isAsLong(op, axis, each))
        continue;
      Value asked = getValueOrCreateConstantIndexOp(
          rewriter, loc,
          extentOf(rewriter, loc, each, tileType.getDimSize(axis)));
      Value there =
          getValueOrCreateConstantIndexOp(rewriter, loc, box.clipped[axis]);
      Value enough = rewriter.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::sge, there, asked);
      holds = holds ? rewriter.createOrFold<arith::AndIOp>(loc, holds, enough)
                    : enough;
    }
    const auto makeWindow = [&](OpBuilder &builder) -> Value {
      Value first = window(builder, loc, view, box.starts, box.clipped);
      auto parts =
          memref::ExtractStridedMetadataOp::create(builder, loc, first);
      SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(
                                    builder.getContext(), tileType.getShape()),
                                strides;
      llvm::append_range(strides, parts.getStrides());
      strides.back() = builder.getIndexAttr(1);
      return memref::ReinterpretCastOp::create(
          builder, loc, windowType(tileType), parts.getBaseBuffer(),
          OpFoldResult(parts.getOffset()), sizes, strides);
    };
    if (!holds)
      return asTile(rewriter, loc, tileType, makeWindow(rewriter));
    return windowOrCopy(rewriter, loc, view, box, pad, tileType, holds,
                        makeWindow);
  }

  /// Whether all accesses that determine the used part of an axis are known to
  /// be no longer than the load.
  static bool isAsLong(tile::LoadOp load, int64_t axis,
                       const TileEdges &edges) {
    auto own = cast<tile::ViewType>(load.getView().getType());
    const int64_t size =
        cast<RankedTensorType>(load.getResult().getType()).getDimSize(axis);
    return !edges.empty() && llvm::all_of(edges, [&](const TileEdge &edge) {
      if (edge.view == load.getView() && edge.axis == axis &&
          edge.index == load.getIndices()[axis])
        return true;
      auto other = cast<tile::ViewType>(edge.view.getType());
      return edge.index == load.getIndices()[axis] && edge.size == size &&
             !own.isDynamicDim(axis) && !other.isDynamicDim(edge.axis) &&
             own.getShape()[axis] >= other.getShape()[edge.axis];
    });
  }

  /// A copy of the tile, which may then be overwritten.
  static Value loadCopy(OpBuilder &builder, Location loc, Value view,
                        const TileBox &box, Value pad,
                        RankedTensorType tileType) {
    Value scratch = memref::AllocOp::create(
        builder, loc,
        MemRefType::get(tileType.getShape(), tileType.getElementType()));
    box.eitherWay(
        builder, loc, box.inside,
        [&](OpBuilder &then) {
          linalg::CopyOp::create(
              then, loc, window(then, loc, view, box.offsets, box.whole),
              scratch);
        },
        [&](OpBuilder &other) {
          copyPadded(other, loc, view, box, pad, scratch);
        });
    return bufferization::ToTensorOp::create(builder, loc, tileType, scratch,
                                             /*restrict=*/true,
                                             /*writable=*/true);
  }

  const LoadSet &inPlace;
  const LoadEdges &edges;
};
} // namespace

void cpu::populateLoadPatterns(const TypeConverter &converter,
                               RewritePatternSet &patterns,
                               const LoadSet &inPlace, const LoadEdges &edges) {
  patterns.add<LowerLoad>(converter, patterns.getContext(), inPlace, edges);
}
