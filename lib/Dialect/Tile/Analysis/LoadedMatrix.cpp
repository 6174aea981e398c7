// Finds the matrix that an operand is loaded as.
#include "TileGPT/Dialect/Tile/Analysis/LoadedMatrix.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tilegpt::tile {

SmallVector<std::pair<unsigned, Attribute>> longSizes(ArrayAttr sizes) {
  SmallVector<std::pair<unsigned, Attribute>> found;
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (!isConstantIntValue(OpFoldResult(size), 1))
      found.push_back({axis, size});
  return found;
}

std::optional<LoadedMatrix> findMatrix(Value operand) {
  std::optional<SmallVector<std::pair<unsigned, Attribute>>> wanted;
  while (auto reshape = operand.getDefiningOp<ReshapeOp>()) {
    if (!wanted)
      wanted = longSizes(reshape.getSizes());
    operand = reshape.getSource();
  }
  auto load = operand.getDefiningOp<LoadOp>();
  if (!load)
    return std::nullopt;
  auto found = longSizes(load.getSizes());
  if (found.size() != 2 ||
      (wanted && !llvm::equal(llvm::make_second_range(*wanted),
                              llvm::make_second_range(found))))
    return std::nullopt;
  return LoadedMatrix{load, {found[0].first, found[1].first}};
}

std::optional<LoadedMatrix> findMatrixBehind(Value operand) {
  if (std::optional<LoadedMatrix> matrix = findMatrix(operand))
    return matrix;
  Operation *op = operand.getDefiningOp();
  if (!op || !isElementwise(op))
    return std::nullopt;
  for (Value source : op->getOperands())
    if (std::optional<LoadedMatrix> matrix = findMatrixBehind(source))
      return matrix;
  return std::nullopt;
}

} // namespace tilegpt::tile
