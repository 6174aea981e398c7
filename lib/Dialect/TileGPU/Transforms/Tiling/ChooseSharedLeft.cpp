// Chooses tiles of products that share their lhs, as in a gated MLP: a thread
// has accumulators of all of them.
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "Tiling/ChooseTiles.h"
#include "Tiling/LaunchSizes.h"
#include "Tiling/SharedLeft.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

std::optional<SharedLeft> findSharedLeft(tile::KernelOp kernel) {
  SmallVector<tile::DotOp> dots;
  kernel.walk([&](tile::DotOp dot) { dots.push_back(dot); });
  if (dots.size() < 2 ||
      !isa<scf::ForOp, tile::KernelOp>(dots.front()->getParentOp()))
    return std::nullopt;
  auto lhs = dots.front().getLhs().getDefiningOp<tile::LoadOp>();
  auto first = dots.front().getRhs().getDefiningOp<tile::LoadOp>();
  if (!lhs || !first || lhs.getSizes().size() != 2)
    return std::nullopt;
  for (tile::DotOp dot : dots) {
    auto rhs = dot.getRhs().getDefiningOp<tile::LoadOp>();
    if (dot.getLhs() != lhs.getResult() || !rhs || dot.getTransposeA() ||
        !dot.getTransposeB() || rhs.getSizes() != first.getSizes() ||
        dot->getBlock() != dots.front()->getBlock())
      return std::nullopt;
  }
  auto rows = dyn_cast<StringAttr>(lhs.getSizes()[0]),
       depth = dyn_cast<StringAttr>(lhs.getSizes()[1]),
       columns = dyn_cast<StringAttr>(first.getSizes()[0]);
  BlockArgument left = rootOf(lhs.getView()), right = rootOf(first.getView());
  if (!rows || !depth || !columns || first.getSizes()[1] != depth || !left ||
      !right)
    return std::nullopt;
  return SharedLeft{rows,
                    columns,
                    depth,
                    left.getArgNumber(),
                    right.getArgNumber(),
                    int64_t(dots.size()),
                    isa<tile::KernelOp>(dots.front()->getParentOp())};
}

/// Cycles of the products with tiles fed by a producer; nullopt if the depth is
/// open.
static std::optional<int64_t> pipedTime(OpenLaunch &launch,
                                        const SharedLeft &product,
                                        ResultTile tile, int64_t blocks) {
  constexpr int64_t stepBytes = 128, unitBytes = 16;
  std::optional<int64_t> rows = launch.sizeOf(product.lhs, 0),
                         depth = launch.sizeOf(product.lhs, 1);
  if (!rows || !depth || *rows == 0)
    return std::nullopt;
  int64_t pitch =
      *depth * launch.elementOf(product.lhs).getIntOrFloatBitWidth() / 8;
  if (pitch % unitBytes != 0)
    return std::nullopt;
  auto gridRows = int64_t(llvm::divideCeil(*rows, tile.rows));
  TiledProduct tiled = {tile.rows,
                        product.products * tile.columns,
                        gridRows,
                        blocks / gridRows,
                        int64_t(llvm::divideCeil(pitch, stepBytes)),
                        std::gcd(pitch, stepBytes),
                        /*hasKnownGrid=*/false};
  tiled.rowsOutside = gridRows * tile.rows - *rows;
  return int64_t(
      costOfProduct(tiled, launch.target, launch.multiprocessors).cycles);
}

/// The possible rows of a tile. If the kernel loads the full depth,
/// tile-gpu-cut-dots later chooses a step along it for tiles that suit a matrix
/// instruction, which a single row does not need.
static SmallVector<int64_t> tileRows(OpenLaunch &launch,
                                     const SharedLeft &product) {
  constexpr int64_t instructionRows = 16;
  SmallVector<int64_t> sizes = launch.candidates(product.rows);
  if (!product.isWhole)
    return sizes;
  std::optional<int64_t> rows = launch.sizeOf(product.lhs, 0);
  if (rows && *rows > 1 && llvm::is_contained(sizes, instructionRows))
    return {instructionRows};
  return {};
}

static bool hasMatrixUnit(OpenLaunch &launch, const SharedLeft &product) {
  Type lhs = launch.elementOf(product.lhs), rhs = launch.elementOf(product.rhs);
  return suitTensorCores(lhs, rhs,
                         launch.precisionOf(lhs, rhs, tile::Precision::IEEE));
}

bool SharedLeft::isFed(OpenLaunch &launch) const {
  return hasMatrixUnit(launch, *this) && launch.target.hasTma &&
         launch.target.hasWgmma;
}

int64_t SharedLeft::stepOf(OpenLaunch &launch) const {
  constexpr int64_t stepBits = 1024;
  return stepBits / std::max(launch.elementOf(lhs).getIntOrFloatBitWidth(),
                             launch.elementOf(rhs).getIntOrFloatBitWidth());
}

SmallVector<SharedLeftTile> tilesOf(OpenLaunch &launch,
                                    const SharedLeft &product) {
  constexpr int64_t loadCost = 64, mostSums = 128, mostSumsOfFma = 64,
                    mostRows = 128;
  bool isFed = product.isFed(launch);
  int64_t most = hasMatrixUnit(launch, product) ? mostSums : mostSumsOfFma;
  LaunchSizes sizes(launch);
  SmallVector<SharedLeftTile> tiles;
  for (int64_t rows : tileRows(launch, product))
    for (int64_t columns : launch.candidates(product.columns)) {
      int64_t groups = isFed && rows > groupRows ? 2 : 1,
              sums = std::max(rows, groupRows) * columns * product.products /
                     (groups * groupThreads);
      if (rows > mostRows || sums > most)
        continue;
      // Each warp group has whole instructions.
      if (rows > groupRows ? rows % groupRows != 0 : groupRows % rows != 0)
        continue;
      std::optional<int64_t> blocks =
          sizes.countBlocks({{product.rows.getValue(), rows},
                             {product.columns.getValue(), columns}});
      if (!blocks)
        continue;
      // A row or column of operands costs as much as 64 multiplications.
      int64_t time = llvm::divideCeil(*blocks, launch.multiprocessors) *
                     (rows * columns * product.products +
                      loadCost * (rows + columns * product.products));
      if (isFed)
        time =
            pipedTime(launch, product, {rows, columns}, *blocks).value_or(time);
      // If a block has several tiles, two products of 64 to 128 columns take up
      // to a fifth longer than that.
      bool isUncertain = isFed && *blocks > launch.multiprocessors &&
                         columns > groupRows && columns % groupRows != 0;
      tiles.push_back({{rows, columns}, time, isUncertain});
    }
  return tiles;
}

const SharedLeftTile *bestOf(ArrayRef<SharedLeftTile> tiles) {
  const SharedLeftTile *best = nullptr;
  for (const SharedLeftTile &each : tiles)
    if (!each.isUncertain && (!best || each.time < best->time))
      best = &each;
  return best;
}

bool chooseSharedLeft(OpenLaunch &launch) {
  std::optional<SharedLeft> product = findSharedLeft(launch.kernel);
  if (!product || launch.isGiven(product->rows) ||
      launch.isGiven(product->columns) || launch.isGiven(product->depth))
    return false;
  SmallVector<SharedLeftTile> tiles = tilesOf(launch, *product);
  const SharedLeftTile *best = bestOf(tiles);
  if (!best)
    return false;
  launch.set(product->rows, best->tile.rows);
  launch.set(product->columns, best->tile.columns);
  if (int64_t step = product->stepOf(launch);
      launch.admits(product->depth, step))
    launch.set(product->depth, step);
  return true;
}

} // namespace tilegpt::tilegpu
