// Chooses how many warps multiply, and how many stages copies run ahead.
#include "Plan/ProductPlan.h"
#include "Plan/ExchangeMemory.h"
#include "Plan/ProductCost.h"
#include "Plan/StageBytes.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/LaunchView.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Multicast.h"
#include "TileGPT/Dialect/TileGPU/Analysis/RowStores.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SharedDepth.h"
#include "TileGPT/Dialect/TileGPU/Analysis/ShiftedTiles.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

/// Axes of a grid without entries of a batch, which are those of any other;
/// clusters lie along these only.
static constexpr size_t axesOfTiles = 2;

namespace {
struct Workforce {
  int64_t warps, teams;
};
} // namespace

/// Whether a kernel combines the result with another loaded tile: its loads in
/// flight leave ping-pong consumers too few registers.
static bool hasTileOperand(tile::KernelOp kernel, const Mainloop &match) {
  bool found = false;
  kernel.walk([&](tile::LoadOp load) {
    bool isStream = llvm::any_of(match.streams, [&](const StreamLoad &stream) {
      return stream.load == load;
    });
    found |= !isStream && cast<RankedTensorType>(load.getType()).getRank() > 1;
  });
  return found;
}

/// Whether the accumulation happens in f32 after each dot, since dots of f8
/// operands would truncate their accumulator.
static bool addsBehindDots(const Mainloop &match) {
  return llvm::any_of(match.dots, [](tile::DotOp dot) {
    return tile::isF8(dot.getLhs().getType().getElementType());
  });
}

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

