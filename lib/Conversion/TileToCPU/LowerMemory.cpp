// Loads, stores, gathers and scatters: the clipped box of a view that a tile
// covers, read where it lies when it can be. A load of memory that the kernel
// never writes is a window of it when its rows are contiguous and the tile is
// whole, or only the part that is inside is asked for; else it is copied to a
// padded scratch.
#include "TileGPT/Conversion/TileToArith/PadValue.h"
#include "TileToLinalg.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;

namespace {
/// The part of a view that a tile covers, one entry an axis of the view.
struct Box {
  SmallVector<OpFoldResult> offsets; ///< first element if inside, else 0
  SmallVector<OpFoldResult> whole;   ///< elements of the tile
  SmallVector<OpFoldResult> starts;  ///< first element if there is any, else 0
  SmallVector<OpFoldResult> clipped; ///< elements inside the view
  Value inside;                      ///< i1: clipped == whole

  /// False when the type of the view says that no tile fits.
  bool mayBeInside = true;
};
} // namespace

static SmallVector<OpFoldResult> ones(OpBuilder &builder, size_t rank) {
  return SmallVector<OpFoldResult>(rank, builder.getIndexAttr(1));
}

static SmallVector<OpFoldResult> zeros(OpBuilder &builder, size_t rank) {
  return SmallVector<OpFoldResult>(rank, builder.getIndexAttr(0));
}

static Value truth(OpBuilder &builder, Location loc, bool value) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

ClippedAxis cpu::clippedLength(OpBuilder &builder, Location loc, Value view,
                               int64_t axis, Value index, int64_t size) {
  Value zero = indexConstant(builder, loc, 0);
  Value tile = indexConstant(builder, loc, size);
  Value start = builder.createOrFold<arith::MulIOp>(loc, index, tile);
  Value dim = memrefDim(builder, loc, view, axis);
  Value left = builder.createOrFold<arith::SubIOp>(loc, dim, start);
  // A tile in front of the view is as empty as one behind it: tile indices are
  // whole, so it lies outside entirely.
  Value behind = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::sge, start, zero);
  Value capped = builder.createOrFold<arith::MinSIOp>(loc, left, tile);
  Value length = builder.createOrFold<arith::MaxSIOp>(loc, capped, zero);
  length = builder.createOrFold<arith::SelectOp>(loc, behind, length, zero);
  return {start, length};
}

/// The box of the tile at `indices` (counted in tiles) of `view`. An axis
/// without an index is left out of the test and starts at 0 with one element:
/// the axis a gather names.
static Box makeBox(OpBuilder &builder, Location loc, Value view,
                   ArrayRef<Value> indices, ArrayRef<int64_t> sizes) {
  Box box;
  Value zero = indexConstant(builder, loc, 0);
  for (auto [axis, index, size] : llvm::enumerate(indices, sizes)) {
    box.whole.push_back(builder.getIndexAttr(index ? size : 1));
    if (!index) {
      box.offsets.push_back(builder.getIndexAttr(0));
      box.starts.push_back(builder.getIndexAttr(0));
      box.clipped.push_back(builder.getIndexAttr(1));
      continue;
    }
    const auto [start, length] =
        clippedLength(builder, loc, view, int64_t(axis), index, size);
    Value tile = indexConstant(builder, loc, size);
    Value fits = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::eq, length, tile);
    box.inside =
        box.inside ? builder.createOrFold<arith::AndIOp>(loc, box.inside, fits)
                   : fits;
    // The branch that is not taken must be valid too once indices are
    // constants: it starts at 0.
    Value some = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::ne, length, zero);
    auto startIf = [&](Value condition) {
      return getAsOpFoldResult(
          builder.createOrFold<arith::SelectOp>(loc, condition, start, zero));
    };
    box.offsets.push_back(startIf(fits));
    box.starts.push_back(startIf(some));
    box.clipped.push_back(getAsOpFoldResult(length));
    auto type = cast<MemRefType>(view.getType());
    box.mayBeInside &= type.isDynamicDim(axis) || type.getDimSize(axis) >= size;
  }
  if (!box.inside)
    box.inside = truth(builder, loc, true);
  return box;
}

