// Tiles of products by steps along the depth: those of the least time, and
// steps of 128 bytes.
#include "Tiling/ChooseTiles.h"
#include "Tiling/LoadedProduct.h"
#include "llvm/Support/MathExtras.h"
#include <functional>

using namespace mlir;

namespace tilegpt::tilegpu {

/// A step of 128 bytes of the wider operand, but at most `most`, or the nearest
/// candidate below.
static int64_t depthOfStep(OpenLaunch &launch, const LoadedProduct &product,
                           ArrayRef<int64_t> sizes, int64_t most) {
  constexpr int64_t stepBits = 1024;
  auto bitsOf = [&](const TiledAxis &axis) {
    return launch.elementOf(axis.argument).getIntOrFloatBitWidth();
  };
  most = std::min<int64_t>(
      most, stepBits / std::max(bitsOf(product.rows), bitsOf(product.columns)));
  return largestOf(sizes, [&](int64_t size) { return size <= most; });
}

bool chooseProductTiles(OpenLaunch &launch) {
  std::optional<LoadedProduct> product = findLoadedProduct(launch.kernel);
  if (!product)
    return false;
  if (launch.isComputed(product->depth.parameter))
    return false;
  SmallVector<int64_t> depths = launch.candidates(product->depth.parameter);
  // What is not known counts as large.
  constexpr int64_t large = 4096;
  const int64_t rows = launch.sizeOf(product->rows).value_or(large),
                columns = launch.sizeOf(product->columns).value_or(large);
  const std::optional<int64_t> depth = launch.sizeOf(product->depth);
  SmallVector<ResultTile> tiles;
  for (int64_t m : launch.candidates(product->rows.parameter))
    for (int64_t n : launch.candidates(product->columns.parameter))
      tiles.push_back({m, n});
  if (depths.empty() || tiles.empty())
    return true;

  bool piped = product->isPiped(launch);
  // A loop of one step would be none, and no pipe.
  int64_t mostDepth = piped ? *depth - 1 : INT64_MAX;
  int64_t step = depthOfStep(launch, *product, depths, mostDepth);
  // Where the launch gives a tile that does not fit, no producer feeds it.
  if (piped) {
    SmallVector<ResultTile> fitting =
        llvm::filter_to_vector(tiles, [&](ResultTile tile) {
          return product->fitsPipe(launch, tile, step);
        });
    piped = !fitting.empty();
    if (piped)
      tiles = fitting;
  }
  int64_t steps = llvm::divideCeil(depth.value_or(large), step);
  bool multipliesAndAdds = !piped && product->isMultiplyAdd(launch);
  ResultTile tile = piped ? bestPipedTile(tiles, *product,
                                          {rows, columns, depth}, step, launch)
                          : bestTile(tiles, rows, columns,
                                     multipliesAndAdds ? steps : 0, launch);
  launch.set(product->rows.parameter, tile.rows);
  launch.set(product->columns.parameter, tile.columns);
  launch.set(product->depth.parameter, step);
  // How many blocks a multiprocessor may hold follows from the rows of all
  // launches of a kernel (limitResidents in MakePlan.cpp).
  if (multipliesAndAdds)
    launch.keepApart(
        timeOfMultiplyAdd(tile, rows, columns, steps, launch).residents);
  return true;
}

} // namespace tilegpt::tilegpu
