// The order of the passes of the GPU branch.
#include "TileGPT/Pipelines/TileToGpu.h"
#include "Simplification.h"
#include "TileGPT/Conversion/DeviceMath/Passes.h"
#include "TileGPT/Conversion/TileGPUToNVVM/Passes.h"
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Pass/PassOptions.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

void tilegpu::populatePlanPasses(OpPassManager &pm, llvm::StringRef target,
                                 int64_t multiprocessors, bool exact) {
  pm.addNestedPass<tile::KernelOp>(createLiftViews({target.str()}));
  pm.addNestedPass<tile::KernelOp>(createPickElements());
  pm.addNestedPass<tile::KernelOp>(createFlattenGuards());
  pm.addNestedPass<tile::KernelOp>(createPlaceScratch());
  pm.addNestedPass<tile::KernelOp>(createExpandBytes());
  pm.addNestedPass<tile::KernelOp>(createExpandArgmax());
  pm.addNestedPass<tile::KernelOp>(createGatherRows());
  pm.addNestedPass<tile::KernelOp>(createPickColumns());
  pm.addNestedPass<tile::KernelOp>(createFlattenElements());
  pm.addNestedPass<tile::KernelOp>(createDropUnitAxes());
  pm.addNestedPass<tile::KernelOp>(createNormalizeDots());
  if (!exact) {
    pm.addNestedPass<tile::KernelOp>(createFuseExponentialSums());
    pm.addNestedPass<tile::KernelOp>(createScaleAfterLoop());
    pm.addNestedPass<tile::KernelOp>(createScaleScores());
    pm.addNestedPass<tile::KernelOp>(createDeferDivision());
  }
  pm.addNestedPass<tile::KernelOp>(createSwapOperands());
  pm.addNestedPass<tile::KernelOp>(createCutDots());
  if (!exact) {
    pm.addNestedPass<tile::KernelOp>(createJoinIterations({target.str()}));
    pm.addNestedPass<tile::KernelOp>(createSplitIterations({target.str()}));
  }
  pm.addNestedPass<tile::KernelOp>(createBoundIterations());
  if (!exact)
    pm.addNestedPass<tile::KernelOp>(
        createSplitKeys({target.str(), multiprocessors}));
  pm.addNestedPass<tile::KernelOp>(
      createMakePlan({target.str(), multiprocessors}));
  pm.addNestedPass<tile::KernelOp>(createShiftTiles());
  pm.addNestedPass<tile::KernelOp>(createFormMainloop());
  pm.addNestedPass<tile::KernelOp>(createExpandDots());
  pm.addNestedPass<tile::KernelOp>(createPersist());
  pm.addNestedPass<tile::KernelOp>(createShareDepth());
  pm.addNestedPass<tile::KernelOp>(createShareRows());
  addSimplification(pm);
  pm.addNestedPass<tile::KernelOp>(createLimitIterations());
  pm.addNestedPass<tile::KernelOp>(createSplitSums());
  pm.addNestedPass<tile::KernelOp>(createSkipMasks());
  if (!exact) {
    pm.addNestedPass<tile::KernelOp>(createRelaxSoftmax());
    pm.addNestedPass<tile::KernelOp>(createRelaxRounded());
  }
  // Softmaxes are recognised by one branch around a mask.
  pm.addNestedPass<tile::KernelOp>(createSkipMasks());
  pm.addNestedPass<tile::KernelOp>(createCoverColumns());
  pm.addNestedPass<tile::KernelOp>(createPrefetchLoads({multiprocessors}));
}

void tilegpu::populateLayoutPasses(OpPassManager &pm) {
  pm.addNestedPass<tile::KernelOp>(createAssignLayouts());
  addSimplification(pm);
  pm.addNestedPass<tile::KernelOp>(createSpecializeRoles());
  pm.addNestedPass<tile::KernelOp>(createStageStores());
  pm.addNestedPass<tile::KernelOp>(createStageRows());
  pm.addNestedPass<tile::KernelOp>(createStageRuns());
  pm.addNestedPass<tile::KernelOp>(createPlaceOperands());
  pm.addNestedPass<tile::KernelOp>(createPipelineCopies());
  pm.addNestedPass<tile::KernelOp>(createOrderMemory());
  pm.addNestedPass<tile::KernelOp>(createOverlapLaunches());
  pm.addNestedPass<tile::KernelOp>(createAllocateShared());
}

void tilegpu::populateThreadPasses(OpPassManager &pm) {
  pm.addPass(createToThreads());
  // Loops are not canonicalized while they carry registers one by one:
  // upstream's patterns for what regions pass on take minutes for hundreds.
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createLoopInvariantCodeMotionPass());
}

void tilegpu::populateNvvmPasses(OpPassManager &pm, bool exact) {
  // Numbers: functions of narrow floats in f32, functions as arithmetic.
  pm.addNestedPass<func::FuncOp>(cpu::createExtendMath());
  pm.addNestedPass<func::FuncOp>(createConvertF8());
  pm.addNestedPass<func::FuncOp>(cpu::createExpandFloats({/*onlyF8=*/true}));
  pm.addPass(cpu::createCarryFloatsAsBits({/*onlyF8=*/true}));
  pm.addNestedPass<func::FuncOp>(createExpandFunctions());
  pm.addNestedPass<func::FuncOp>(createExpandMath({exact}));
  pm.addNestedPass<func::FuncOp>(cpu::createExpandMath());
  pm.addNestedPass<func::FuncOp>(arith::createArithExpandOpsPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createLoopInvariantCodeMotionPass());
  pm.addNestedPass<func::FuncOp>(createOrderByUse());
  pm.addPass(createSCFToControlFlowPass());
  addSimplification(pm);
  pm.addPass(createToLlvm());
  pm.addPass(createKernelAbi());
}

namespace {
struct GpuPipelineFlags : PassPipelineOptions<GpuPipelineFlags> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("architecture, e.g. sm_90a"),
                             llvm::cl::init("sm_90a")};
  Option<int64_t> multiprocessors{*this, "multiprocessors",
                                  llvm::cl::desc("multiprocessors to fill"),
                                  llvm::cl::init(132)};
  Option<bool> exact{*this, "exact",
                     llvm::cl::desc("disable passes that change results"),
                     llvm::cl::init(false)};
};
} // namespace

void tilegpu::registerTileToGpuPipeline() {
  PassPipelineRegistration<GpuPipelineFlags>(
      "tile-to-gpu",
      "specialized kernels to kernels in the LLVM and NVVM dialects",
      [](OpPassManager &pm, const GpuPipelineFlags &options) {
        populatePlanPasses(pm, options.target, options.multiprocessors,
                           options.exact);
        populateLayoutPasses(pm);
        populateThreadPasses(pm);
        populateNvvmPasses(pm, options.exact);
      });
}
