// Finds a product of windows.
#include "Tiling/WindowProduct.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"

using namespace mlir;

namespace tilegpt::tilegpu {

std::optional<WindowProduct> findWindowProduct(tile::KernelOp kernel) {
  std::optional<WindowProduct> found;
  kernel.walk([&](tile::DotOp dot) {
    auto lhs = dot.getLhs().getDefiningOp<tile::LoadOp>(),
         rhs = dot.getRhs().getDefiningOp<tile::LoadOp>();
    if (!lhs || !rhs || dot.getTransposeA() || !dot.getTransposeB() ||
        lhs.getSizes().size() != 2 || rhs.getSizes().size() != 2 ||
        lhs.getOrder() || rhs.getOrder() ||
        !isa_and_nonnull<tile::SubviewOp, tile::SelectOp>(
            rhs.getView().getDefiningOp()))
      return WalkResult::advance();
    auto rows = dyn_cast<StringAttr>(lhs.getSizes()[0]),
         columns = dyn_cast<StringAttr>(rhs.getSizes()[0]),
         depth = dyn_cast<StringAttr>(lhs.getSizes()[1]);
    BlockArgument left = rootOf(lhs.getView()), right = rootOf(rhs.getView());
    if (!rows || !columns || !depth || rhs.getSizes()[1] != depth || !left ||
        !right)
      return WalkResult::advance();
    found = WindowProduct{rows, columns, depth, left.getArgNumber(),
                          right.getArgNumber()};
    return WalkResult::interrupt();
  });
  return found;
}

} // namespace tilegpt::tilegpu
