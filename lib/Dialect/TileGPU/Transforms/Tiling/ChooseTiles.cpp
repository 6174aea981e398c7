// Chooses tile sizes of launches on a GPU: by the first rule that applies to
// the kernel, and then such that they fit.
#include "Tiling/ChooseTiles.h"
#include "Simplify/DotPatterns.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/EachLaunch.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_CHOOSETILES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Ordered by priority: several rules may apply to a kernel.
static constexpr bool (*rules[])(OpenLaunch &) = {
    chooseProductTiles, chooseComputedTiles, chooseFewRows,    chooseColumns,
    chooseSharedLeft,   chooseWindowTiles,   chooseParts,      chooseWindowRows,
    chooseStreamRows,   chooseWholeRows,     chooseMemoryTiles};

namespace {
struct ChooseTiles : tilegpu::impl::ChooseTilesBase<ChooseTiles> {
  using ChooseTilesBase::ChooseTilesBase;

  void runOnOperation() override {
    const target::GpuTarget *known = target::findTarget(getOperation(), target);
    if (!known)
      return signalPassFailure();
    auto choose = [&](tile::LaunchOp launch, tile::KernelOp kernel) {
      OwningOpRef<tile::KernelOp> copy = copyWithStraightOperands(kernel);
      OpenLaunch open(launch, copy ? *copy : kernel, *known, multiprocessors,
                      tf32, fastF8);
      for (auto *rule : rules)
        if (rule(open))
          break;
      fitTiles(open);
    };
    tile::forEachLaunch(getOperation(), choose);
  }
};
} // namespace
