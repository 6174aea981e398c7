// Chooses the cheapest tiles of products in a loop over the depth, with steps
// of 128 bytes.
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "Tiling/ChooseTiles.h"
#include "Tiling/LoadedProduct.h"
#include "llvm/Support/MathExtras.h"
#include <functional>

using namespace mlir;

namespace tilegpt::tilegpu {

constexpr int64_t stepBits = 1024;

/// A step of `bits` bits of the wider operand, limited to `most` elements, or
/// the next smaller candidate.
static int64_t depthOfStep(OpenLaunch &launch, const LoadedProduct &product,
                           ArrayRef<int64_t> sizes, int64_t most,
                           int64_t bits = stepBits) {
  Type left = product.elementOfLeft(launch),
       right = launch.elementOf(product.columns.argument);
  most =
      std::min<int64_t>(most, bits / std::max(left.getIntOrFloatBitWidth(),
                                              right.getIntOrFloatBitWidth()));
  return largestOf(sizes, [&](int64_t size) { return size <= most; });
}

/// Assumed for unknown sizes.
static constexpr int64_t large = 4096;

/// The sizes of a product, with `large` for unknown ones.
static ProductSizes sizesOrLarge(OpenLaunch &launch,
                                 const LoadedProduct &product) {
  return {launch.sizeOf(product.rows).value_or(large),
          launch.sizeOf(product.columns).value_or(large),
          launch.sizeOf(product.depth)};
}

static SmallVector<ResultTile> allTiles(OpenLaunch &launch,
                                        const LoadedProduct &product) {
  SmallVector<ResultTile> tiles;
  for (int64_t m : launch.candidates(product.rows.parameter))
    for (int64_t n : launch.candidates(product.columns.parameter))
      tiles.push_back({m, n});
  return tiles;
}

std::optional<PipedTiles> findPipedTiles(OpenLaunch &launch,
                                         const LoadedProduct &product) {
  SmallVector<int64_t> depths = launch.candidates(product.depth.parameter);
  if (depths.empty() || !product.isPiped(launch))
    return std::nullopt;
  PipedTiles piped = {{}, sizesOrLarge(launch, product), 0};
  // A loop of one step would be folded, leaving nothing to pipeline.
  piped.step = depthOfStep(launch, product, depths, *piped.sizes.depth - 1);
  // If the launch sets a tile that does not fit, no producer feeds it.
  piped.tiles =
      llvm::filter_to_vector(allTiles(launch, product), [&](ResultTile tile) {
        return product.fitsPipe(launch, tile, piped.step);
      });
  return piped.tiles.empty() ? std::nullopt : std::optional(piped);
}

/// Tiles that are small enough for a multiprocessor to run several blocks in
/// registers, each of twice the usual depth.
static SmallVector<ResultTile> smallTiles(ArrayRef<ResultTile> tiles) {
  constexpr int64_t most = 64;
  return llvm::filter_to_vector(tiles, [](ResultTile tile) {
    return tile.rows <= most && tile.columns <= most;
  });
}

/// The tile with which blocks split the depth of a product that no producer
/// feeds, if `wgmma` multiplies it and that is faster than another tile without
/// a split, of which every multiprocessor has at most one.
static std::optional<ResultTile> splitTile(ArrayRef<ResultTile> tiles,
                                           const LoadedProduct &product,
                                           ProductSizes sizes, int64_t step,
                                           ResultTile other,
                                           OpenLaunch &launch) {
  constexpr int64_t most = 128, columnStep = 32, elementBits = 16;
  Type left = product.elementOfLeft(launch),
       right = launch.elementOf(product.columns.argument);
  if (!launch.target.hasWgmma || product.products != 1 || left != right ||
      left.getIntOrFloatBitWidth() != elementBits || !sizes.depth ||
      blocksOf(product, other, sizes, launch) > launch.multiprocessors)
    return std::nullopt;
  std::optional<ResultTile> best;
  double least = waysToShare(cutProduct(product, other, sizes, step, launch),
                             launch.target, launch.multiprocessors)
                     .front()
                     .cycles;
  for (ResultTile tile : tiles) {
    if (tile.rows % groupRows || tile.rows > most || tile.columns > most ||
        tile.columns % columnStep || !llvm::isPowerOf2_64(uint64_t(tile.rows)))
      continue;
    ProductCost cost =
        costOfProduct(cutProduct(product, tile, sizes, step, launch),
                      launch.target, launch.multiprocessors);
    if (cost.shares > 1 && cost.cycles < least) {
      best = tile;
      least = cost.cycles;
    }
  }
  return best;
}

bool chooseProductTiles(OpenLaunch &launch) {
  std::optional<LoadedProduct> product = findLoadedProduct(launch.kernel);
  if (!product)
    return false;
  if (launch.isComputed(product->depth.parameter))
    return false;
  SmallVector<int64_t> depths = launch.candidates(product->depth.parameter);
  SmallVector<ResultTile> tiles = allTiles(launch, *product);
  if (depths.empty() || tiles.empty())
    return true;

  ProductSizes sizes = sizesOrLarge(launch, *product);
  std::optional<PipedTiles> piped = findPipedTiles(launch, *product);
  bool multipliesAndAdds = !piped && product->isMultiplyAdd(launch);
  int64_t step = 0, steps = 0;
  ResultTile tile;
  if (piped) {
    step = piped->step;
    tile = bestPipedTile(piped->tiles, *product, piped->sizes, step, launch);
  } else {
    int64_t most = product->isPiped(launch) ? *sizes.depth - 1 : INT64_MAX;
    step = depthOfStep(launch, *product, depths, most);
    steps = llvm::divideCeil(sizes.depth.value_or(large), step);
    tile =
        bestTile(tiles, *product, sizes, multipliesAndAdds ? steps : 0, launch);
    // Threads that load operands through registers wait in every step. With one
    // block per multiprocessor, nothing else computes meanwhile, so choose more
    // and smaller blocks with fewer steps: 1003 x 1019 x 1045 takes 24 us on an
    // H200 instead of 35.
    SmallVector<ResultTile> small = smallTiles(tiles);
    if (!multipliesAndAdds && !small.empty() &&
        product->readsThroughRegisters(launch) &&
        blocksOf(*product, tile, sizes, launch) <= launch.multiprocessors) {
      tile = bestTile(small, *product, sizes, /*steps=*/0, launch);
      step = depthOfStep(launch, *product, depths, most, 2 * stepBits);
    }
    int64_t ofSplit = depthOfStep(launch, *product, depths, most);
    if (std::optional<ResultTile> split =
            splitTile(tiles, *product, sizes, ofSplit, tile, launch)) {
      tile = *split;
      step = ofSplit;
    }
  }
  launch.set(product->rows.parameter, tile.rows);
  launch.set(product->columns.parameter, tile.columns);
  launch.set(product->depth.parameter, step);
  // The number of resident blocks per multiprocessor follows from the rows of
  // all launches of a kernel (limitResidents in MakePlan.cpp).
  if (multipliesAndAdds)
    launch.keepApart(
        timeOfMultiplyAdd(*product, tile, sizes, steps, launch).residents);
  return true;
}

} // namespace tilegpt::tilegpu
