// Finds a product of windows.
#include "Tiling/WindowProduct.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"

using namespace mlir;

namespace tilegpt::tilegpu {

tile::LoadOp loadBehind(Value operand) {
  Operation *op = operand.getDefiningOp();
  if (!op)
    return {};
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return load.getSizes().size() == 2 ? load : tile::LoadOp();
  if (!OpTrait::hasElementwiseMappableTraits(op) && !isa<tile::CastOp>(op))
    return {};
  for (Value source : op->getOperands())
    if (tile::LoadOp load = loadBehind(source))
      return load;
  return {};
}

std::optional<WindowProduct> findWindowProduct(tile::KernelOp kernel) {
  std::optional<WindowProduct> found;
  kernel.walk([&](tile::DotOp dot) {
    tile::LoadOp lhs = loadBehind(dot.getLhs());
    auto rhs = dot.getRhs().getDefiningOp<tile::LoadOp>();
    if (!lhs || !rhs || dot.getTransposeA() || !dot.getTransposeB() ||
        rhs.getSizes().size() != 2 || lhs.getOrder() || rhs.getOrder() ||
        !isa_and_nonnull<tile::SubviewOp, tile::SelectOp>(
            rhs.getView().getDefiningOp()))
      return WalkResult::advance();
    auto rows = dyn_cast<StringAttr>(lhs.getSizes()[0]),
         columns = dyn_cast<StringAttr>(rhs.getSizes()[0]);
    Attribute depth = lhs.getSizes()[1];
    BlockArgument left = rootOf(lhs.getView()), right = rootOf(rhs.getView());
    if (!rows || !columns || rhs.getSizes()[1] != depth || !left || !right)
      return WalkResult::advance();
    found = WindowProduct{rows, columns, depth, left.getArgNumber(),
                          right.getArgNumber()};
    return WalkResult::interrupt();
  });
  return found;
}

} // namespace tilegpt::tilegpu
