// Chooses tiles of products by a model of their time: waves of blocks, each
// bound by its multiplications or its loads.
#include "Tiling/LoadedProduct.h"
#include "Plan/ComputePlan.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SplitProduct.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "Tiling/LaunchSizes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

std::optional<ProductSizes> LoadedProduct::sizesOf(OpenLaunch &launch) const {
  std::optional<int64_t> m = launch.sizeOf(rows), n = launch.sizeOf(columns);
  if (!m || !n)
    return std::nullopt;
  return ProductSizes{*m, *n, launch.sizeOf(depth)};
}

bool LoadedProduct::suitsTensorCores(OpenLaunch &launch) const {
  Type lhs = elementOfLeft(launch), rhs = launch.elementOf(columns.argument);
  return suitTensorCores(lhs, rhs, launch.precisionOf(lhs, rhs, precision));
}

/// \param axis  the contiguous one of an operand.
/// \param runsAcross  whether that is not the depth.
static int64_t pitchOf(OpenLaunch &launch, const TiledAxis &axis, Type element,
                       bool runsAcross) {
  std::optional<int64_t> length = launch.sizeOf(axis);
  return !length || (runsAcross && launch.isOpen(axis))
             ? 0
             : *length * element.getIntOrFloatBitWidth() / 8;
}

int64_t LoadedProduct::pitchOfLeft(OpenLaunch &launch) const {
  return pitchOf(launch, rowsRunAcross ? rows : depth, elementOfLeft(launch),
                 rowsRunAcross);
}

int64_t LoadedProduct::pitchOfRight(OpenLaunch &launch) const {
  return pitchOf(launch, columnsRunAcross ? columns : depth,
                 launch.elementOf(columns.argument), columnsRunAcross);
}

bool LoadedProduct::roundsOperands(OpenLaunch &launch) const {
  return runsAcross() && elementOfLeft(launch).isF32();
}

ResultTile LoadedProduct::roundedTile(ResultTile tile) const {
  return rowsRunAcross ? tile : ResultTile{tile.columns, tile.rows};
}

bool LoadedProduct::isPiped(OpenLaunch &launch) const {
  constexpr int64_t unitBytes = 16;
  constexpr unsigned elementBits = 16;
  // Matrix instructions transpose 16-bit elements only. Loops that widen f8
  // have power-of-two tiles like those without a producer.
  bool suitsAcross =
      elementOfLeft(launch).getIntOrFloatBitWidth() == elementBits ||
      (roundsOperands(launch) && products == 1);
  if (runsAcross() && !suitsAcross)
    return false;
  auto isReached = [](int64_t pitch) {
    return pitch != 0 && pitch % unitBytes == 0;
  };
  return !hasGatheredRows && launch.target.hasTma && launch.target.hasWgmma &&
         suitsTensorCores(launch) && launch.sizeOf(depth) &&
         isReached(pitchOfLeft(launch)) && isReached(pitchOfRight(launch));
}

bool LoadedProduct::readsThroughRegisters(OpenLaunch &launch) const {
  constexpr int64_t wordBytes = 4;
  return pitchOfLeft(launch) % wordBytes != 0 ||
         pitchOfRight(launch) % wordBytes != 0;
}

bool LoadedProduct::suitsGroups(OpenLaunch &launch, ResultTile tile) const {
  return isMadeTransposed(tile.rows, tile.columns)
             ? isTransposed(launch, tile)
             : countWarpGroups(tile.rows) != 0;
}

