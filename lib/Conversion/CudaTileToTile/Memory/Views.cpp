// Converts views and accesses through them. Properties of a tile view, such as
// the sizes and axes of its tiles, move into each access.
#include "Addresses.h"
#include "MemoryOrders.h"
#include "PackedViews.h"
#include "Patterns.h"
#include "SmallTypes.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "ViewAccess.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Build = ImplicitLocOpBuilder;

/// Offsets a pointer by some elements.
static Value advance(Build &b, Value base, Value distance) {
  if (isZeroInteger(distance))
    return base;
  // Addresses and loop-carried pointers carry no alignment info.
  auto argument = dyn_cast<BlockArgument>(base);
  const bool isCarried =
      argument && !isa<tile::KernelOp>(argument.getOwner()->getParentOp());
  if (isCarried ||
      isa_and_present<tile::IntToPtrOp, scf::IfOp, scf::ForOp, scf::WhileOp>(
          base.getDefiningOp()))
    return pointersAt(b, addressesOf(b, {base, distance}),
                      cast<tile::PtrType>(base.getType()).getPointee())[0];
  // The address of the last element of a view of `distance` + 1 elements.
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

/// Halves an even number of elements to get bytes. Asserts that it is even,
/// which the interpreter checks.
static Value halve(Build &b, Value index) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return arith::ConstantIndexOp::create(b, constant.getSExtValue() / 2);
  Value even = tile::AssumeOp::create(b, index, b.getI64IntegerAttr(2),
                                      DenseI64ArrayAttr());
  return arith::DivUIOp::create(b, even, arith::ConstantIndexOp::create(b, 2));
}

static LogicalResult convertTensorView(MakeTensorViewOp op,
                                       OperandsOf<MakeTensorViewOp> operands,
                                       ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  auto tensor = cast<TensorViewType>(op.getResult().getType());
  tile::ViewType type = convertView(tensor);
  ValueRange pointer = operands.getBase();
  Value base = advance(b, pointer[0], pointer[1]);
  std::optional<PackedTensor> packed = packTensor(tensor);
  // The dynamic entries of `known`. For half bytes, sizes along the packed axis
  // and strides along all others are halved.
  auto toIndices = [&](ArrayRef<ValueRange> ranges, ArrayRef<int64_t> known,
                       bool areSizes) {
    SmallVector<Value> indices;
    for (auto [axis, size] : llvm::enumerate(known)) {
      if (!ShapedType::isDynamic(size))
        continue;
      Value index = toIndex(b, ranges[indices.size()].front());
      const bool isPackedAxis = packed && packed->axis == int64_t(axis);
      indices.push_back(packed && isPackedAxis == areSizes ? halve(b, index)
                                                           : index);
    }
    return indices;
  };
  DenseI64ArrayAttr strides;
  if (!type.isDense())
    strides = b.getDenseI64ArrayAttr(type.getStrides());
  Value view = tile::ViewAtOp::create(
      b, type, base,
      toIndices(operands.getDynamicShape(), tensor.getShape(), true),
      toIndices(operands.getDynamicStrides(), tensor.getStrides(), false),
      b.getDenseI64ArrayAttr(type.getShape()), strides);
  rewriter.replaceOp(op, view);
  return success();
}

