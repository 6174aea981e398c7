// Joins iterations of few keys: each waits for a dot and a maximum, however
// many keys it has.
#include "Iterations/PieceIterations.h"
#include "Masks/HiddenEnds.h"
#include "Plan/ComputePlan.h"
#include "Plan/WantedPlan.h"
#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_JOINITERATIONS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Dots that wait in place because registers do not suffice.
static int64_t countKeptInPlace(tile::KernelOp kernel) {
  int64_t count = 0;
  kernel.walk([&](tile::DotOp dot) { count += dot->hasAttr(keptInPlaceName); });
  return count;
}

namespace {
struct JoinIterations : tilegpu::impl::JoinIterationsBase<JoinIterations> {
  using JoinIterationsBase::JoinIterationsBase;

  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (failed(tile::verifySpecialized(kernel)))
      return signalPassFailure();
    const target::GpuTarget *known = target::findTarget(kernel, target);
    if (!known)
      return signalPassFailure();
    constexpr int64_t groups = 2;
    SmallVector<Mainloop> loops = findComputeLoops(kernel, *known);
    if (loops.empty())
      return;
    std::optional<ComputeFit> fit = fitComputeLoops(kernel, loops, *known);
    if (!fit || fit->groups != groups)
      return;
    int64_t pieces = WantedPlan(kernel).get(piecesName).value_or(1);
    for (int64_t times : {4, 2}) {
      if (times % pieces != 0 || !join(times, *fit, *known))
        continue;
      if (pieces > 1)
        takePieces(kernel);
      if (times > pieces)
        if (OwningOpRef<tile::KernelOp> joined =
                join(times / pieces, *fit, *known)) {
          kernel.getBody().takeBody(joined->getBody());
          ++numJoined;
          explainPassed(kernel, "tile")
              << remark::add("{0} iterations become one", times / pieces);
        }
      return;
    }
  }

private:
  /// A copy in which iterations of all main loops are joined; null if their
  /// tiles do not fit, with a stage to wait for.
  OwningOpRef<tile::KernelOp> join(int64_t times, const ComputeFit &before,
                                   const target::GpuTarget &target) {
    constexpr int64_t mostKeys = 128, fewestStages = 3;
    tile::KernelOp kernel = getOperation();
    OwningOpRef<tile::KernelOp> copy(kernel.clone());
    separateConstants(*copy);
    for (const Mainloop &match : analyzeMainloops(*copy)) {
      std::optional<PieceIterations> iterations =
          findPieceIterations(match.loop);
      if (!iterations || iterations->axis.size * times > mostKeys ||
          !isDivisible(match.loop, times))
        return {};
      iterations->join(times);
    }
    SmallVector<Mainloop> loops = analyzeMainloops(*copy);
    if (loops.empty())
      return {};
    std::optional<ComputeFit> fit = fitComputeLoops(*copy, loops, target);
    if (!fit || fit->groups != before.groups || fit->stages < fewestStages ||
        fit->copiesAll != before.copiesAll ||
        countKeptInPlace(*copy) != countKeptInPlace(kernel))
      return {};
    return copy;
  }

  /// Whether a loop begins at a joined iteration, and ends with one or where a
  /// mask hides the rest.
  static bool isDivisible(scf::ForOp loop, int64_t times) {
    IndexFacts facts;
    return facts.of(loop.getLowerBound()).isMultipleOf(times) &&
           (facts.of(loop.getUpperBound()).isMultipleOf(times) ||
            hidesUpToMultiple(loop, times));
  }
};
} // namespace
