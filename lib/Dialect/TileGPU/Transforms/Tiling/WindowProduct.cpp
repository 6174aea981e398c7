// Finds a product of windows.
#include "Tiling/WindowProduct.h"
#include "TileGPT/Dialect/Tile/Analysis/LoadedMatrix.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Whether a tile is loaded from a window: one entry of the outer axes of a
/// view, which an op or the load itself selects.
static bool isOfWindow(tile::LoadOp load) {
  return load.getSizes().size() > 2 ||
         isa_and_nonnull<tile::SubviewOp, tile::SelectOp>(
             load.getView().getDefiningOp());
}

std::optional<WindowProduct> findWindowProduct(tile::KernelOp kernel) {
  std::optional<WindowProduct> found;
  kernel.walk([&](tile::DotOp dot) {
    auto lhs = tile::findMatrixBehind(dot.getLhs()),
         rhs = tile::findMatrix(dot.getRhs());
    if (!lhs || !rhs || dot.getTransposeA() || !dot.getTransposeB() ||
        lhs->load.getOrder() || rhs->load.getOrder() || !isOfWindow(rhs->load))
      return WalkResult::advance();
    Attribute depth = lhs->sizeOf(1);
    auto rows = dyn_cast<StringAttr>(lhs->sizeOf(0)),
         columns = dyn_cast<StringAttr>(rhs->sizeOf(0));
    BlockArgument lhsRoot = rootOf(lhs->load.getView()),
                  rhsRoot = rootOf(rhs->load.getView());
    if (!rows || !columns || rhs->sizeOf(1) != depth || !lhsRoot || !rhsRoot)
      return WalkResult::advance();
    found = WindowProduct{rows, columns, depth, lhsRoot.getArgNumber(),
                          rhsRoot.getArgNumber()};
    return WalkResult::interrupt();
  });
  return found;
}

} // namespace tilegpt::tilegpu
