// Views and accesses through them. What a tile view says, how large its tiles
// are and along which axes they lie, goes into each access.
#include "MemoryOrders.h"
#include "Patterns.h"
#include "ViewAccess.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Build = ImplicitLocOpBuilder;

/// A pointer some elements behind another.
static Value advance(Build &b, Value base, Value distance) {
  if (isZeroInteger(distance))
    return base;
  // The second element of a view that ends there is where it points.
  Value at = arith::IndexCastOp::create(b, b.getIndexType(), distance);
  Value size =
      arith::AddIOp::create(b, at, arith::ConstantIndexOp::create(b, 1));
  Type element = cast<tile::PtrType>(base.getType()).getPointee();
  const int64_t open = ShapedType::kDynamic;
  auto reach = tile::ViewType::get(b.getContext(), {open}, element, {});
  Value memory = tile::ViewAtOp::create(b, reach, base, size, ValueRange(),
                                        b.getDenseI64ArrayAttr({open}),
                                        DenseI64ArrayAttr());
  auto one = tile::ViewType::get(b.getContext(), {1}, element, {});
  Value place = tile::SubviewOp::create(b, one, memory, at, ValueRange(),
                                        b.getDenseI64ArrayAttr({open}),
                                        b.getDenseI64ArrayAttr({1}));
  return tile::BaseOp::create(b, base.getType(), place);
}

static LogicalResult convertTensorView(MakeTensorViewOp op,
                                       OperandsOf<MakeTensorViewOp> operands,
                                       ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  auto tensor = cast<TensorViewType>(op.getResult().getType());
  tile::ViewType type = convertView(tensor);
  ValueRange pointer = operands.getBase();
  Value base = advance(b, pointer[0], pointer[1]);
  auto toIndices = [&](ArrayRef<ValueRange> ranges) {
    return llvm::map_to_vector(
        ranges, [&](ValueRange range) { return toIndex(b, range.front()); });
  };
  DenseI64ArrayAttr strides;
  if (!type.isDense())
    strides = b.getDenseI64ArrayAttr(type.getStrides());
  Value view = tile::ViewAtOp::create(
      b, type, base, toIndices(operands.getDynamicShape()),
      toIndices(operands.getDynamicStrides()),
      b.getDenseI64ArrayAttr(type.getShape()), strides);
  rewriter.replaceOp(op, view);
  return success();
}

/// How many tiles a view has along each axis of a tile.
static LogicalResult
convertIndexSpace(GetIndexSpaceShapeOp op,
                  OperandsOf<GetIndexSpaceShapeOp> operands,
                  ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  auto type = cast<TileView>(op.getSrc().getType());
  auto strided = dyn_cast<StridedViewType>(op.getSrc().getType());
  auto partition = dyn_cast<PartitionViewType>(op.getSrc().getType());
  Value view = operands.getSrc().front();
  SmallVector<Value> counts;
  for (auto [axis, result] : llvm::enumerate(op.getResult())) {
    const int64_t step =
        strided ? strided.getTraversalStrides()[axis] : type.getTile()[axis];
    const int64_t along = strided     ? strided.getDimMap()[axis]
                          : partition ? partition.getDimMap()[axis]
                                      : int64_t(axis);
    Value count = tile::NumTilesOp::create(
        b, b.getIndexType(), view, uint64_t(along), sizesAttr(b, {step}));
    counts.push_back(
        fromIndex(b, count, convertTile(cast<TileType>(result.getType()))));
  }
  rewriter.replaceOp(op, counts);
  return success();
}

static LogicalResult convertTensorShape(GetTensorShapeOp op,
                                        OperandsOf<GetTensorShapeOp> operands,
                                        ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  SmallVector<Value> sizes;
  for (auto [axis, result] : llvm::enumerate(op.getResult())) {
    Value size = tile::DimOp::create(b, b.getIndexType(),
                                     operands.getSrc().front(), axis);
    sizes.push_back(
        fromIndex(b, size, convertTile(cast<TileType>(result.getType()))));
  }
  rewriter.replaceOp(op, sizes);
  return success();
}

