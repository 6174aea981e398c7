// Finds a product of windows.
#include "Tiling/WindowProduct.h"
#include "TileGPT/Dialect/Tile/Analysis/LoadedMatrix.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"
#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Whether a tile is loaded from a window: one entry of the outer axes of a
/// view, which an op or the load itself selects.
static bool isOfWindow(tile::LoadOp load) {
  return load.getSizes().size() > 2 ||
         isa_and_nonnull<tile::SubviewOp, tile::SelectOp>(
             load.getView().getDefiningOp());
}

namespace {
/// The size along the columns of the result, and the argument they come from.
struct Columns {
  StringAttr size;
  BlockArgument root;
};
} // namespace

/// Of a right operand that is a tile of a window.
static std::optional<Columns> loadedColumns(tile::DotOp dot, Attribute depth) {
  auto rhs = tile::findMatrix(dot.getRhs());
  if (!rhs || rhs->load.getOrder() || !isOfWindow(rhs->load) ||
      rhs->sizeOf(1) != depth)
    return std::nullopt;
  return Columns{dyn_cast<StringAttr>(rhs->sizeOf(0)),
                 rootOf(rhs->load.getView())};
}

/// Of one that an iteration computes from such tiles, all with as many rows:
/// keys that are rotated, say.
static std::optional<Columns> computedColumns(tile::DotOp dot) {
  Operation *op = dot.getRhs().getDefiningOp();
  Block *body = dot->getBlock();
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return op->getBlock() == body; };
  if (!op || op->getBlock() != body || isa<tile::LoadOp>(op) ||
      failed(getBackwardSlice(op, &slice, options)) ||
      llvm::any_of(slice, llvm::IsaPred<tile::DotOp>))
    return std::nullopt;
  std::optional<Columns> found;
  for (Operation *each : slice) {
    auto load = dyn_cast<tile::LoadOp>(each);
    auto sizes = load ? tile::longSizes(load.getSizes())
                      : SmallVector<std::pair<unsigned, Attribute>>();
    if (sizes.size() != 2)
      continue;
    Columns columns{dyn_cast<StringAttr>(sizes[0].second),
                    rootOf(load.getView())};
    if (load.getOrder() || (found && found->size != columns.size))
      return std::nullopt;
    if (!found && isOfWindow(load))
      found = columns;
  }
  return found;
}

std::optional<WindowProduct> findWindowProduct(tile::KernelOp kernel) {
  std::optional<WindowProduct> found;
  kernel.walk([&](tile::DotOp dot) {
    auto lhs = tile::findMatrixBehind(dot.getLhs());
    if (!lhs || dot.getTransposeA() || !dot.getTransposeB() ||
        lhs->load.getOrder())
      return WalkResult::advance();
    Attribute depth = lhs->sizeOf(1);
    std::optional<Columns> columns = loadedColumns(dot, depth);
    if (!columns)
      columns = computedColumns(dot);
    auto rows = dyn_cast<StringAttr>(lhs->sizeOf(0));
    BlockArgument root = rootOf(lhs->load.getView());
    if (!rows || !root || !columns || !columns->size || !columns->root)
      return WalkResult::advance();
    found = WindowProduct{rows, columns->size, depth, root.getArgNumber(),
                          columns->root.getArgNumber()};
    return WalkResult::interrupt();
  });
  return found;
}

} // namespace tilegpt::tilegpu
