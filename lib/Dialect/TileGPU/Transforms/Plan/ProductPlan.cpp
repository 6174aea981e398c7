// Chooses how many warps multiply, and how many stages copies run ahead.
#include "Plan/ProductPlan.h"
#include "Plan/DescribeProduct.h"
#include "Plan/ExchangeMemory.h"
#include "Plan/StageBytes.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Multicast.h"
#include "TileGPT/Dialect/TileGPU/Analysis/RowStores.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
struct Workforce {
  int64_t warps, teams;
};
} // namespace

/// Registers per thread for the accumulators with `warps` warps, and for the
/// terms that an iteration adds to them.
static int64_t accumulatorsOf(const Mainloop &match, int64_t warps) {
  int64_t registers = 0;
  for (tile::DotOp dot : match.dots)
    if (!dot.getAcc().getDefiningOp<tile::DotOp>())
      registers +=
          dot.getAcc().getType().getNumElements() / (warpLanes * warps);
  return addsBehindDots(match) ? 2 * registers : registers;
}

static bool runsAlways(scf::ForOp loop) {
  std::optional<int64_t> from = getConstantIntValue(loop.getLowerBound()),
                         to = getConstantIntValue(loop.getUpperBound());
  return from && to && *from < *to;
}

/// Two or three warp groups compute, unless there are only rows for one (or
/// fewer: the excess rows of a warp group are garbage that nobody reads). Of
/// 256 rows each of two takes 128. Two share 128 rows or, if a block has
/// several tiles, take turns: one multiplies while the other stores.
static Workforce chooseWorkforce(tile::KernelOp kernel, const Mainloop &match,
                                 int64_t multiprocessors,
                                 const WantedPlan &wanted) {
  std::optional<int64_t> blocks = knownBlocks(kernel);
  bool hasSeveralTiles = !blocks || *blocks > multiprocessors;
  tile::DotOp dot = match.dots.front();
  int64_t rows = dot.getAcc().getType().getDimSize(0), columns = 0;
  for (tile::DotOp sum : match.dots)
    if (!sum.getAcc().getDefiningOp<tile::DotOp>())
      columns += sum.getAcc().getType().getDimSize(1);
  if (rows <= groupRows)
    return {groupWarps, 1};
  // If accumulation follows each dot, one group adds while the other
  // multiplies. Consumers take turns by the tiles of a launch.
  bool isOnlyLoop = isa<tile::KernelOp>(match.loop->getParentOp());
  if (hasSeveralTiles && isOnlyLoop && wanted.get("teams") != 1 &&
      !addsBehindDots(match) && match.residents.empty() && rows == teamRows &&
      columns >= leastTeamColumns && columns <= mostTeamColumns &&
      runsAlways(match.loop) && !hasTileOperand(kernel, match))
    return {groupWarps, 2};
  return {countWarpGroups(rows) * groupWarps, 1};
}

/// Whether TMA will store a result of 16-bit elements in boxes (`tma_store`).
static bool isStoredInBoxes(tile::StoreOp store, RankedTensorType tile) {
  constexpr int64_t leastSize = 64;
  if (store.getMask() || tile.getDimSize(0) < leastSize ||
      tile.getDimSize(1) < leastSize)
    return false;
  std::optional<Window> window = matchWindow(
      store.getView(), tile.getDimSize(1), OpFoldResult(store.getIndices()[1]));
  return window && window->isOfArgument() &&
         window->rowAxis + 2 == window->start.size();
}

/// Shared memory through which a warp group stores each result: a box of 64
/// rows of 128 bytes, or the rows of four warps if elements have 32 bits or
/// rows are unaligned.
static int64_t bytesOfResults(tile::KernelOp kernel) {
  constexpr int64_t boxBytes = int64_t(64) * 128, wideBytes = 4,
                    narrowBytes = 2;
  int64_t bytes = 0;
  IndexFacts facts;
  kernel.walk([&](tile::StoreOp store) {
    auto tile = cast<RankedTensorType>(store.getValue().getType());
    int64_t width = memoryBytes(tile.getElementType());
    if (tile.getRank() != 2)
      return;
    if (store.getOrder() ||
        (width != wideBytes &&
         !(width == narrowBytes && !isStoredInBoxes(store, tile) &&
           hasCutRows(store, facts)))) {
      bytes += boxBytes;
      return;
    }
    int64_t columns =
        columnsOfRowStore(tile.getDimSize(1), mostStoredColumns(width));
    bytes += std::max(boxBytes, groupWarps * storedRows *
                                    (columns + paddingOfRow(columns, width)) *
                                    width);
  });
  return std::max(bytes, boxBytes);
}

