// The layout of transposed results.
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool isTransposedAccumulator(RankedTensorType tile, int64_t warps) {
  constexpr int64_t columnStep = 8;
  LayoutAttr layout = LayoutAttr::of(tile);
  if (!layout || tile.getRank() != 2 || tile.getDimSize(1) % groupRows != 0 ||
      tile.getDimSize(0) % columnStep != 0)
    return false;
  auto product = RankedTensorType::get({tile.getDimSize(1), tile.getDimSize(0)},
                                       tile.getElementType());
  return layout ==
         accumulatorLayout(DotKind::Wgmma, product, warps).permute({1, 0});
}

} // namespace tilegpt::tilegpu
