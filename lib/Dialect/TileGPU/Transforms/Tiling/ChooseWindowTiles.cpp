// Tiles for a producer to feed the loop of a kernel: one to three warp groups
// of 64 rows, as many as leave every multiprocessor a tile or two.
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
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

/// Bytes of an element of all tiles that are loaded to meet the scores: a bias,
/// say.
static int64_t bytesBesideScores(OpenLaunch &launch,
                                 const WindowProduct &product) {
  int64_t bytes = 0;
  launch.kernel.walk([&](tile::LoadOp load) {
    ArrayAttr sizes = load.getSizes();
    BlockArgument root = rootOf(load.getView());
    if (root && sizes.size() == 2 && sizes[0] == product.rows &&
        sizes[1] == product.columns)
      bytes += memoryBytes(launch.elementOf(root.getArgNumber()));
  });
  return bytes;
}

/// Whether a thread has registers for the scores of a tile, their weights as a
/// left operand and the rows of the result, and a block shared memory for the
/// queries and two stages of keys and values, or of what meets their scores as
/// well: then three where groups take turns. Where one group is alone with that
/// it also needs registers for it, and for the weights of the iteration before,
/// whose dot runs meanwhile (1 x 4 x 1024 x 128, bias bf16: 64 columns at a
/// time 14.2 us, 128 15.2).
static bool fits(WindowTile tile, int64_t depth, Type element,
                 int64_t bytesBeside, const target::GpuTarget &target) {
  constexpr int64_t groupRows = 64, mostGroups = 3, few = 128, many = 208,
                    reserve = 2048;
  int64_t stages = bytesBeside != 0 && tile.rows > groupRows ? 3 : 2;
  int64_t registers = tile.columns / 2 + tile.columns / 4 + depth / 2;
  if (bytesBeside != 0 && tile.rows == groupRows)
    registers += tile.columns / 4 + tile.columns * bytesBeside / 8;
  if (registers > (tile.rows == mostGroups * groupRows ? few : many))
    return false;
  // As bufferOfOperand has it, whose types are not there before a plan is made.
  int64_t rowBytes = operandRowBytes(depth, element);
  auto bytesOf = [&](int64_t rows) { return rows * rowBytes; };
  int64_t stageBytes =
      2 * bytesOf(tile.columns) + tile.rows * tile.columns * bytesBeside;
  return bytesOf(tile.rows) + stages * stageBytes + reserve <=
         int64_t(target.sharedBytesPerBlock);
}

bool chooseWindowTiles(OpenLaunch &launch) {
  constexpr int64_t depthUnit = 8;
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

  // Many columns at a time, as long as groups can take turns, then many rows.
  // Each block should have a tile, and three where three groups share one, for
  // light ones to follow heavy ones.
  const WindowTile tiles[] = {{192, 128}, {128, 128}, {192, 64},
                              {128, 64},  {64, 128},  {64, 64}};
  int64_t beside = bytesBesideScores(launch, *product);
  bool fitsBeside = llvm::any_of(tiles, [&](WindowTile tile) {
    return fits(tile, *depth, element, beside, launch.target);
  });
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
        *blocks >= tilesWanted &&
        fits(tile, *depth, element, fitsBeside ? beside : 0, launch.target)) {
      launch.set(product->rows, tile.rows);
      launch.set(product->columns, tile.columns);
      return true;
    }
  }
  return false;
}

} // namespace tilegpt::tilegpu