/// Whether all results are stored in boxes, which may have a quarter of their
/// size (`tile-gpu-stage-stores`).
static bool storesBoxes(tile::KernelOp kernel) {
  bool areBoxes = true;
  kernel.walk([&](tile::StoreOp store) {
    auto tile = cast<RankedTensorType>(store.getValue().getType());
    constexpr int64_t elementBytes = 2;
    areBoxes &= tile.getRank() == 2 && !store.getOrder() &&
                memoryBytes(tile.getElementType()) == elementBytes &&
                isStoredInBoxes(store, tile);
  });
  return areBoxes;
}
constexpr int64_t mostBoxParts = 4;

/// Shared memory through which all warps store each result as a whole, as they
/// do where other instructions than wgmma determine its layout.
static int64_t bytesOfWholeResults(tile::KernelOp kernel) {
  int64_t bytes = 0;
  kernel.walk([&](tile::StoreOp store) {
    bytes += tileBytes(cast<RankedTensorType>(store.getValue().getType()));
  });
  return bytes;
}

/// Whether the accumulators fit a thread's registers and leave enough for the
/// rest.
static bool fitsRegisters(const Mainloop &match, int64_t warps, int64_t parts) {
  return parts * accumulatorsOf(match, warps) <= mostSumsOf(warps / groupWarps);
}

/// The blocks of a cluster that multicast operands, and the grid axis they lie
/// along, as plan parameters.
static std::pair<int64_t, int64_t> clusterOf(tile::KernelOp kernel,
                                             const Mainloop &match,
                                             const ProductCost &way) {
  if (way.multicast == Multicast::None)
    return {1, 0};
  if (way.multicast == Multicast::Both)
    return {way.getMulticastBlocks(), PlanAttr::bothAxes};
  tile::DotOp dot = match.dots.front();
  Value shared = sharesLeft(way.multicast) ? dot.getLhs() : dot.getRhs();
  return {way.getMulticastBlocks(),
          findMulticastAxis(kernel, match, shared).value()};
}

/// How blocks share the product, beyond a split through memory that is already
/// decided: as requested if possible, else the cheapest way.
static ProductCost chooseWay(tile::KernelOp kernel, const Mainloop &match,
                             const TiledProduct &product,
                             const target::GpuTarget &target,
                             int64_t multiprocessors,
                             const WantedPlan &wanted) {
  SmallVector<ProductCost> ways = waysToShare(product, target, multiprocessors);
  llvm::erase_if(ways, [&](const ProductCost &way) {
    return way.shares != product.shares;
  });
  if (wanted.get("parts") || wanted.get("multicast"))
    for (const ProductCost &way : ways)
      if (auto [blocks, axis] = clusterOf(kernel, match, way);
          way.parts == wanted.get("parts").value_or(1) &&
          blocks == wanted.get("multicast").value_or(1) &&
          axis == wanted.get("multicastAxis").value_or(0))
        return way;
  return cheapestOf(ways);
}

/// The raster where the cost model does not cover the grid, or there are
/// several waves. No other number was faster for all of these.
static constexpr int64_t usualRaster = 8;

static int64_t blocksDown(const TiledProduct &product) {
  return product.isTransposed ? product.gridColumns : product.gridRows;
}

// Adjacent blocks run on adjacent multiprocessors. If all blocks are resident
// at a time, they share tiles of the larger operand: each of these tiles then
// goes to one part of the L2 cache only.
int64_t rasterOf(const TiledProduct &product, const ProductCost &way,
                 int64_t multiprocessors) {
  if (way.parts > 1 || way.multicast != Multicast::None ||
      product.getBlocks() > multiprocessors)
    return usualRaster;
  int64_t rows = product.gridRows * product.tileRows,
          columns = product.gridColumns * product.tileColumns;
  bool isTall = product.isTransposed ? columns >= rows : rows >= columns;
  return isTall ? 1 : blocksDown(product);
}

std::vector<int64_t> otherRasters(const TiledProduct &product,
                                  const ProductCost &way,
                                  int64_t multiprocessors) {
  if (way.parts > 1 || way.shares > 1)
    return {};
  // A band of all rows has the same order as a longer one.
  int64_t all = blocksDown(product),
          chosen = std::min(rasterOf(product, way, multiprocessors), all);
  std::vector<int64_t> rasters;
  for (int64_t raster : {int64_t(1), int64_t(4), int64_t(16), all})
    if (raster <= all && raster != chosen &&
        !llvm::is_contained(rasters, raster))
      rasters.push_back(raster);
  return rasters;
}

std::optional<int64_t> rasterOfGroups(tile::KernelOp kernel) {
  std::optional<int64_t> raster;
  kernel.walk([&](AwaitBlocksOp await) {
    raster = dependsOnBlock(await.getPart(), 0)
                 ? int64_t(llvm::alignTo(usualRaster, await.getParts()))
                 : 1;
  });
  return raster;
}

