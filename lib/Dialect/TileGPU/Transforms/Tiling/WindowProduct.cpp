// Finds a product of windows.
#include "Tiling/WindowProduct.h"
#include "TileGPT/Dialect/Tile/Analysis/LoadedMatrix.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"
#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Whether a tile is loaded from a window: one entry of the outer axes of a
/// view, selected by an op or by the load itself.
static bool isOfWindow(tile::LoadOp load) {
  return load.getSizes().size() > 2 ||
         isa_and_nonnull<tile::SubviewOp, tile::SelectOp>(
             load.getView().getDefiningOp());
}

/// The rows of an rhs that is a tile of a window.
static std::optional<WindowRows> loadedColumns(tile::DotOp dot,
                                               Attribute depth) {
  auto rhs = tile::findMatrix(dot.getRhs());
  if (!rhs || rhs->load.getOrder() || !isOfWindow(rhs->load) ||
      (depth && rhs->sizeOf(1) != depth))
    return std::nullopt;
  return WindowRows{rhs->sizeOf(0), rhs->sizeOf(1),
                    rootOf(rhs->load.getView())};
}

/// The rows of an operand that is computed in one block from tiles with the
/// same number of rows, at least one of a window; nullopt if it depends on a
/// dot.
static std::optional<WindowRows> computedRows(Value operand) {
  Operation *op = operand.getDefiningOp();
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *each) {
    return each->getBlock() == op->getBlock();
  };
  if (!op || isa<tile::LoadOp>(op) ||
      failed(getBackwardSlice(op, &slice, options)) ||
      llvm::any_of(slice, llvm::IsaPred<tile::DotOp>))
    return std::nullopt;
  std::optional<WindowRows> found;
  for (Operation *each : slice) {
    auto load = dyn_cast<tile::LoadOp>(each);
    auto sizes = load ? tile::longSizes(load.getSizes())
                      : SmallVector<std::pair<unsigned, Attribute>>();
    if (sizes.size() != 2)
      continue;
    if (load.getOrder() || (found && found->rows != sizes[0].second))
      return std::nullopt;
    if (!found && isOfWindow(load))
      found = {sizes[0].second, Attribute(), rootOf(load.getView())};
  }
  return found;
}

std::optional<WindowRows> findLeftRows(tile::DotOp dot) {
  std::optional<tile::LoadedMatrix> lhs = tile::findMatrixBehind(dot.getLhs());
  if (!lhs)
    return dot.getTransposeA() ? std::nullopt : computedRows(dot.getLhs());
  if (lhs->load.getOrder())
    return std::nullopt;
  unsigned rows = dot.getTransposeA() ? 1 : 0;
  return WindowRows{lhs->sizeOf(rows), lhs->sizeOf(1 - rows),
                    rootOf(lhs->load.getView())};
}

std::optional<WindowProduct> findWindowProduct(tile::KernelOp kernel) {
  std::optional<WindowProduct> found;
  kernel.walk([&](tile::DotOp dot) {
    std::optional<WindowRows> left = findLeftRows(dot);
    if (!left || dot.getTransposeA() || !dot.getTransposeB())
      return WalkResult::advance();
    std::optional<WindowRows> right = loadedColumns(dot, left->depth);
    if (!right && dot.getRhs().getParentBlock() == dot->getBlock())
      right = computedRows(dot.getRhs());
    auto rows = dyn_cast<StringAttr>(left->rows);
    if (!rows || !left->root || !right || !right->root)
      return WalkResult::advance();
    found =
        WindowProduct{rows, right->rows, left->depth, left->root.getArgNumber(),
                      right->root.getArgNumber()};
    return WalkResult::interrupt();
  });
  return found;
}

} // namespace tilegpt::tilegpu
