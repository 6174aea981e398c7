// Tiles for a producer to feed the loop of a kernel: one to three warp groups
// of 64 rows, as many as leave every multiprocessor a tile or two.
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"
#include "Tiling/ChooseTiles.h"
#include "Tiling/LaunchSizes.h"
#include "Tiling/WindowProduct.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
struct WindowTile {
  int64_t rows, columns;
};
} // namespace

/// Whether a thread has registers for the scores of a tile, their weights as a
/// left operand and the rows of the result, and a block shared memory for the
/// queries and two stages of keys and values.
static bool fits(WindowTile tile, int64_t depth, Type element,
                 const target::GpuTarget &target) {
  constexpr int64_t groupRows = 64, mostGroups = 3, few = 128, many = 208,
                    stages = 2, reserve = 2048;
  int64_t registers = tile.columns / 2 + tile.columns / 4 + depth / 2;
  if (registers > (tile.rows == mostGroups * groupRows ? few : many))
    return false;
  // As bufferOfOperand has it, whose types are not there before a plan is made.
  int64_t rowBytes = operandRowBytes(depth, element);
  auto bytesOf = [&](int64_t rows) { return rows * rowBytes; };
  return bytesOf(tile.rows) + stages * 2 * bytesOf(tile.columns) + reserve <=
         int64_t(target.sharedBytesPerBlock);
}

bool chooseWindowTiles(OpenLaunch &launch) {
  constexpr int64_t depthUnit = 16;
  std::optional<WindowProduct> product = findWindowProduct(launch.kernel);
  if (!product || launch.isGiven(product->rows) ||
      launch.isGiven(product->columns))
    return false;
  LaunchSizes sizes(launch);
  std::optional<int64_t> depth = sizes.evaluate(product->depth);
  Type element = launch.elementOf(product->lhs);
  bool isHalf = (element.isBF16() || element.isF16()) &&
                element == launch.elementOf(product->rhs);
  if (!launch.target.hasTma || !launch.target.hasWgmma || !isHalf || !depth ||
      *depth % depthUnit != 0)
    return false;

  // Many columns at a time, then many rows. Each block should have a tile, and
  // three where three groups share one, for light ones to follow heavy ones.
  const WindowTile tiles[] = {{192, 128}, {128, 128}, {64, 128},
                              {192, 64},  {128, 64},  {64, 64}};
  constexpr int64_t groupRows = 64;
  for (WindowTile tile : tiles) {
    int64_t groups = tile.rows / groupRows,
            tilesWanted = groups == 3   ? 3 * launch.multiprocessors
                          : groups == 2 ? launch.multiprocessors
                                        : 0;
    std::optional<int64_t> blocks =
        sizes.countBlocks({{product->rows.getValue(), tile.rows},
                           {product->columns.getValue(), tile.columns}});
    if (launch.admits(product->rows, tile.rows) &&
        launch.admits(product->columns, tile.columns) && blocks &&
        *blocks >= tilesWanted && fits(tile, *depth, element, launch.target)) {
      launch.set(product->rows, tile.rows);
      launch.set(product->columns, tile.columns);
      return true;
    }
  }
  return false;
}

} // namespace tilegpt::tilegpu
