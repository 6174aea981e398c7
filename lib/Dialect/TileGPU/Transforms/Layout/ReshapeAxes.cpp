// How a reshape maps the axes of its source.
#include "Layout/ReshapeAxes.h"

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

bool followsUnitAxes(tile::ReshapeOp op, LayoutAttr layout) {
  constexpr int64_t fewestThreads = 8, mostRegisters = 4;
  const int64_t elements = op.getType().getNumElements(),
                threads = PlanAttr::of(op).getComputeThreads();
  return dropsUnitAxes(op) &&
         (elements * fewestThreads <= threads ||
          (elements <= threads && layout.getNumRegisters() <= mostRegisters));
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
