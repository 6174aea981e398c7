// Splits iterations whose tiles are too large for warp groups with a producer.
#include "Iterations/PieceIterations.h"
#include "Plan/ComputePlan.h"
#include "Plan/WantedPlan.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SPLITITERATIONS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
struct SplitIterations : tilegpu::impl::SplitIterationsBase<SplitIterations> {
  using SplitIterationsBase::SplitIterationsBase;

  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (failed(tile::verifySpecialized(kernel)))
      return signalPassFailure();
    const target::GpuTarget *known = target::findTarget(kernel, target);
    if (!known)
      return signalPassFailure();
    SmallVector<Mainloop> loops = findComputeLoops(kernel, *known);
    if (loops.empty())
      return;
    std::optional<int64_t> wanted = WantedPlan(kernel).get(piecesName);
    if ((!wanted && fitComputeLoops(kernel, loops, *known)) || !areDivisible())
      return;
    if (wanted) {
      if (trySplit(*wanted, *known))
        takePieces(kernel);
      return;
    }
    constexpr int64_t most = 4;
    for (int64_t pieces = 2; pieces <= most; pieces *= 2)
      if (trySplit(pieces, *known))
        return;
  }

private:
  /// Whether iterations of the main loops can be split; explains why not.
  bool areDivisible() {
    OwningOpRef<tile::KernelOp> copy(getOperation().clone());
    separateConstants(*copy);
    return llvm::all_of(analyzeMainloops(*copy), [](const Mainloop &match) {
      FreeAxisRefusal refusal;
      if (findPieceIterations(match.loop, &refusal))
        return true;
      explainMissed(refusal.op, "tile")
          << "the tiles of an iteration are not split: " << refusal.reason;
      return false;
    });
  }

  /// Splits the iterations of all main loops into pieces, if these fit.
  bool trySplit(int64_t pieces, const target::GpuTarget &target) {
    // Elements of an MMA instruction along K.
    constexpr int64_t unit = 16;
    tile::KernelOp kernel = getOperation();
    OwningOpRef<tile::KernelOp> copy(kernel.clone());
    separateConstants(*copy);
    int64_t size = 0;
    for (const Mainloop &match : analyzeMainloops(*copy)) {
      std::optional<PieceIterations> iterations =
          findPieceIterations(match.loop);
      if (!iterations || pieces < 2 ||
          iterations->axis.size % (pieces * unit) != 0)
        return false;
      size = iterations->axis.size;
      iterations->split(pieces);
    }
    SmallVector<Mainloop> loops = analyzeMainloops(*copy);
    if (loops.empty() || !fitComputeLoops(*copy, loops, target))
      return false;
    kernel.getBody().takeBody(copy->getBody());
    explainPassed(kernel, "tile")
        << remark::add("iterations of {0} instead of {1}", size / pieces, size);
    ++numSplit;
    return true;
  }
};
} // namespace
