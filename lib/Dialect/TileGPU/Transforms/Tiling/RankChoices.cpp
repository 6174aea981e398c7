// Ranks every tile of a product with every way to share it between blocks, by
// the cost model that chooses tiles.
#include "TileGPT/Dialect/TileGPU/Transforms/RankChoices.h"
#include "Plan/ProductPlan.h"
#include "Simplify/DotPatterns.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "Tiling/ChooseTiles.h"
#include "Tiling/LoadedProduct.h"
#include "Tiling/SharedLeft.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
struct Ranked {
  ResultTile tile;
  ProductCost cost;
  size_t place; ///< the compiler's order, which breaks ties
};
} // namespace

/// The grid axis along which blocks share an operand: tiles of rows are the
/// first grid axis and tiles of columns the second, swapped for a transposed
/// product.
static int64_t gridAxisOf(Multicast multicast, bool isTransposed) {
  if (multicast == Multicast::Both)
    return PlanAttr::bothAxes;
  bool isAlongColumns = multicast == Multicast::Left;
  return isAlongColumns != isTransposed ? 1 : 0;
}

static runtime::Choice choiceOf(const Ranked &ranked,
                                const LoadedProduct &product, int64_t step,
                                OpenLaunch &launch) {
  runtime::Choice choice;
  auto set = [&](StringAttr parameter, int64_t size) {
    if (!launch.isGiven(parameter) && !launch.isComputed(parameter))
      choice.parameters[parameter.str()] = size;
  };
  set(product.rows.parameter, ranked.tile.rows);
  set(product.columns.parameter, ranked.tile.columns);
  if (launch.hasFreeSize(product.depth.parameter))
    set(product.depth.parameter, step);
  Multicast multicast = ranked.cost.multicast;
  choice.plan = {{"parts", ranked.cost.parts},
                 {"overlap", ranked.cost.overlaps}};
  if (ranked.cost.shares > 1)
    choice.plan["shares"] = ranked.cost.shares;
  choice.plan["multicast"] = ranked.cost.getMulticastBlocks();
  if (multicast != Multicast::None)
    choice.plan["multicastAxis"] =
        gridAxisOf(multicast, product.isTransposed(launch, ranked.tile));
  return choice;
}

/// Other orders of tiles worth trying. Only a grid of two axes is walked in
/// bands.
static std::vector<int64_t> rastersOf(const Ranked &ranked,
                                      const LoadedProduct &product,
                                      const PipedTiles &piped,
                                      OpenLaunch &launch) {
  constexpr size_t axesOfTiles = 2;
  if (launch.kernel.getGrid().size() != axesOfTiles)
    return {};
  return otherRasters(
      cutProduct(product, ranked.tile, piped.sizes, piped.step, launch),
      ranked.cost, launch.multiprocessors);
}

/// Whether enough similar choices are first already.
static bool isCrowded(const Ranked &next, ArrayRef<Ranked> taken) {
  constexpr int64_t mostWays = 3, mostNeighbours = 6;
  auto count = [&](auto isAlike) { return llvm::count_if(taken, isAlike); };
  auto hasRows = [&](const Ranked &other) {
    return other.tile.rows == next.tile.rows;
  };
  auto hasColumns = [&](const Ranked &other) {
    return other.tile.columns == next.tile.columns;
  };
  return count([&](const Ranked &other) {
           return hasRows(other) && hasColumns(other);
         }) >= mostWays ||
         count(hasRows) >= mostNeighbours ||
         count(hasColumns) >= mostNeighbours;
}

/// Tiles of products that share their lhs; the only open choice of their plans
/// is whether the launch overlaps.
static std::vector<runtime::RankedChoice>
rankSharedLeft(OpenLaunch &launch, const SharedLeft &product, size_t most) {
  if (product.isWhole || !product.isFed(launch) ||
      !launch.hasFreeSize(product.rows) ||
      !launch.hasFreeSize(product.columns) ||
      !launch.hasFreeSize(product.depth))
    return {};
  SmallVector<SharedLeftTile> tiles = tilesOf(launch, product);
  const SharedLeftTile *best = bestOf(tiles);
  if (!best)
    return {};
  // The compiler's choice comes first.
  std::iter_swap(tiles.begin(), tiles.begin() + (best - tiles.begin()));
  llvm::sort(MutableArrayRef(tiles).drop_front(),
             [](const SharedLeftTile &lhs, const SharedLeftTile &rhs) {
               return std::tuple(lhs.time, lhs.tile.rows, lhs.tile.columns) <
                      std::tuple(rhs.time, rhs.tile.rows, rhs.tile.columns);
             });
  std::vector<runtime::RankedChoice> choices;
  for (const SharedLeftTile &each :
       ArrayRef(tiles).take_front(std::min(most, tiles.size())))
    choices.push_back({{{{product.rows.str(), each.tile.rows},
                         {product.columns.str(), each.tile.columns},
                         {product.depth.str(), product.stepOf(launch)}},
                        {{"parts", 1}, {"multicast", 1}, {"overlap", 1}}},
                       double(each.time),
                       {4, 16}});
  return choices;
}

std::vector<runtime::RankedChoice> rankChoices(tile::LaunchOp launch,
                                               tile::KernelOp original,
                                               const RankedDevice &device,
                                               size_t most) {
  const target::GpuTarget *target = target::lookUpTarget(device.target);
  if (!target)
    return {};
  OwningOpRef<tile::KernelOp> copy = copyWithStraightOperands(original);
  tile::KernelOp kernel = copy ? *copy : original;
  OpenLaunch open(launch, kernel, *target, device.multiprocessors, device.tf32,
                  device.fastF8);
  std::optional<LoadedProduct> product = findLoadedProduct(kernel);
  if (!product) {
    std::optional<SharedLeft> shared = findSharedLeft(kernel);
    return shared ? rankSharedLeft(open, *shared, most)
                  : std::vector<runtime::RankedChoice>();
  }
  std::optional<PipedTiles> piped = open.isComputed(product->depth.parameter)
                                        ? findPipedFewRows(open, *product)
                                        : findPipedTiles(open, *product);
  if (!piped)
    return {};
  SmallVector<Ranked> all;
  for (auto &[tile, cost] :
       waysOfTiles(piped->tiles, *product, piped->sizes, piped->step, open))
    all.push_back({tile, cost, all.size()});
  llvm::sort(all, [](const Ranked &lhs, const Ranked &rhs) {
    return std::pair(lhs.cost.cycles, lhs.place) <
           std::pair(rhs.cost.cycles, rhs.place);
  });
  // The compiler's choice comes first.
  auto *chosen = llvm::find_if(
      all, [](const Ranked &each) { return !each.cost.isUncertain; });
  if (chosen == all.end())
    return {};
  std::rotate(all.begin(), chosen, std::next(chosen));
  // Different ones first, so that a short search sees them all.
  SmallVector<Ranked> taken, similar;
  for (const Ranked &next : all)
    if (taken.size() < most)
      (isCrowded(next, taken) ? similar : taken).push_back(next);
  taken.append(similar);
  std::vector<runtime::RankedChoice> choices;
  for (const Ranked &each : ArrayRef(taken).take_front(most))
    choices.push_back({choiceOf(each, *product, piped->step, open),
                       each.cost.cycles,
                       rastersOf(each, *product, *piped, open)});
  return choices;
}

} // namespace tilegpt::tilegpu
