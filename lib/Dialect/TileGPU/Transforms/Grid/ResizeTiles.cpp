// Blocks that have little to do each are made fewer and larger, whatever sizes
// the text has: tiles end where the data does, and take as many rows as a block
// has registers for.
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "llvm/ADT/bit.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_RESIZETILES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Sixteen elements a thread of four warps: enough for whole accesses, few
/// enough for a multiprocessor to have blocks at work while others wait.
static constexpr int64_t elementsOfBlock = 2048;

/// Elements of the largest tile.
static int64_t countElements(tile::KernelOp kernel) {
  int64_t most = 1;
  kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type))
        most = std::max(most, tile.getNumElements());
  });
  return most;
}

namespace {
struct ResizeTiles : tilegpu::impl::ResizeTilesBase<ResizeTiles> {
  using ResizeTilesBase::ResizeTilesBase;

  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    if (kernel.isRaw())
      return;
    for (int64_t axis = 0; axis < int64_t(kernel.getGridRank()); ++axis)
      cut(axis);
    grow();
  }

private:
  /// Has tiles end where the views do, if more than a tenth would be empty.
  void cut(int64_t gridAxis) {
    tile::KernelOp kernel = getOperation();
    std::optional<FreeAxis> axis = findFreeAxis(kernel, gridAxis);
    if (!axis || !axis->extent || 10 * axis->size <= 11 * *axis->extent)
      return;
    explainPassed(kernel, "tile")
        << remark::add("tiles of {0} end with the data, behind {1}", axis->size,
                       *axis->extent);
    resize(kernel, *axis, *axis->extent);
    ++numCut;
  }

  /// Gives blocks more rows, as many as leave every multiprocessor two blocks.
  void grow() {
    constexpr int64_t fewestBlocks = 2;
    tile::KernelOp kernel = getOperation();
    std::optional<int64_t> blocks = knownBlocks(kernel);
    if (!blocks)
      return;
    int64_t times = llvm::bit_floor(uint64_t(std::min(
        elementsOfBlock / std::min(countElements(kernel), elementsOfBlock),
        *blocks / (fewestBlocks * multiprocessors))));
    if (times < 2)
      return;
    // The axis with the most blocks.
    FreeAxisRefusal refusal;
    std::optional<FreeAxis> longest;
    for (int64_t gridAxis = 0; gridAxis < int64_t(kernel.getGridRank());
         ++gridAxis) {
      FreeAxisRefusal why;
      std::optional<FreeAxis> axis = findFreeAxis(kernel, gridAxis, &why);
      if (!axis)
        refusal = why;
      else if (!longest || *knownBlocks(kernel, gridAxis) >
                               *knownBlocks(kernel, longest->gridAxis))
        longest = std::move(axis);
    }
    if (!longest) {
      if (refusal.op)
        explainMissed(refusal.op, "tile")
            << remark::add("{0} blocks have little to do, but are not made "
                           "fewer and larger: ",
                           *blocks)
            << refusal.reason;
      return;
    }
    // Whole accesses, and no block twice as large for nothing.
    times = std::min<int64_t>(
        times,
        llvm::bit_ceil(uint64_t(*knownBlocks(kernel, longest->gridAxis))));
    if (times < 2)
      return;
    explainPassed(kernel, "tile") << remark::add(
        "one block does the work of {0}, which would have little to do", times);
    resize(kernel, *longest, times * longest->size);
    ++numGrown;
  }
};
} // namespace
