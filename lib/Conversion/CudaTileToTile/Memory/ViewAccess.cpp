// How a tile maps to the tensor of its view.
#include "ViewAccess.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Build = ImplicitLocOpBuilder;

/// A view type, dense if the sizes imply the strides.
static tile::ViewType makeType(tile::ViewType source, ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> strides) {
  MLIRContext *context = source.getContext();
  auto dense = tile::ViewType::get(context, shape, source.getElementType(), {});
  if (llvm::none_of(strides, ShapedType::isDynamic) &&
      ArrayRef<int64_t>(dense.getKnownStrides()) == strides)
    return dense;
  return tile::ViewType::get(context, shape, source.getElementType(), strides);
}

static tile::ViewType typeOf(Value view) {
  return cast<tile::ViewType>(view.getType());
}

static Value dimOf(Build &b, Value view, int64_t axis) {
  return b.createOrFold<tile::DimOp>(view, axis);
}

static Value indexOf(Build &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

/// A window of a view from `starts` to the end of each axis, but at most of
/// size `limits`; without a start it spans the axis.
static Value makeWindow(Build &b, Value view, ArrayRef<Value> starts,
                        ArrayRef<int64_t> limits) {
  tile::ViewType type = typeOf(view);
  SmallVector<int64_t> offsets, sizes, shape;
  SmallVector<Value> dynamicOffsets, dynamicSizes;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    Value size = dimOf(b, view, axis);
    if (starts[axis]) {
      Value left = arith::SubIOp::create(b, size, starts[axis]);
      size = arith::MinUIOp::create(b, left, indexOf(b, limits[axis]));
      dynamicOffsets.push_back(starts[axis]);
      offsets.push_back(ShapedType::kDynamic);
    } else {
      offsets.push_back(0);
    }
    shape.push_back(starts[axis] ? ShapedType::kDynamic
                                 : type.getShape()[axis]);
    sizes.push_back(shape.back());
    if (ShapedType::isDynamic(shape.back()))
      dynamicSizes.push_back(size);
  }
  return tile::SubviewOp::create(
      b, makeType(type, shape, type.getKnownStrides()), view, dynamicOffsets,
      dynamicSizes, b.getDenseI64ArrayAttr(offsets),
      b.getDenseI64ArrayAttr(sizes));
}

/// Selects entries along the axes that have one.
static Value selectEntries(Build &b, Value view, ArrayRef<Value> entries) {
  SmallVector<int64_t> order;
  SmallVector<Value> selected;
  for (auto [axis, entry] : llvm::enumerate(entries))
    if (entry) {
      order.push_back(int64_t(axis));
      selected.push_back(entry);
    }
  if (selected.empty())
    return view;
  for (auto [axis, entry] : llvm::enumerate(entries))
    if (!entry)
      order.push_back(int64_t(axis));
  tile::ViewType type = typeOf(view);
  if (!llvm::is_sorted(order)) {
    SmallVector<int64_t> shape, strides, known = type.getKnownStrides();
    for (int64_t axis : order) {
      shape.push_back(type.getShape()[axis]);
      strides.push_back(known[axis]);
    }
    view = tile::TransposeOp::create(b, makeType(type, shape, strides), view,
                                     b.getDenseI64ArrayAttr(order));
    type = typeOf(view);
  }
  ArrayRef<int64_t> shape = type.getShape().drop_front(selected.size());
  tile::ViewType left =
      type.isDense() ? tile::ViewType::get(b.getContext(), shape,
                                           type.getElementType(), {})
                     : makeType(type, shape,
                                type.getStrides().drop_front(selected.size()));
  return tile::SelectOp::create(b, left, view, selected);
}

namespace {
/// How a tile view traverses an axis of its tensor.
struct Axis {
  int64_t tileAxis = 0, size = 1, step = 1;
};
} // namespace