bool LoadedProduct::isTransposed(OpenLaunch &launch, ResultTile tile) const {
  constexpr int64_t elementBits = 16, unitBytes = 16;
  if (!isMadeTransposed(tile.rows, tile.columns) || products != 1 ||
      hasTileOperand)
    return false;
  return !launch.kernel
              .walk([&](Operation *op) {
                if (isa<tile::ReduceOp>(op))
                  return WalkResult::interrupt();
                auto store = dyn_cast<tile::StoreOp>(op);
                if (!store)
                  return WalkResult::advance();
                Value view = store.getView();
                while (auto select = view.getDefiningOp<tile::SelectOp>())
                  view = select.getSource();
                auto argument = dyn_cast<BlockArgument>(view);
                if (!argument || store.getMask() || store.getOrder())
                  return WalkResult::interrupt();
                unsigned result = argument.getArgNumber();
                int64_t rank = cast<tile::ViewType>(view.getType()).getRank();
                std::optional<int64_t> columns =
                    launch.sizeOf(result, unsigned(rank - 1));
                int64_t bits = launch.elementOf(result).getIntOrFloatBitWidth();
                return bits == elementBits && columns &&
                               *columns * bits / 8 % unitBytes == 0
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

// Warp groups share a tile that has more rows than one multiplies. f8 products
// take accumulators twice (addsBehindDots). The stages of a ring are contiguous
// (Mainloop::hasWholeStages).
bool LoadedProduct::fitsPipe(OpenLaunch &launch, ResultTile tile,
                             int64_t step) const {
  constexpr int64_t alignment = 1024;
  Type element = elementOfLeft(launch);
  // If the columns are contiguous, instructions whose columns are not whole
  // panels take up to twice as long; if the rows are, a tile must have whole
  // panels of rows.
  int64_t panel = columnsOfPanel(element);
  if ((columnsRunAcross && tile.columns % panel != 0) ||
      (rowsRunAcross && tile.rows % panel != 0))
    return false;
  if (roundsOperands(launch)) {
    ResultTile made = roundedTile(tile);
    return suitsComputedRows(made.rows, made.columns, step);
  }
  if (!suitsGroups(launch, tile))
    return false;
  if (isTransposed(launch, tile))
    std::swap(tile.rows, tile.columns);
  // Tiles combined with the result take registers while in flight.
  int64_t groups = countWarpGroups(tile.rows),
          mostSums = mostSumsOf(groups) * (hasTileOperand ? 5 : 8) / 8,
          sums = products * std::max(tile.rows, groupRows) * tile.columns /
                 (groups * groupThreads),
          rowBytes = step * element.getIntOrFloatBitWidth() / 8;
  return (tile::isF8(element) ? 2 * sums : sums) <= mostSums &&
         tile.columns % columnStepOf(element, tile.columns) == 0 &&
         rowBytes * tile.rows % alignment == 0 &&
         rowBytes * tile.columns % alignment == 0;
}

bool LoadedProduct::isMultiplyAdd(OpenLaunch &launch) const {
  return elementOfLeft(launch).isF32() &&
         launch.elementOf(columns.argument).isF32() &&
         !suitsTensorCores(launch);
}

/// The cheapest candidate that `suits`, or the first one.
/// \param tiles  at least one.
static ResultTile leastTime(ArrayRef<ResultTile> tiles,
                            llvm::function_ref<bool(ResultTile)> suits,
                            llvm::function_ref<int64_t(ResultTile)> timeOf) {
  ResultTile best = tiles.front();
  std::optional<int64_t> least;
  for (ResultTile tile : tiles) {
    if (!suits(tile))
      continue;
    int64_t time = timeOf(tile);
    if (!least || time < *least) {
      least = time;
      best = tile;
    }
  }
  return best;
}

/// The time of a step along K: its multiplications, and its loads, at 64
/// multiplications per row or column of operands.
static int64_t stepTime(ResultTile tile) {
  constexpr int64_t loadCost = 64;
  return tile.rows * tile.columns + loadCost * (tile.rows + tile.columns);
}

static int64_t resultTiles(ResultTile tile, ProductSizes sizes) {
  return llvm::divideCeil(sizes.rows, tile.rows) *
         llvm::divideCeil(sizes.columns, tile.columns);
}

/// Independent products in the grid: one per batch entry.
static int64_t batchesOf(const LoadedProduct &product, ResultTile tile,
                         ProductSizes sizes, OpenLaunch &launch) {
  LaunchSizes evaluated(launch);
  std::optional<int64_t> blocks = evaluated.countBlocks(
      {{product.rows.parameter.getValue(), tile.rows},
       {product.columns.parameter.getValue(), tile.columns}});
  return std::max<int64_t>(1, blocks.value_or(0) / resultTiles(tile, sizes));
}

int64_t blocksOf(const LoadedProduct &product, ResultTile tile,
                 ProductSizes sizes, OpenLaunch &launch) {
  return batchesOf(product, tile, sizes, launch) * resultTiles(tile, sizes);
}

MultiplyAddTime timeOfMultiplyAdd(const LoadedProduct &product, ResultTile tile,
                                  ProductSizes sizes, int64_t steps,
                                  OpenLaunch &launch) {
  return timeOfMultiplyAdd(
      tile.rows, tile.columns, blocksOf(product, tile, sizes, launch), steps,
      launch.multiprocessors, launch.target.sharedBytesPerMultiprocessor);
}

ResultTile bestTile(ArrayRef<ResultTile> tiles, const LoadedProduct &product,
                    ProductSizes sizes, int64_t steps, OpenLaunch &launch) {
  // Larger tiles would not fit the registers beside the temporaries.
  constexpr int64_t narrowest = 32, widest = 128, most = widest * widest;
  return leastTime(
      tiles,
      [](ResultTile tile) {
        // Shapes that a power of two of threads can divide evenly.
        int64_t odd = tile.columns >> llvm::countr_zero(uint64_t(tile.columns));
        return tile.rows <= widest &&
               llvm::isPowerOf2_64(uint64_t(tile.rows)) &&
               tile.columns >= narrowest && tile.columns <= widest &&
               odd <= 3 && tile.rows * tile.columns <= most;
      },
      [&](ResultTile tile) -> int64_t {
        if (steps != 0)
          return timeOfMultiplyAdd(product, tile, sizes, steps, launch).cycles;
        return llvm::divideCeil(blocksOf(product, tile, sizes, launch),
                                launch.multiprocessors) *
               stepTime(tile);
      });
}

/// Whether ops after the dot combine elements of a row or column of the result.
static bool combinesElements(tile::KernelOp kernel) {
  return kernel
      .walk([](Operation *op) {
        return isa<tile::ReduceOp, tile::ScanOp, tile::ReshapeOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

TiledProduct cutProduct(const LoadedProduct &product, ResultTile tile,
                        ProductSizes sizes, int64_t depthOfStep,
                        OpenLaunch &launch) {
  constexpr int64_t most = 128;
  constexpr size_t axesOfTiles = 2;
  Type element = product.elementOfLeft(launch);
  bool isF8 = tile::isF8(element), isAlone = product.products == 1;
  // The plan does not know the number of blocks along open rows.
  bool hasKnownGrid =
      launch.kernel.getGrid().size() < 2 || !launch.isOpen(product.rows);
  auto unitOf = [&](bool runsAcross) -> int64_t {
    return runsAcross ? columnsOfPanel(element) : 1;
  };
  int64_t alignment = std::gcd(std::gcd(most, product.pitchOfLeft(launch)),
                               product.pitchOfRight(launch));
  int64_t batches = batchesOf(product, tile, sizes, launch);
  TiledProduct tiled = {tile.rows,
                        product.products * tile.columns,
                        batches *
                            int64_t(llvm::divideCeil(sizes.rows, tile.rows)),
                        int64_t(llvm::divideCeil(sizes.columns, tile.columns)),
                        int64_t(llvm::divideCeil(*sizes.depth, depthOfStep)),
                        alignment,
                        hasKnownGrid,
                        /*canTakeTurns=*/!isF8 && !product.hasTileOperand,
                        /*canMulticast=*/isAlone && hasKnownGrid &&
                            launch.kernel.getGridRank() == axesOfTiles,
                        /*isTransposed=*/false,
                        unitOf(product.rowsRunAcross),
                        unitOf(product.columnsRunAcross)};
  tiled.batches = batches;
  tiled.rowsOutside = tiled.gridRows * tiled.tileRows - batches * sizes.rows;
  tiled.columnsOutside =
      product.products * (tiled.gridColumns * tile.columns - sizes.columns);
  tiled.canSplit = isAlone && hasKnownGrid && product.split;
  if (product.split && product.split->computes)
    tiled.evenIterations = tiled.steps;
  if (launch.kernel.getGridRank() > axesOfTiles && tiled.canSplit &&
      std::max(product.split->rowAxis, product.split->columnAxis) <
          int64_t(axesOfTiles))
    tiled.canMulticast = true;
  bool mayShift =
      tiled.canSplit && batches == 1 && !combinesElements(launch.kernel);
  tiled.shiftsRows = mayShift && sizes.rows > tile.rows;
  tiled.shiftsColumns = mayShift && sizes.columns > tile.columns;
  tiled.resultBytes =
      launch.elementOf(launch.kernel.getNumIns()).getIntOrFloatBitWidth() / 8;
  bool isTransposed = product.isTransposed(launch, tile);
  // Blocks compute or copy between their dots and share no tiles.
  bool rounds = product.roundsOperands(launch);
  if (rounds || !product.isPiped(launch)) {
    tiled.computeCycles =
        rounds ? roundingCycles(tile.rows, tile.columns)
               : copyingCycles(tile.rows, tile.columns, alignment);
    tiled.hasKnownGrid = tiled.canTakeTurns = tiled.canMulticast =
        tiled.shiftsRows = tiled.shiftsColumns = false;
    isTransposed = rounds && !product.rowsRunAcross;
    // Without TMA no request takes longer than others.
    if (!rounds) {
      tiled.alignment = most;
      tiled.rowUnit = tiled.columnUnit = 1;
      tiled.rowsOutside = tiled.columnsOutside = 0;
    }
  }
  if (isTransposed)
    tiled.transpose();
  return tiled;
}

/// Whether the ops after the dot leave enough registers for the accumulators:
/// ptxas spills if there are many; fewer fit if more is computed of each, or if
/// the last box of a row overlaps the one before it.
static bool leavesRegisters(const TiledProduct &tiled, bool computes,
                            int64_t multiprocessors) {
  constexpr int64_t boxColumns = 64;
  int64_t groups = tiled.takesTurns(multiprocessors)
                       ? 1
                       : countWarpGroups(tiled.tileRows),
          sums = std::max(tiled.tileRows, groupRows) * tiled.tileColumns /
                 (groups * groupThreads);
  // Three groups keep registers for a result of 32 bits instead.
  if (groups == mostGroupsOfProduct) {
    constexpr int64_t ofThree = 100, ofThreeWide = 80, ofThreeComputed = 64;
    return sums <= (computes                ? ofThreeComputed
                    : tiled.resultBytes > 2 ? ofThreeWide
                    : tiled.isTransposed    ? mostSumsOf(groups)
                                            : ofThree);
  }
  constexpr int64_t most = 176, mostComputed = 160, mostInBoxes = 200;
  bool isInBoxes = !tiled.isTransposed && tiled.tileColumns % boxColumns == 0;
  if (computes)
    return sums <= mostComputed || (isInBoxes && groups == 1);
  return sums <= (isInBoxes || tiled.isTransposed ? mostInBoxes : most);
}

/// Whether math functions are applied to the result.
static bool computesFunctions(tile::KernelOp kernel) {
  return kernel
      .walk([](Operation *op) {
        return isa<math::MathDialect>(op->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The factor, at least 1, by which estimates are too low where functions are
/// applied to the result: if teams take turns and the last box of a tile has up
/// to 16 new columns, stores take 8 to 19 % of the time longer (GELU of six
/// products in 128 x 136 and 144 instead of 128 and 152 to 192, H200).
static double doubtOfFunctions(const TiledProduct &tiled, bool computes,
                               int64_t multiprocessors) {
  constexpr int64_t boxColumns = 64, fewColumns = 16;
  constexpr double ofFewColumns = 1.08;
  int64_t newColumns = tiled.tileColumns % boxColumns;
  return computes && tiled.takesTurns(multiprocessors) && newColumns > 0 &&
                 newColumns <= fewColumns
             ? ofFewColumns
             : 1;
}

/// Whether warp groups can divide the rows of a tile, or of its transpose.
static bool suitsInstruction(const LoadedProduct &product, ResultTile tile,
                             OpenLaunch &launch) {
  return product.suitsGroups(launch, tile) || product.roundsOperands(launch);
}

llvm::SmallVector<std::pair<ResultTile, ProductCost>>
waysOfTiles(ArrayRef<ResultTile> tiles, const LoadedProduct &product,
            ProductSizes sizes, int64_t depthOfStep, OpenLaunch &launch) {
  SmallVector<std::pair<ResultTile, ProductCost>> ways;
  bool computes = computesFunctions(launch.kernel);
  for (ResultTile tile : tiles) {
    if (!suitsInstruction(product, tile, launch))
      continue;
    TiledProduct tiled = cutProduct(product, tile, sizes, depthOfStep, launch);
    bool mayStay = leavesRegisters(tiled, computes, launch.multiprocessors);
    for (ProductCost way :
         waysToShare(tiled, launch.target, launch.multiprocessors)) {
      way.isUncertain |= !mayStay;
      way.cycles *= doubtOfFunctions(tiled, computes, launch.multiprocessors);
      ways.emplace_back(tile, way);
    }
  }
  return ways;
}

ResultTile bestPipedTile(ArrayRef<ResultTile> tiles,
                         const LoadedProduct &product, ProductSizes sizes,
                         int64_t depthOfStep, OpenLaunch &launch) {
  bool computes = computesFunctions(launch.kernel);
  return leastTime(
      tiles,
      [&](ResultTile tile) {
        return suitsInstruction(product, tile, launch) &&
               leavesRegisters(
                   cutProduct(product, tile, sizes, depthOfStep, launch),
                   computes, launch.multiprocessors);
      },
      [&](ResultTile tile) {
        TiledProduct tiled =
            cutProduct(product, tile, sizes, depthOfStep, launch);
        return int64_t(
            costOfProduct(tiled, launch.target, launch.multiprocessors).cycles *
            doubtOfFunctions(tiled, computes, launch.multiprocessors));
      });
}

} // namespace tilegpt::tilegpu
