// Views of half-byte numbers.
#include "PackedViews.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

bool isHalfByte(Type element) {
  return element.isInteger(4) || isa<Float4E2M1FNType>(element);
}

/// Half of a size or stride, which may be dynamic; nullopt if it is odd.
static std::optional<int64_t> half(int64_t size) {
  if (ShapedType::isDynamic(size))
    return size;
  return size % 2 == 0 ? std::optional(size / 2) : std::nullopt;
}

std::optional<PackedTensor> packTensor(TensorViewType tensor) {
  SmallVector<int64_t> shape(tensor.getShape()), strides(tensor.getStrides());
  // Of several axes of stride 1 all but one have a single element.
  int64_t axis = int64_t(strides.size()) - 1;
  while (axis >= 0 && (strides[axis] != 1 || shape[axis] == 1))
    --axis;
  if (!isHalfByte(tensor.getElementType()) || axis < 0)
    return std::nullopt;
  for (auto [other, size, stride] : llvm::enumerate(shape, strides)) {
    int64_t &halved = int64_t(other) == axis ? size : stride;
    // The stride of a single element is meaningless.
    if (int64_t(other) != axis && size == 1 && stride % 2 != 0)
      continue;
    std::optional<int64_t> found = half(halved);
    if (!found)
      return std::nullopt;
    halved = *found;
  }
  return PackedTensor{
      TensorViewType::get(tensor.getContext(),
                          IntegerType::get(tensor.getContext(), 8), shape,
                          strides, tensor.getPointerClass()),
      axis};
}

static int64_t axisOf(ArrayRef<int32_t> dimMap, int64_t axis) {
  return llvm::find(dimMap, axis) - dimMap.begin();
}

std::optional<PackedTiles> packTiles(TileView view) {
  std::optional<PackedTensor> tensor = packTensor(view.getTensor());
  if (!tensor)
    return std::nullopt;
  MLIRContext *context = view.getContext();
  SmallVector<int32_t> sizes(view.getTile());
  auto halveAlong = [&](SmallVectorImpl<int32_t> &numbers, int64_t axis) {
    const bool isEven = numbers[axis] % 2 == 0;
    numbers[axis] /= 2;
    return isEven;
  };
  auto sizesAttr = [&] { return DenseI32ArrayAttr::get(context, sizes); };
  if (auto strided = dyn_cast<StridedViewType>(view)) {
    const int64_t axis = axisOf(strided.getDimMap(), tensor->axis);
    SmallVector<int32_t> steps(strided.getTraversalStrides().asArrayRef());
    if (!halveAlong(sizes, axis) || !halveAlong(steps, axis))
      return std::nullopt;
    return PackedTiles{
        StridedViewType::get(context, sizesAttr(),
                             DenseI32ArrayAttr::get(context, steps),
                             tensor->bytes, strided.getDimMap(), {}),
        axis};
  }
  if (auto partition = dyn_cast<PartitionViewType>(view)) {
    const int64_t axis = axisOf(partition.getDimMap(), tensor->axis);
    if (!halveAlong(sizes, axis))
      return std::nullopt;
    return PackedTiles{PartitionViewType::get(context, sizesAttr(),
                                              tensor->bytes,
                                              partition.getDimMap(), {}),
                       axis};
  }
  auto gather = cast<GatherScatterViewType>(view);
  if (gather.getSparseDim() == tensor->axis || !halveAlong(sizes, tensor->axis))
    return std::nullopt;
  return PackedTiles{GatherScatterViewType::get(context, sizesAttr(),
                                                tensor->bytes,
                                                gather.getSparseDim(), {}),
                     tensor->axis};
}

} // namespace tilegpt::cuda_tile