static SmallVector<Axis> axesOf(TileView type, ArrayRef<int32_t> dimMap,
                                ArrayRef<int32_t> steps) {
  SmallVector<Axis> axes(dimMap.size());
  for (auto [tileAxis, axis] : llvm::enumerate(dimMap))
    axes[axis] = {int64_t(tileAxis), type.getTile()[tileAxis], steps[tileAxis]};
  return axes;
}

static SmallVector<Axis> axesOf(TileView type) {
  if (auto strided = dyn_cast<StridedViewType>(type))
    return axesOf(type, strided.getDimMap(),
                  strided.getTraversalStrides().asArrayRef());
  if (auto partition = dyn_cast<PartitionViewType>(type))
    return axesOf(type, partition.getDimMap(), type.getTile());
  auto dimMap = llvm::to_vector(llvm::seq<int32_t>(0, type.getTile().size()));
  // The other indices of a gather are element indices.
  return axesOf(type, dimMap, SmallVector<int32_t>(dimMap.size(), 1));
}

/// An unsigned index of an axis. A constant whose first element is no signed
/// number is undefined and becomes 0: the code may be dead.
static Value startIndex(Build &b, Value integer, int64_t step) {
  Value index = toIndex(b, integer);
  const std::optional<int64_t> at = getConstantIntValue(index);
  if (at && uint64_t(*at) > uint64_t(INT64_MAX) / uint64_t(step))
    return indexOf(b, 0);
  return index;
}

Place findPlace(Build &b, TileView type, Value view, ArrayRef<Value> indices) {
  Place place;
  place.shape.assign(type.getTile().begin(), type.getTile().end());
  const SmallVector<Axis> axes = axesOf(type);
  const size_t rank = axes.size();
  const std::optional<unsigned> sparse = type.getSparseAxis();
  if (sparse) {
    place.sparseAxis = *sparse;
    place.rows = indices[*sparse];
  }
  // Axes of size 1 are dropped while more than two are left, or one larger one.
  size_t left = rank;
  SmallVector<Value> entries(rank), starts(rank), numbers(rank);
  SmallVector<int64_t> limits(rank);
  for (auto [axis, one] : llvm::enumerate(axes)) {
    limits[axis] = one.size;
    if (sparse == axis)
      continue;
    Value index = startIndex(b, indices[one.tileAxis], one.step);
    auto start = [&]() -> Value {
      return one.step == 1
                 ? index
                 : arith::MulIOp::create(b, index, indexOf(b, one.step));
    };
    if (one.size == 1 && left > 2 && !sparse) {
      entries[axis] = start();
      --left;
    } else if (one.step == one.size) {
      numbers[axis] = index;
    } else if (!isConstantIntValue(index, 0)) {
      starts[axis] = start();
    }
  }
  if (llvm::any_of(starts, [](Value start) { return bool(start); }))
    view = makeWindow(b, view, starts, limits);
  place.view = selectEntries(b, view, entries);
  // The remaining axes in the view's order, and the view axis of each tile
  // axis.
  SmallVector<std::pair<int64_t, int64_t>> order; // tile axis, view axis
  for (auto [axis, one] : llvm::enumerate(axes)) {
    if (entries[axis])
      continue;
    order.emplace_back(one.tileAxis, int64_t(place.sizes.size()));
    place.sizes.push_back(one.size);
    if (sparse == axis)
      continue;
    place.indices.push_back(numbers[axis] ? numbers[axis] : indexOf(b, 0));
  }
  llvm::sort(order);
  for (auto [tileAxis, axis] : order) {
    place.axes.push_back(axis);
    place.tile.push_back(place.shape[tileAxis]);
  }
  return place;
}

static Value permuteTo(Build &b, Value value, ArrayRef<int64_t> order,
                       ArrayRef<int64_t> shape) {
  if (llvm::is_sorted(order))
    return value;
  return tile::PermuteOp::create(
      b, RankedTensorType::get(shape, getElementTypeOrSelf(value)), value,
      b.getDenseI64ArrayAttr(order));
}

