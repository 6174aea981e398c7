// Tiles for a producer to feed the loop of a kernel: one to three warp groups
// of 64 rows, as many as leave every multiprocessor a tile or two.
#include "ChooseTiles.h"
#include "LaunchSizes.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// The parameters and axes of `dot(load of a window, load of a window)`.
struct WindowProduct {
  StringAttr rows, columns, depth;
};
} // namespace

static std::optional<WindowProduct> findWindowProduct(tile::KernelOp kernel) {
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
    if (!rows || !columns || !depth || rhs.getSizes()[1] != depth)
      return WalkResult::advance();
    found = WindowProduct{rows, columns, depth};
    return WalkResult::interrupt();
  });
  return found;
}

bool chooseFedTiles(OpenLaunch &launch) {
  constexpr int64_t columns = 128, depthUnit = 64, mostDepth = 128;
  std::optional<WindowProduct> product = findWindowProduct(launch.kernel);
  if (!product || launch.isGiven(product->rows) ||
      launch.isGiven(product->columns))
    return false;
  auto sizeOf = [&](unsigned argument, unsigned axis) {
    return launch.sizeOf(argument, axis);
  };
  LaunchSizes sizes(launch.kernel, sizeOf);
  std::optional<int64_t> depth = sizes.evaluate(product->depth);
  bool isHalf = llvm::all_of(launch.getOperandTypes(), [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return !isa<FloatType>(element) || element.isBF16() || element.isF16();
  });
  if (!launch.target.hasTma || !launch.target.hasWgmma || !isHalf || !depth ||
      *depth % depthUnit != 0 || *depth > mostDepth ||
      !launch.admits(product->columns, columns))
    return false;

  // Three groups have registers for 64 columns of a result. Each block should
  // have three tiles then, for light ones to follow heavy ones.
  struct Choice {
    int64_t rows, mostDepth, tiles;
  };
  const Choice choices[] = {{192, 64, 3 * launch.multiprocessors},
                            {128, 128, launch.multiprocessors},
                            {64, 128, 0}};
  for (Choice choice : choices) {
    std::optional<int64_t> blocks =
        sizes.countBlocks({{product->rows.getValue(), choice.rows},
                           {product->columns.getValue(), columns}});
    if (*depth <= choice.mostDepth &&
        launch.admits(product->rows, choice.rows) && blocks &&
        *blocks >= choice.tiles) {
      launch.set(product->rows, choice.rows);
      launch.set(product->columns, columns);
      return true;
    }
  }
  return false;
}

} // namespace tilegpt::tilegpu