static Value window(OpBuilder &builder, Location loc, Value memref,
                    ArrayRef<OpFoldResult> offsets,
                    ArrayRef<OpFoldResult> sizes) {
  return memref::SubViewOp::create(builder, loc, memref, offsets, sizes,
                                   ones(builder, sizes.size()));
}

/// Emits both versions of an access, or only the clipped one when no tile fits.
static void eitherWay(OpBuilder &builder, Location loc, const Box &box,
                      Value isWhole, function_ref<void(OpBuilder &)> whole,
                      function_ref<void(OpBuilder &)> clipped) {
  if (!box.mayBeInside)
    return clipped(builder);
  auto choose = scf::IfOp::create(builder, loc, isWhole,
                                  /*withElseRegion=*/true);
  OpBuilder then = choose.getThenBodyBuilder();
  whole(then);
  OpBuilder other = choose.getElseBodyBuilder();
  clipped(other);
}

static Value padConstant(OpBuilder &builder, Location loc, tile::PadKind pad,
                         Type type) {
  return arith::ConstantOp::create(builder, loc, tile::padValue(pad, type));
}

/// A view whose axes run in the order of the tile's, and the indices to match.
static void applyOrder(OpBuilder &builder, Location loc, Value &view,
                       SmallVectorImpl<Value> &indices,
                       std::optional<ArrayRef<int64_t>> order) {
  if (!order)
    return;
  view = memref::TransposeOp::create(
      builder, loc, view,
      AffineMapAttr::get(
          AffineMap::getPermutationMap(*order, builder.getContext())));
  SmallVector<Value> permuted;
  for (int64_t axis : *order)
    permuted.push_back(indices[axis]);
  indices = permuted;
}

/// True when neighbours along the last axis are neighbours in memory.
static bool hasUnitInnerStride(MemRefType type) {
  return type.getRank() == 0 || type.getStridesAndOffset().first.back() == 1;
}

/// Copies the box of `view` to `scratch`, pad outside.
static void copyPadded(OpBuilder &builder, Location loc, Value view,
                       const Box &box, Value pad, Value scratch) {
  linalg::FillOp::create(builder, loc, pad, scratch);
  Value source = window(builder, loc, view, box.starts, box.clipped);
  Value target = window(builder, loc, scratch,
                        zeros(builder, box.clipped.size()), box.clipped);
  linalg::CopyOp::create(builder, loc, source, target);
}

