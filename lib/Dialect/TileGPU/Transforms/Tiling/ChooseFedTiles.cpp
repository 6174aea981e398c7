// Tiles for a producer to feed the loop of a kernel: one to three warp groups
// of 64 rows, as many as leave every multiprocessor a tile or two.
#include "Tiling/ChooseTiles.h"
#include "Tiling/LaunchSizes.h"
#include "Tiling/WindowProduct.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool chooseFedTiles(OpenLaunch &launch) {
  constexpr int64_t columns = 128, depthUnit = 64, mostDepth = 128;
  std::optional<WindowProduct> product = findWindowProduct(launch.kernel);
  if (!product || launch.isGiven(product->rows) ||
      launch.isGiven(product->columns))
    return false;
  LaunchSizes sizes(launch);
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