Value fromView(Build &b, const Place &place, Value loaded) {
  Value tile = permuteTo(b, loaded, place.axes, place.tile);
  return reshapeTo(b, tile, place.shape);
}

Value toView(Build &b, const Place &place, Value stored) {
  SmallVector<int64_t> inverse(place.axes.size());
  for (auto [tileAxis, axis] : llvm::enumerate(place.axes))
    inverse[axis] = int64_t(tileAxis);
  Value tile = reshapeTo(b, stored, place.tile);
  return permuteTo(b, tile, inverse, place.sizes);
}

/// The stride along an axis, in elements, as an index.
static Value strideOf(Build &b, Value view, int64_t axis) {
  const int64_t known = typeOf(view).getKnownStrides()[axis];
  if (!ShapedType::isDynamic(known))
    return indexOf(b, known);
  if (auto window = view.getDefiningOp<tile::SubviewOp>())
    return strideOf(b, window.getSource(), axis);
  if (auto select = view.getDefiningOp<tile::SelectOp>())
    return strideOf(b, select.getSource(),
                    axis + int64_t(select.getIndices().size()));
  if (auto transpose = view.getDefiningOp<tile::TransposeOp>())
    return strideOf(b, transpose.getSource(), transpose.getPermutation()[axis]);
  auto at = cast<tile::ViewAtOp>(view.getDefiningOp());
  ArrayRef<int64_t> strides = *at.getStaticStrides();
  return at.getStrides()[llvm::count_if(strides.take_front(axis),
                                        ShapedType::isDynamic)];
}

Distances findDistances(Build &b, const Place &place) {
  Distances result;
  const Type i64 = b.getI64Type();
  auto spread = [&](Value line, int64_t axis) -> Value {
    SmallVector<int64_t> shape(place.sizes.size(), 1);
    shape[axis] = place.sizes[axis];
    Value column = reshapeTo(b, line, shape);
    if (shape == place.sizes)
      return column;
    return tile::BroadcastOp::create(
        b, RankedTensorType::get(place.sizes, getElementTypeOrSelf(line)),
        column, sizesAttr(b, place.sizes));
  };
  ArrayRef<Value> indices = place.indices; // of all axes but the sparse one
  for (auto [axis, size] : llvm::enumerate(place.sizes)) {
    auto type = RankedTensorType::get({size}, i64);
    auto number = [&](Value index) {
      return splat(b, arith::IndexCastOp::create(b, i64, index), {size});
    };
    Value at;
    if (int64_t(axis) == place.sparseAxis) {
      at = place.rows;
      if (at.getType() != type)
        at = arith::ExtSIOp::create(b, type, at);
    } else {
      Value start =
          arith::MulIOp::create(b, indices.consume_front(), indexOf(b, size));
      at = arith::AddIOp::create(
          b, tile::IotaOp::create(b, type, sizesAttr(b, {size})),
          number(start));
    }
    Value inside =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, at,
                              number(dimOf(b, place.view, int64_t(axis))));
    if (int64_t(axis) == place.sparseAxis) {
      Value isRow = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, at,
                                          integerOf(b, type, 0));
      inside = arith::AndIOp::create(b, inside, isRow);
    }
    Value distance = arith::MulIOp::create(
        b, at, number(strideOf(b, place.view, int64_t(axis))));
    distance = spread(distance, int64_t(axis));
    inside = spread(inside, int64_t(axis));
    result.offsets = result.offsets
                         ? arith::AddIOp::create(b, result.offsets, distance)
                         : distance;
    result.mask =
        result.mask ? arith::AndIOp::create(b, result.mask, inside) : inside;
  }
  result.base = tile::BaseOp::create(
      b,
      tile::PtrType::get(b.getContext(), typeOf(place.view).getElementType()),
      place.view);
  return result;
}

} // namespace tilegpt::cuda_tile