/// The number of tiles of a view along each tile axis.
static LogicalResult
convertIndexSpace(GetIndexSpaceShapeOp op,
                  OperandsOf<GetIndexSpaceShapeOp> operands,
                  ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  auto type = cast<TileView>(op.getSrc().getType());
  if (std::optional<PackedTiles> packed = packTiles(type))
    type = packed->bytes;
  auto strided = dyn_cast<StridedViewType>(type);
  auto partition = dyn_cast<PartitionViewType>(type);
  Value view = operands.getSrc().front();
  SmallVector<Value> counts;
  for (auto [axis, result] : llvm::enumerate(op.getResult())) {
    const int64_t step =
        strided ? strided.getTraversalStrides()[axis] : type.getTile()[axis];
    const int64_t along = strided     ? strided.getDimMap()[axis]
                          : partition ? partition.getDimMap()[axis]
                                      : int64_t(axis);
    Value count = tile::NumTilesOp::create(b, view, uint64_t(along),
                                           sizesAttr(b, {step}));
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
  std::optional<PackedTensor> packed =
      packTensor(cast<TensorViewType>(op.getSrc().getType()));
  SmallVector<Value> sizes;
  for (auto [axis, result] : llvm::enumerate(op.getResult())) {
    Value size = tile::DimOp::create(b, operands.getSrc().front(), axis);
    if (packed && packed->axis == int64_t(axis))
      size =
          arith::MulIOp::create(b, size, arith::ConstantIndexOp::create(b, 2));
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

/// The location of a tile in memory, with half bytes packed in pairs.
static Place findTile(Build &b, TileView type,
                      const std::optional<PackedTiles> &packed, ValueRange view,
                      ArrayRef<ValueRange> indices) {
  SmallVector<Value> numbers = frontsOf(indices);
  if (!packed)
    return findPlace(b, type, view.front(), numbers);
  // The index of a gather is an element index.
  if (isa<GatherScatterViewType>(type)) {
    Value &first = numbers[packed->tileAxis];
    first = fromIndex(b, halve(b, toIndex(b, first)), first.getType());
  }
  return findPlace(b, packed->bytes, view.front(), numbers);
}

static LogicalResult convertLoadView(LoadViewTkoOp op,
                                     OperandsOf<LoadViewTkoOp> operands,
                                     ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  auto type = cast<TileView>(op.getView().getType());
  std::optional<PackedTiles> packed = packTiles(type);
  Place place =
      findTile(b, type, packed, operands.getView(), operands.getIndex());
  const tile::PadKind pad =
      *convertPadding(type.getPadding(), type.getTensor().getElementType());
  auto loadedType = RankedTensorType::get(
      place.sizes, cast<tile::ViewType>(place.view.getType()).getElementType());
  const tile::MemoryOrder order = convertOrder(op.getMemoryOrderingSemantics());
  Value loaded;
  if (place.rows && order == tile::MemoryOrder::Weak) {
    loaded = tile::GatherOp::create(b, loadedType, place.view, place.indices,
                                    place.rows, Value(), place.sparseAxis,
                                    sizesAttr(b, place.sizes), pad);
  } else if (order == tile::MemoryOrder::Weak) {
    loaded = tile::LoadOp::create(b, loadedType, place.view, place.indices,
                                  Value(), sizesAttr(b, place.sizes), pad,
                                  DenseI64ArrayAttr());
    if (Attribute settled = op->getDiscardableAttr(tile::settledAttr))
      loaded.getDefiningOp()->setDiscardableAttr(tile::settledAttr, settled);
  } else {
    Distances distances = findDistances(b, place);
    loaded = tile::LoadAtOp::create(b, loadedType, distances.base,
                                    distances.offsets, distances.mask, pad,
                                    order, convertScope(op.getMemoryScope()));
  }
  Value result = fromView(b, place, loaded);
  if (packed)
    result = unpackHalves(b, result, packed->tileAxis);
  rewriter.replaceOpWithMultiple(op, {SmallVector<Value>{result}, {}});
  return success();
}

static LogicalResult convertStoreView(StoreViewTkoOp op,
                                      OperandsOf<StoreViewTkoOp> operands,
                                      ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  auto type = cast<TileView>(op.getView().getType());
  std::optional<PackedTiles> packed = packTiles(type);
  Place place =
      findTile(b, type, packed, operands.getView(), operands.getIndex());
  Value tile = operands.getTile().front();
  if (packed)
    tile = packHalves(b, tile, packed->tileAxis);
  Value value = toView(b, place, tile);
  const tile::MemoryOrder order = convertOrder(op.getMemoryOrderingSemantics());
  if (place.rows && order == tile::MemoryOrder::Weak) {
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
  addPattern<LoadViewTkoOp>(types, patterns, convertLoadView);
  addPattern<StoreViewTkoOp>(types, patterns, convertStoreView);
}

} // namespace tilegpt::cuda_tile