/// Two warp groups compute, unless there are only rows for one (or fewer: the
/// excess rows of a warp group are garbage that nobody reads). Of 256 rows each
/// takes 128. They share 128 rows or, if a block has several tiles, take turns:
/// one multiplies while the other stores.
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
  // multiplies.
  if (hasSeveralTiles && wanted.get("teams") != 1 && !addsBehindDots(match) &&
      match.residents.empty() && rows == teamRows &&
      columns >= leastTeamColumns && columns <= mostTeamColumns &&
      runsAlways(match.loop) && !hasTileOperand(kernel, match))
    return {groupWarps, 2};
  return {rows % (2 * groupRows) == 0 ? 2 * groupWarps : 0, 1};
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
         !(width == narrowBytes && hasCutRows(store, facts)))) {
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

/// Whether the accumulators fit a thread's registers and leave enough for the
/// rest.
static bool fitsRegisters(const Mainloop &match, int64_t warps, int64_t parts) {
  constexpr int64_t most = 208;
  return parts * accumulatorsOf(match, warps) <= most;
}

/// The alignment of the rows of views, up to a step's 128 bytes.
static int64_t alignmentOfRows(ArrayRef<Value> roots) {
  int64_t alignment = 128;
  for (Value root : roots) {
    auto view = cast<tile::ViewType>(root.getType());
    for (int64_t stride : ArrayRef(tile::divisorsOfStrides(root)).drop_back())
      alignment =
          std::gcd(alignment, stride * memoryBytes(view.getElementType()));
  }
  return alignment;
}

/// The grid axis along which blocks share a stream's tiles, and no other tiles,
/// in lockstep; nullopt if there is none.
static std::optional<int64_t>
findMulticastAxis(tile::KernelOp kernel, const Mainloop &match, Value operand) {
  if (kernel.getGridRank() < axesOfTiles)
    return std::nullopt;
  for (int64_t axis = 0; axis < int64_t(axesOfTiles); ++axis) {
    bool isShared =
        runsInStep(match, axis) &&
        llvm::all_of(match.streams, [&](const StreamLoad &stream) {
          bool isWanted = tile::LoadOp(stream.load).getResult() == operand;
          return isWanted == isSharedAlong(stream, axis, /*blocks=*/1);
        });
    if (isShared)
      return axis;
  }
  return std::nullopt;
}

/// Rows of the last of an operand's tiles in a view that are out of bounds; 0
/// if unknown.
static int64_t outsideOf(tile::LoadOp load, Value root, int64_t tiles,
                         bool runsAcross) {
  auto view = cast<tile::ViewType>(root.getType());
  int64_t size = view.getShape()[view.getRank() - (runsAcross ? 1 : 2)],
          rows = load.getType().getDimSize(runsAcross ? 1 : 0);
  return load.getView() == root && !ShapedType::isDynamic(size)
             ? std::max<int64_t>(0, tiles * rows - size)
             : 0;
}

static int64_t outsideOf(const Mainloop &match, Value operand, int64_t tiles,
                         bool runsAcross) {
  for (const StreamLoad &stream : match.streams) {
    tile::LoadOp load = stream.load;
    if (load.getResult() == operand)
      return outsideOf(load, stream.root, tiles, runsAcross);
  }
  return 0;
}

/// Bytes of an element of the widest result.
static int64_t resultBytesOf(tile::KernelOp kernel) {
  int64_t bytes = 0;
  kernel.walk([&](tile::StoreOp store) {
    bytes = std::max(
        bytes, memoryBytes(getElementTypeOrSelf(store.getValue().getType())));
  });
  return bytes;
}

/// The granularity in which rows or columns of an operand are copied.
static int64_t unitOf(bool runsAcross, TypedValue<RankedTensorType> operand) {
  return runsAcross ? columnsOfPanel(operand.getType().getElementType()) : 1;
}

/// Blocks that split the depth of each tile through memory.
static int64_t countShares(tile::KernelOp kernel) {
  int64_t shares = 1;
  kernel.walk([&](AwaitBlocksOp await) { shares = await.getParts(); });
  return shares;
}

/// Blocks along the grid axes that determine where an operand's tiles begin
/// across the depth; blocks that split a depth count once.
static int64_t blocksAcross(tile::KernelOp kernel, tile::LoadOp load,
                            bool runsAcross, int64_t shares) {
  int64_t blocks = 1;
  for (int64_t axis = 0; axis < int64_t(kernel.getGridRank()); ++axis)
    if (dependsOnBlock(load.getIndices()[runsAcross ? 1 : 0], axis))
      blocks *=
          knownBlocks(kernel, axis).value_or(1) /
          (dependsOnBlock(load.getIndices()[runsAcross ? 0 : 1], axis) ? shares
                                                                       : 1);
  return blocks;
}

std::optional<TiledProduct> describeProduct(tile::KernelOp kernel,
                                            const Mainloop &match) {
  std::optional<SharedDepth> shared = findSharedDepth(match);
  scf::ForOp loop = match.loop;
  std::optional<int64_t> blocks = knownBlocks(kernel),
                         steps = getConstantIntValue(loop.getUpperBound());
  if (!blocks || !steps)
    return std::nullopt;
  tile::DotOp dot = match.dots.front();
  RankedTensorType acc = dot.getAcc().getType();
  // Blocks side by side share the lhs.
  std::optional<SplitProduct> split = findSplitProduct(kernel);
  bool isBatch = kernel.getGridRank() > axesOfTiles;
  std::optional<int64_t> columnAxis =
      shared    ? shared->columnAxis
      : split   ? split->columnAxis
      : isBatch ? std::nullopt
                : findMulticastAxis(kernel, match, dot.getLhs());
  int64_t columns =
      columnAxis ? knownBlocks(kernel, *columnAxis).value_or(1) : *blocks;
  bool canMulticast = (split || !isBatch) &&
                      findMulticastAxis(kernel, match, dot.getLhs()) &&
                      findMulticastAxis(kernel, match, dot.getRhs());
  int64_t shares = countShares(kernel);
  if (shares > 1) {
    columns = blocksAcross(kernel, dot.getRhs().getDefiningOp<tile::LoadOp>(),
                           !dot.getTransposeB(), shares);
    blocks = *blocks / shares;
    canMulticast = !isBatch;
  }
  bool isTransposed = columnAxis == 0;
  SmallVector<Value> roots;
  for (const StreamLoad &stream : match.streams)
    roots.push_back(stream.root);
  TiledProduct product{
      acc.getDimSize(0),
      acc.getDimSize(1),
      *blocks / columns,
      columns,
      *steps * shares,
      alignmentOfRows(roots),
      /*hasKnownGrid=*/shared.has_value(),
      /*canTakeTurns=*/!addsBehindDots(match) && !hasTileOperand(kernel, match),
      canMulticast,
      isTransposed,
      unitOf(dot.getTransposeA(), dot.getLhs()),
      unitOf(!dot.getTransposeB(), dot.getRhs()),
      outsideOf(match, dot.getLhs(), *blocks / columns, dot.getTransposeA()),
      outsideOf(match, dot.getRhs(), columns, !dot.getTransposeB())};
  product.resultBytes = resultBytesOf(kernel);
  product.shares = shares;
  if (canMulticast)
    for (size_t axis = axesOfTiles; axis < kernel.getGridRank(); ++axis)
      product.batches *= knownBlocks(kernel, int64_t(axis)).value_or(1);
  if (split) {
    product.canSplit = true;
    product.shiftsRows = findShiftedAxis(kernel, split->rowAxis).has_value();
    product.shiftsColumns =
        findShiftedAxis(kernel, split->columnAxis).has_value();
  }
  return product;
}

std::optional<TiledProduct>
describeProduct(tile::KernelOp kernel, const SplitProduct &split, bool rounds) {
  scf::ForOp loop = split.loop;
  tile::DotOp dot = split.dot;
  tile::LoadOp lhs = split.lhs, rhs = split.rhs;
  std::optional<int64_t> blocks = knownBlocks(kernel),
                         rows = knownBlocks(kernel, split.rowAxis),
                         columns = knownBlocks(kernel, split.columnAxis),
                         steps = getConstantIntValue(loop.getUpperBound());
  if (!blocks || !rows || !columns || !steps)
    return std::nullopt;
  ArrayRef<int64_t> tile = dot.getAcc().getType().getShape();
  int64_t batches = *blocks / (*rows * *columns);
  TiledProduct product{
      tile[0],
      tile[1],
      batches * *rows,
      *columns,
      *steps,
      alignmentOfRows({lhs.getView(), rhs.getView()}),
      /*hasKnownGrid=*/false,
      /*canTakeTurns=*/false,
      /*canMulticast=*/false,
      /*isTransposed=*/split.columnAxis == 0,
      unitOf(dot.getTransposeA(), dot.getLhs()),
      unitOf(!dot.getTransposeB(), dot.getRhs()),
      batches * outsideOf(lhs, lhs.getView(), *rows, dot.getTransposeA()),
      outsideOf(rhs, rhs.getView(), *columns, !dot.getTransposeB())};
  product.resultBytes = resultBytesOf(kernel);
  product.canSplit = true;
  product.computeCycles =
      rounds ? roundingCycles(tile[0], tile[1])
             : copyingCycles(tile[0], tile[1], product.alignment);
  // Without TMA no request takes longer than others.
  if (!rounds) {
    constexpr int64_t lineBytes = 128;
    product.alignment = lineBytes;
    product.rowUnit = product.columnUnit = 1;
    product.rowsOutside = product.columnsOutside = 0;
  }
  return product;
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
  constexpr int64_t others = 2048, most = 12, least = 3, sumBytes = 4;
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
  int64_t stages = std::min<int64_t>(
      most, (int64_t(target.sharedBytesPerBlock) - others - residentBytes -
             teams * warps / groupWarps * bytesOfResults(kernel) -
             teams * exchange.scratch - exchange.operands -
             (parts - 1) * acc.getNumElements() * sumBytes) /
                stageBytes);
  if (stages < least)
    return {};
  int64_t raster = chooseRaster(kernel, product, cost, multiprocessors);
  return PlanAttr::get(
      kernel.getContext(), StringAttr::get(kernel.getContext(), target.name),
      warps, stages, /*producer=*/true, /*persistent=*/parts == 1, raster,
      teams, parts, /*blocks=*/0,
      /*residentStages=*/2, multicast, multicastAxis, !cost || cost->overlaps,
      /*inRegisters=*/false);
}

} // namespace tilegpt::tilegpu
