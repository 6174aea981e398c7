// Traces sizes and memory of tensors to their origin.
#include "Normalize/TensorSizes.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tilegpt::tile {

/// For the value of a size.
static SizeOrigin originOfIndex(Value size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return {{}, *constant};
  if (auto dim = size.getDefiningOp<tensor::DimOp>())
    if (std::optional<int64_t> axis = dim.getConstantIndex())
      return originOfSize(dim.getSource(), *axis);
  return {size, 0};
}

SizeOrigin originOfSize(Value tensor, int64_t axis) {
  while (true) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(axis))
      return {{}, type.getDimSize(axis)};
    if (auto launch = tensor.getDefiningOp<LaunchOp>())
      tensor = launch.getOuts()[cast<OpResult>(tensor).getResultNumber()];
    else if (auto same = tensor.getDefiningOp<tensor::CastOp>())
      tensor = same.getSource();
    else if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>())
      return originOfIndex(
          empty.getDynamicSizes()[type.getDynamicDimIndex(axis)]);
    else
      return {tensor, axis};
  }
}

Value rootOf(Value tensor) {
  while (true) {
    if (auto same = tensor.getDefiningOp<tensor::CastOp>())
      tensor = same.getSource();
    else if (auto launch = tensor.getDefiningOp<LaunchOp>())
      tensor = launch.getOuts()[cast<OpResult>(tensor).getResultNumber()];
    else
      return tensor;
  }
}

bool isUpdate(Value out) { return !out.getDefiningOp<tensor::EmptyOp>(); }

std::optional<int64_t> mostRowsAround(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto range = op->getAttrOfType<DenseI64ArrayAttr>(rowsAttr);
        range && range.size() == 2)
      return range[1];
  return std::nullopt;
}

std::optional<int64_t> boundOfSize(Operation *user, Value tensor,
                                   int64_t axis) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(axis))
    return type.getDimSize(axis);
  return mostRowsAround(user);
}

} // namespace tilegpt::tile