/// The raster of a kernel.
/// \param product  with `way` to share it, if the cost model covers the grid.
static int64_t chooseRaster(tile::KernelOp kernel,
                            const std::optional<TiledProduct> &product,
                            const std::optional<ProductCost> &way,
                            int64_t multiprocessors) {
  if (std::optional<int64_t> raster = rasterOfGroups(kernel))
    return *raster;
  return product && kernel.getGridRank() == axesOfTiles
             ? rasterOf(*product, *way, multiprocessors)
             : usualRaster;
}

PlanAttr planProducts(tile::KernelOp kernel, ArrayRef<Mainloop> matches,
                      const target::GpuTarget &target, int64_t multiprocessors,
                      const WantedPlan &wanted) {
  tile::DotOp dot = matches.front().dots.front();
  int64_t rows = dot.getAcc().getType().getDimSize(0);
  for (const Mainloop &match : matches)
    if (!match.hasWholeStages() ||
        llvm::any_of(match.dots, [&](tile::DotOp dot) {
          return dot.getAcc().getType().getDimSize(0) != rows;
        }))
      return {};
  bool isAlone = matches.size() == 1;
  auto [warps, teams] =
      chooseWorkforce(kernel, matches.front(), multiprocessors, wanted);
  ExchangeMemory exchange(kernel, matches);
  if (!isAlone || countShares(kernel) > 1)
    teams = 1;
  if (teams > 1 && !exchange.suitsTeams()) {
    warps *= teams;
    teams = 1;
  }
  // The cost model covers a single product.
  std::optional<TiledProduct> product;
  if (isAlone && matches.front().dots.size() == 1)
    product = describeProduct(kernel, matches.front());
  std::optional<ProductCost> cost;
  if (product)
    cost = chooseWay(kernel, matches.front(), *product, target, multiprocessors,
                     wanted);
  int64_t parts = teams == 1 && cost ? cost->parts : 1;
  auto [multicast, multicastAxis] =
      cost ? clusterOf(kernel, matches.front(), *cost)
           : std::pair<int64_t, int64_t>{1, 0};
  if (warps == 0 || llvm::any_of(matches, [&](const Mainloop &match) {
        return !fitsRegisters(match, warps, parts);
      }))
    return {};

  // A kernel of one wave is bound by bytes in flight: fill shared memory with
  // stages, except for a warp group's results, parts from other blocks,
  // exchanged elements and barriers.
  constexpr int64_t others = 2048, most = 12, least = 3, sumBytes = 4,
                    leastRounds = 8;
  RankedTensorType acc = dot.getAcc().getType();
  int64_t stageBytes = stageBytesOf(matches, /*copiesAll=*/false),
          residentBytes = 0;
  for (const Mainloop &match : matches)
    for (Value resident : match.residents)
      residentBytes +=
          2 * bufferOfOperand(cast<RankedTensorType>(resident.getType()))
                  .getNumBytes();
  if (parts > 1) {
    RankedTensorType rhs = dot.getRhs().getType();
    stageBytes += (parts - 1) * acc.getDimSize(1) * rhs.getDimSize(1) *
                  rhs.getElementTypeBitWidth() / 8;
  }
  int64_t resultBytes = teams * warps / groupWarps * bytesOfResults(kernel);
  if (exchange.operands > 0)
    resultBytes = std::max(resultBytes, bytesOfWholeResults(kernel));
  auto countStages = [&](int64_t resultBytes) {
    return std::min<int64_t>(
        most, (int64_t(target.sharedBytesPerBlock) - others - residentBytes -
               resultBytes - teams * exchange.scratch - exchange.operands -
               (parts - 1) * acc.getNumElements() * sumBytes) /
                  stageBytes);
  };
  int64_t stages = countStages(resultBytes);
  if (teams == 1 && exchange.operands == 0 && product &&
      product->hasKnownGrid && product->getBlocks() <= multiprocessors &&
      acc.getDimSize(0) % (warps / groupWarps * groupRows) == 0 &&
      storesBoxes(kernel))
    // Narrower boxes are stored one after the other, which takes as long as a
    // few steps.
    if (int64_t more = countStages(resultBytes / mostBoxParts);
        more * leastRounds <= product->steps)
      stages = std::max(stages, more);
  if (stages < least)
    return {};
  int64_t raster = chooseRaster(kernel, product, cost, multiprocessors);
  return PlanAttr::get(
      kernel.getContext(), StringAttr::get(kernel.getContext(), target.name),
      warps, stages, /*producer=*/true, /*persistent=*/parts == 1, raster,
      teams, parts, /*blocks=*/0,
      /*residentStages=*/2, multicast, multicastAxis, !cost || cost->overlaps,
      /*inRegisters=*/false, /*throughMemory=*/false);
}

} // namespace tilegpt::tilegpu
