// How a reshape maps the axes of its source.
#include "Layout/ReshapeAxes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static RankedTensorType withoutLayout(RankedTensorType type) {
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

std::optional<SmallVector<ReassociationIndices>> cutAxes(tile::ReshapeOp op) {
  RankedTensorType source = withoutLayout(op.getSource().getType()),
                   result = withoutLayout(op.getType());
  if (source.getRank() >= result.getRank())
    return std::nullopt;
  return getReassociationIndicesForReshape(source, result);
}

bool dropsUnitAxes(tile::ReshapeOp op) {
  auto isUnit = [](int64_t size) { return size == 1; };
  SmallVector<int64_t> from(op.getSource().getType().getShape()),
      to(op.getResult().getType().getShape());
  llvm::erase_if(from, isUnit);
  llvm::erase_if(to, isUnit);
  return from == to;
}

bool movesFewElements(tile::ReshapeOp op) {
  constexpr int64_t fewestThreads = 8;
  return dropsUnitAxes(op) && op.getType().getNumElements() * fewestThreads <=
                                  PlanAttr::of(op).getComputeThreads();
}

std::optional<SmallVector<ReassociationIndices>>
joinedAxes(tile::ReshapeOp op) {
  RankedTensorType source = withoutLayout(op.getSource().getType()),
                   result = withoutLayout(op.getType());
  if (source.getRank() <= result.getRank())
    return std::nullopt;
  return getReassociationIndicesForReshape(source, result);
}

} // namespace tilegpt::tilegpu