static SmallVector<Value> frontsOf(ArrayRef<ValueRange> ranges) {
  return llvm::map_to_vector(ranges,
                             [](ValueRange range) { return range.front(); });
}

static LogicalResult convertLoad(LoadViewTkoOp op,
                                 OperandsOf<LoadViewTkoOp> operands,
                                 ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  auto type = cast<TileView>(op.getView().getType());
  Place place = findPlace(b, type, operands.getView().front(),
                          frontsOf(operands.getIndex()));
  const tile::PadKind pad = convertPadding(type.getPadding());
  auto result = RankedTensorType::get(
      place.sizes, cast<tile::ViewType>(place.view.getType()).getElementType());
  const tile::MemoryOrder order = convertOrder(op.getMemoryOrderingSemantics());
  Value loaded;
  if (place.rows) {
    loaded = tile::GatherOp::create(b, result, place.view, place.indices,
                                    place.rows, Value(), place.sparseAxis,
                                    sizesAttr(b, place.sizes), pad);
  } else if (order == tile::MemoryOrder::Weak) {
    loaded = tile::LoadOp::create(b, result, place.view, place.indices, Value(),
                                  sizesAttr(b, place.sizes), pad,
                                  DenseI64ArrayAttr());
  } else {
    Distances distances = findDistances(b, place);
    loaded = tile::LoadAtOp::create(b, result, distances.base,
                                    distances.offsets, distances.mask, pad,
                                    order, convertScope(op.getMemoryScope()));
  }
  rewriter.replaceOpWithMultiple(
      op, {SmallVector<Value>{fromView(b, place, loaded)}, {}});
  return success();
}

static LogicalResult convertStore(StoreViewTkoOp op,
                                  OperandsOf<StoreViewTkoOp> operands,
                                  ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  auto type = cast<TileView>(op.getView().getType());
  Place place = findPlace(b, type, operands.getView().front(),
                          frontsOf(operands.getIndex()));
  Value value = toView(b, place, operands.getTile().front());
  const tile::MemoryOrder order = convertOrder(op.getMemoryOrderingSemantics());
  if (place.rows) {
    tile::ScatterOp::create(b, value, place.view, place.indices, place.rows,
                            Value(), uint64_t(place.sparseAxis));
  } else if (order == tile::MemoryOrder::Weak) {
    tile::StoreOp::create(b, value, place.view, place.indices, Value(),
                          DenseI64ArrayAttr());
  } else {
    Distances distances = findDistances(b, place);
    tile::StoreAtOp::create(b, value, distances.base, distances.offsets,
                            distances.mask, order,
                            convertScope(op.getMemoryScope()));
  }
  rewriter.replaceOpWithMultiple(op, {SmallVector<Value>{}});
  return success();
}

void populateViewPatterns(const TileTypes &types, RewritePatternSet &patterns) {
  addPattern<MakeTensorViewOp>(types, patterns, convertTensorView);
  auto forward = [](auto op, auto operands,
                    ConversionPatternRewriter &rewriter) {
    rewriter.replaceOp(op, operands.getTensorView().front());
    return success();
  };
  addPattern<MakePartitionViewOp>(types, patterns, forward);
  addPattern<MakeStridedViewOp>(types, patterns, forward);
  addPattern<MakeGatherScatterViewOp>(types, patterns, forward);
  addPattern<GetTensorShapeOp>(types, patterns, convertTensorShape);
  addPattern<GetIndexSpaceShapeOp>(types, patterns, convertIndexSpace);
  addPattern<LoadViewTkoOp>(types, patterns, convertLoad);
  addPattern<StoreViewTkoOp>(types, patterns, convertStore);
}

} // namespace tilegpt::cuda_tile
