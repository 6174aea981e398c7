// Chooses tiles for loops fed by a producer: one to three warp groups of 64
// rows, as many as leave every multiprocessor a tile or two.
#include "Plan/ComputePlan.h"
#include "Simplify/DotPatterns.h"
#include "TileGPT/Dialect/Tile/Analysis/LoadedMatrix.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "Tiling/ChooseTiles.h"
#include "Tiling/LaunchSizes.h"
#include "Tiling/WindowProduct.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
struct WindowTile {
  int64_t rows, columns;
};
} // namespace

/// Whether a tile, such as a bias, is loaded to be combined with the scores.
static bool loadsBesideScores(OpenLaunch &launch,
                              const WindowProduct &product) {
  auto isBeside = [&](tile::LoadOp load) {
    auto sizes = tile::longSizes(load.getSizes());
    if (sizes.size() == 2 && sizes[0].second == product.rows &&
        sizes[1].second == product.columns)
      return WalkResult::interrupt();
    return WalkResult::advance();
  };
  return launch.kernel.walk(isBeside).wasInterrupted();
}

/// Whether a producer can feed the kernel's loops with these tiles. With tiles
/// beside the scores, warp groups that take turns need `stagesBeside`, and must
/// be two; a single group needs registers for these tiles and for the previous
/// iteration's weights, whose dot runs meanwhile (1 x 4 x 1024 x 128: 14.2 us
/// with 64 columns at a time, 15.2 with 128).
static bool fits(OpenLaunch &launch, const WindowProduct &product,
                 WindowTile tile, bool isBeside) {
  constexpr int64_t most = 208, wordBytes = 4;
  SmallVector<std::pair<StringAttr, int64_t>> choice = {
      {product.rows, tile.rows}};
  if (auto columns = dyn_cast<StringAttr>(product.columns))
    choice.push_back({columns, tile.columns});
  OwningOpRef<tile::KernelOp> copy = launch.bindCopy(choice);
  if (!copy)
    return false;
  RewritePatternSet patterns(copy->getContext());
  populateDropUnitAxesPatterns(patterns);
  populateNormalizeDotsPatterns(patterns);
  if (failed(applyPatternsGreedily(*copy, std::move(patterns))))
    return false;
  SmallVector<Mainloop> loops = analyzeMainloops(*copy);
  if (loops.empty())
    return false;
  std::optional<ComputeFit> fit = fitComputeLoops(*copy, loops, launch.target);
  if (!fit || !isBeside)
    return fit.has_value();
  if (!fit->copiesAll || fit->groups > 2)
    return false;
  if (fit->groups == 2)
    return fit->mostStages >= stagesBeside;
  int64_t bytes = 0;
  for (const Mainloop &loop : loops)
    for (const StreamLoad &stream : loop.copyable)
      bytes += stream.getBytes();
  return fit->registers + tile.columns / 4 +
             bytes / (groupThreads * wordBytes) <=
         most;
}

bool chooseWindowTiles(OpenLaunch &launch) {
  constexpr int64_t depthUnit = 8;
  std::optional<WindowProduct> product = findWindowProduct(launch.kernel);
  if (!product || launch.isGiven(product->rows))
    return false;
  auto columns = dyn_cast<StringAttr>(product->columns);
  if (columns && launch.isGiven(columns))
    return false;
  LaunchSizes sizes(launch);
  std::optional<int64_t> depth =
      product->depth ? sizes.evaluate(product->depth) : depthUnit;
  Type element = launch.elementOf(product->lhs);
  bool isHalf = (element.isBF16() || element.isF16()) &&
                element == launch.elementOf(product->rhs);
  if (!launch.target.hasTma || !launch.target.hasWgmma || !isHalf || !depth ||
      *depth % depthUnit != 0)
    return false;

  // Prefer many columns, as long as groups can take turns, then many rows. Each
  // block should have a tile, and three if three groups share one, so that
  // light ones can follow heavy ones.
  SmallVector<WindowTile> tiles = {{192, 128}, {128, 128}, {192, 64},
                                   {128, 64},  {64, 128},  {64, 64}};
  if (auto fixed = dyn_cast<IntegerAttr>(product->columns))
    tiles = {
        {192, fixed.getInt()}, {128, fixed.getInt()}, {64, fixed.getInt()}};
  bool isBeside = loadsBesideScores(launch, *product);
  auto choose = [&](bool countsBeside) {
    for (WindowTile tile : tiles) {
      int64_t groups = tile.rows / groupRows,
              tilesWanted = groups == 3   ? 3 * launch.multiprocessors
                            : groups == 2 ? launch.multiprocessors
                                          : 0;
      llvm::StringMap<int64_t> params = {{product->rows.getValue(), tile.rows}};
      if (columns)
        params[columns.getValue()] = tile.columns;
      std::optional<int64_t> blocks = sizes.countBlocks(params);
      if (launch.admits(product->rows, tile.rows) &&
          (!columns || launch.admits(columns, tile.columns)) && blocks &&
          *blocks >= tilesWanted &&
          fits(launch, *product, tile, countsBeside)) {
        launch.set(product->rows, tile.rows);
        if (columns)
          launch.set(columns, tile.columns);
        return true;
      }
    }
    return false;
  };
  return (isBeside && choose(true)) || choose(false);
}

} // namespace tilegpt::tilegpu