/// The pad value where the mask is false; elements of the view that it hides
/// may be read all the same.
static Value applyMask(OpBuilder &builder, Location loc, Value mask, Value tile,
                       Value pad) {
  if (!mask)
    return tile;
  Value pads = tensor::SplatOp::create(builder, loc, pad, tile.getType());
  return arith::SelectOp::create(builder, loc, mask, tile, pads);
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
    Box box = makeBox(rewriter, loc, view, indices, tileType.getShape());
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
  /// The type of a tile that lies in a view.
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
                          const Box &box, Value pad,
                          RankedTensorType tileType) {
    Value scratch = memref::AllocOp::create(
        builder, loc,
        MemRefType::get(tileType.getShape(), tileType.getElementType()));
    copyPadded(builder, loc, view, box, pad, scratch);
    return castMemref(builder, loc, scratch, windowType(tileType));
  }

  /// A window of the view where `holds`, a padded copy where it does not.
  static Value windowOrCopy(OpBuilder &builder, Location loc, Value view,
                            const Box &box, Value pad,
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

  /// Reads the tile where it lies if it is whole.
  static Value loadInPlace(OpBuilder &builder, Location loc, Value view,
                           const Box &box, Value pad,
                           RankedTensorType tileType) {
    return windowOrCopy(builder, loc, view, box, pad, tileType, box.inside,
                        [&](OpBuilder &then) {
                          return castMemref(
                              then, loc,
                              window(then, loc, view, box.offsets, box.whole),
                              windowType(tileType));
                        });
  }

  /// Reads the tile where it lies if all that is asked of it is there.
  static Value loadPart(ConversionPatternRewriter &rewriter, tile::LoadOp op,
                        Value view, const Box &box, Value pad,
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

  /// Whether all accesses that say what is asked of an axis are known to have
  /// no more of it than the load has.
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
                        const Box &box, Value pad, RankedTensorType tileType) {
    Value scratch = memref::AllocOp::create(
        builder, loc,
        MemRefType::get(tileType.getShape(), tileType.getElementType()));
    eitherWay(
        builder, loc, box, box.inside,
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

/// Writes the box-shaped front of `value`, whose element (0, …, `entry`, …, 0)
/// comes first, to `view`.
static void storeBox(OpBuilder &builder, Location loc, Value value,
                     ArrayRef<OpFoldResult> from, Value view,
                     ArrayRef<OpFoldResult> offsets,
                     ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(value.getType());
  bool isWhole = llvm::all_of_zip(sizes, type.getShape(),
                                  [](OpFoldResult size, int64_t dim) {
                                    return getConstantIntValue(size) == dim;
                                  });
  if (!isWhole)
    value = tensor::ExtractSliceOp::create(builder, loc, value, from, sizes,
                                           ones(builder, sizes.size()));
  bufferization::MaterializeInDestinationOp::create(
      builder, loc, /*result=*/Type(), value,
      window(builder, loc, view, offsets, sizes), /*restrict=*/true,
      /*writable=*/true);
}

/// Element by element: what a mask hides may belong to another block and is not
/// touched.
static void storeMasked(OpBuilder &builder, Location loc, Value value,
                        Value mask, ArrayRef<OpFoldResult> from, Value view,
                        ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes) {
  OpBuilder::InsertionGuard guard(builder);
  Value zero = indexConstant(builder, loc, 0),
        one = indexConstant(builder, loc, 1);
  Value target = window(builder, loc, view, offsets, sizes);
  SmallVector<Value> at, element;
  for (auto [size, first] : llvm::zip_equal(sizes, from)) {
    auto loop = scf::ForOp::create(
        builder, loc, zero, getValueOrCreateConstantIndexOp(builder, loc, size),
        one);
    builder.setInsertionPointToStart(loop.getBody());
    at.push_back(loop.getInductionVar());
    element.push_back(builder.createOrFold<arith::AddIOp>(
        loc, loop.getInductionVar(),
        getValueOrCreateConstantIndexOp(builder, loc, first)));
  }
  Value shown = tensor::ExtractOp::create(builder, loc, mask, element);
  auto choose = scf::IfOp::create(builder, loc, shown);
  OpBuilder then = choose.getThenBodyBuilder();
  Value scalar = tensor::ExtractOp::create(then, loc, value, element);
  memref::StoreOp::create(then, loc, scalar, target, at);
}

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
    Box box = makeBox(rewriter, loc, view, indices, tileType.getShape());
    SmallVector<OpFoldResult> from = zeros(rewriter, tileType.getRank());
    if (Value mask = adaptor.getMask()) {
      storeMasked(rewriter, loc, value, mask, from, view, box.starts,
                  box.clipped);
    } else {
      eitherWay(
          rewriter, loc, box, box.inside,
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
    Box box = makeBox(rewriter, loc, view, withGap(adaptor.getIndices(), axis),
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
    Box row = box;
    row.offsets[axis] = row.starts[axis] = entry.index;
    SmallVector<OpFoldResult> at = zeros(body, rank);
    at[axis] = position;
    Value whole = arith::AndIOp::create(body, loc, entry.exists, box.inside);
    eitherWay(
        body, loc, box, whole,
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
    Box box = makeBox(rewriter, loc, view, withGap(adaptor.getIndices(), axis),
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

void cpu::populateMemoryPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns,
                                 const LoadSet &inPlace,
                                 const LoadEdges &edges) {
  patterns.add<LowerLoad>(converter, patterns.getContext(), inPlace, edges);
  patterns.add<LowerStore, LowerGather, LowerScatter>(converter,
                                                      patterns.getContext());
}
