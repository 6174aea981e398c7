// The conditions under which two blocks may store the same elements.
#include "TileGPT/Dialect/TileGPU/Analysis/ShiftedTiles.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reproduce.h"

using namespace mlir;

namespace tilegpt::tilegpu {

std::optional<FreeAxis> findShiftedAxis(tile::KernelOp kernel,
                                        int64_t gridAxis) {
  if (kernel.isRaw())
    return std::nullopt;
  std::optional<FreeAxis> axis =
      findFreeAxis(kernel, gridAxis, /*refusal=*/nullptr, /*followsDots=*/true);
  if (!axis || !axis->extent || *axis->extent <= axis->size ||
      *axis->extent % axis->size == 0)
    return std::nullopt;
  bool isInLoop = false;
  for (Operation *op : axis->accesses) {
    AccessOperands access(op);
    isInLoop |= op->getParentOp() != kernel;
    auto view = cast<tile::ViewType>(access.view.getType());
    int64_t along = access.viewAxis[axis->axes.lookup(access.value)];
    if (view.getShape()[along] != *axis->extent || access.indexedAxis ||
        along != axis->axes.lookup(access.value) ||
        access.tile.getRank() != view.getRank())
      return std::nullopt;
  }
  if (!isInLoop)
    return std::nullopt;
  // An element that is stored twice must not be read in between.
  bool readsResults = false;
  kernel.walk([&](tile::LoadOp load) {
    BlockArgument root = rootOf(load.getView());
    readsResults |= !root || kernel.isOut(root.getArgNumber());
  });
  return readsResults ? std::nullopt : axis;
}

} // namespace tilegpt::tilegpu
