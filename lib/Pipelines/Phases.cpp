// Which passes each phase is made of, in order.
#include "TileGPT/Pipelines/Phases.h"
#include "Simplification.h"
#include "TileGPT/Conversion/CudaTileToTile/Passes.h"
#include "TileGPT/Conversion/DeviceMath/Passes.h"
#include "TileGPT/Conversion/GptToTile/Passes.h"
#include "TileGPT/Conversion/TileGPUToNVVM/Passes.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Pipelines/DeviceModules.h"
#include "TileGPT/Pipelines/TileToCpu.h"
#include "TileGPT/Pipelines/TileToGpu.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "TileGPT/Target/NVVM/GpuModel.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace tilegpt {

llvm::ArrayRef<Phase> phasesOf(Branch branch) {
  static constexpr Phase host[] = {
      Phase::Tile,   Phase::Graph,      Phase::Launches, Phase::Specialized,
      Phase::Linalg, Phase::Bufferized, Phase::Vector,   Phase::LLVM};
  static constexpr Phase gpu[] = {
      Phase::Tile,    Phase::Graph,   Phase::Launches, Phase::Specialized,
      Phase::Planned, Phase::Layouts, Phase::Threads,  Phase::NVVM};
  return branch == Branch::Host ? llvm::ArrayRef(host) : llvm::ArrayRef(gpu);
}

llvm::StringRef nameOf(Phase phase) {
  switch (phase) {
  case Phase::Tile:
    return "tile";
  case Phase::Graph:
    return "graph";
  case Phase::Launches:
    return "launches";
  case Phase::Specialized:
    return "specialized";
  case Phase::Linalg:
    return "linalg";
  case Phase::Bufferized:
    return "bufferized";
  case Phase::Vector:
    return "vector";
  case Phase::LLVM:
    return "llvm";
  case Phase::Planned:
    return "planned";
  case Phase::Layouts:
    return "layouts";
  case Phase::Threads:
    return "threads";
  case Phase::NVVM:
    return "nvvm";
  }
  llvm_unreachable("a phase without a name");
}

std::string phaseList(Branch branch) {
  return llvm::join(llvm::map_range(phasesOf(branch), nameOf), ", ");
}

std::optional<Phase> parsePhase(llvm::StringRef name) {
  for (Branch branch : {Branch::Host, Branch::Gpu})
    for (Phase phase : phasesOf(branch))
      if (nameOf(phase) == name)
        return phase;
  return std::nullopt;
}

static LogicalResult populateGraph(OpPassManager &pm,
                                   const PhaseOptions &options) {
  pm.addPass(gpt::createLinkBasePass());
  OpPassManager &model = pm.nest<gpt::ModelOp>();
  std::unique_ptr<Pass> configure = gpt::createConfigurePass();
  if (failed(configure->initializeOptions(
          options.configure, [](const llvm::Twine &message) {
            llvm::errs() << "configure: " << message << '\n';
            return failure();
          })))
    return failure();
  model.addPass(std::move(configure));
  if (!options.plans.empty())
    model.addPass(gpt::createMakePlansPass(
        {llvm::to_vector(options.plans), options.sequences, "forward"}));
  model.addPass(gpt::createUnrollLayersPass());
  model.addPass(gpt::createShardPass({options.ranks}));
  model.addPass(gpt::createFusePass());
  model.addPass(gpt::createSelectLastRowsPass());
  return success();
}

/// What launches cost where they run; of GPUs, on an H200.
static tile::FuseLaunchesPassOptions fusionOptions(const PhaseOptions &phases) {
  tile::FuseLaunchesPassOptions options;
  options.mode = phases.fusion;
  options.exact = phases.exact;
  options.explain = phases.explainFusion;
  options.file = phases.records;
  options.device = phases.recordDevice;
  options.shippedFor = phases.shippedRecords;
  options.showsDecisions = phases.showsFusions;
  if (phases.branch() == Branch::Host)
    return options;
  // An unknown name is reported where code is planned.
  const target::GpuTarget *target = target::lookUpTarget(phases.gpu);
  if (!target)
    return options;
  const target::GpuModel &model = target::GpuModel::of(*target);
  options.launchNs = 1700;
  options.bytesPerUs = 4200000;
  options.cachedBytes = model.l2Bytes / 3;
  options.elementPs = 2500;
  options.parallelBlocks = 2 * phases.multiprocessors;
  options.overlapsMemory = true;
  return options;
}

static void populateLaunches(OpPassManager &pm, const PhaseOptions &options) {
  pm.addPass(tile::createLinkLibraryPass({options.kernels}));
  pm.addPass(gpt::createGptToTilePass({options.weights, options.activations,
                                       options.logits, options.capacity}));
  pm.addPass(tile::createBindOperandsPass());
  addSimplification(pm);
  if (options.fusion == "off")
    return;
  // Detects equal sizes by their origin, so it runs after CSE.
  pm.addPass(tile::createFuseLaunchesPass(fusionOptions(options)));
  addSimplification(pm);
}

void populateParameterChoices(OpPassManager &pm, const PhaseOptions &options) {
  if (options.branch() == Branch::Gpu) {
    pm.addPass(tilegpu::createChooseTiles(
        {options.multiprocessors, options.gpu, options.tf32, options.fastF8}));
  } else {
    pm.addPass(tile::createBalanceProductsPass(
        {options.vectorBits, options.vectorRegisters, options.l2Bytes,
         options.hostThreads}));
    pm.addPass(tile::createLengthenReadsPass());
  }
  pm.addPass(tile::createChooseParametersPass());
}

static void populateSpecialized(OpPassManager &pm,
                                const PhaseOptions &options) {
  if (!options.records.empty() || !options.shippedRecords.empty())
    pm.addPass(tile::createApplyRecordsPass(
        {options.records, options.recordDevice, options.shippedRecords}));
  if (options.branch() == Branch::Gpu && options.versions)
    pm.addPass(tilegpu::createVersionKernels({options.gpu}));
  populateParameterChoices(pm, options);
  pm.addPass(tile::createSpecializePass());
  if (options.branch() == Branch::Gpu)
    pm.addPass(tile::createMarkLaunchInvariantPass());
  // Here, so that the IR after this phase shows what a kernel computes.
  if (options.tf32 || options.fastF8) {
    const tile::RoundDotsPassOptions round{options.tf32, options.fastF8};
    pm.addNestedPass<tile::KernelOp>(tile::createRoundDotsPass(round));
    pm.nest<gpt::ModelOp>().addNestedPass<tile::KernelOp>(
        tile::createRoundDotsPass(round));
  }
  addSimplification(pm);
  if (options.branch() == Branch::Host && options.splitLoops &&
      !options.exact) {
    pm.addPass(tile::createSplitLoopsPass());
    addSimplification(pm);
  }
  if (options.branch() == Branch::Gpu) {
    // Here, as what launches a kernel reads its grid once this phase is done.
    pm.addNestedPass<tile::KernelOp>(tilegpu::createMergeAxes());
    pm.addNestedPass<tile::KernelOp>(tilegpu::createJoinPieces({options.gpu}));
    pm.addNestedPass<tile::KernelOp>(
        tilegpu::createMergeLoops({options.multiprocessors}));
    pm.addNestedPass<tile::KernelOp>(
        tilegpu::createResizeTiles({options.multiprocessors}));
    pm.addNestedPass<tile::KernelOp>(
        tilegpu::createGrowRows({options.gpu, options.multiprocessors}));
    pm.addNestedPass<tile::KernelOp>(tilegpu::createStreamAxes({options.gpu}));
    pm.addNestedPass<tile::KernelOp>(tilegpu::createDeferReductions());
    pm.addNestedPass<tile::KernelOp>(
        tilegpu::createFoldRows({options.multiprocessors}));
    pm.addNestedPass<tile::KernelOp>(
        tilegpu::createSplitLoops({options.multiprocessors}));
    if (!options.exact)
      pm.addNestedPass<tile::KernelOp>(
          tilegpu::createRepeatBlocks({options.gpu, options.multiprocessors}));
    pm.addNestedPass<tile::KernelOp>(
        tilegpu::createSplitDepth({options.gpu, options.multiprocessors}));
    pm.addPass(tilegpu::createPairRows(
        {options.gpu, options.multiprocessors, options.exact}));
    pm.addPass(tilegpu::createDivideRows(
        {options.gpu, options.multiprocessors, options.exact}));
    pm.addNestedPass<tile::KernelOp>(
        tilegpu::createPackBlocks({options.multiprocessors}));
    // Their grids are not those of launches: nothing resizes them.
    if (options.ranks > 1)
      pm.addPass(tile::createLinkPeersPass());
    pm.addPass(createCanonicalizerPass());
  }
}

static void populateHost(OpPassManager &pm, cpu::CpuPhase phase,
                         const PhaseOptions &options) {
  cpu::CpuPipelineOptions host;
  host.vectorBits = options.vectorBits;
  host.vectorRegisters = options.vectorRegisters;
  host.rowStreams = options.rowStreams;
  host.first = host.last = phase;
  cpu::populateTileToCpuPipeline(pm, host);
}

/// Appends the passes that turn device modules of one GPU phase into those of
/// the next.
static void populateGpu(OpPassManager &pm, Phase phase,
                        const PhaseOptions &options) {
  switch (phase) {
  case Phase::Planned:
    return tilegpu::populatePlanPasses(pm, options.gpu, options.multiprocessors,
                                       options.exact);
  case Phase::Layouts:
    return tilegpu::populateLayoutPasses(pm);
  case Phase::Threads:
    return tilegpu::populateThreadPasses(pm);
  case Phase::NVVM:
    return tilegpu::populateNvvmPasses(pm, options.exact);
  default:
    llvm_unreachable("not a phase of the GPU branch alone");
  }
}

/// Kernels alone are left as they are until their sizes are bound: upstream's
/// folds would make constants of unknown size, such as that of `x == x`.
static bool hasGraph(ModuleOp module) {
  return module->walk([](func::FuncOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

LogicalResult runPhase(ModuleOp module, Phase phase,
                       const PhaseOptions &options) {
  PassManager pm(module.getContext());
  // --mlir-print-ir-after-all, --mlir-timing and the like, in tools that have
  // them.
  // Fails where a program has registered none of them.
  (void)applyPassManagerCLOptions(pm);
  applyDefaultTimingPassManagerCLOptions(pm);
  // The IR of threads is large: it is verified once, after the last pass.
  const bool isOfThreads = phase == Phase::Threads || phase == Phase::NVVM;
  pm.enableVerifier(!isOfThreads);
  switch (phase) {
  case Phase::Tile:
    pm.addPass(cuda_tile::createCudaTileToTilePass());
    if (!options.assume.empty())
      pm.addPass(
          tile::createAssumeArgumentsPass({llvm::to_vector(options.assume)}));
    addSimplification(pm);
    break;
  case Phase::Graph:
    if (failed(populateGraph(pm, options)))
      return failure();
    break;
  case Phase::Launches:
    if (hasGraph(module))
      populateLaunches(pm, options);
    break;
  case Phase::Specialized:
    populateSpecialized(pm, options);
    break;
  case Phase::Linalg:
    pm.addPass(tile::createIsolateKernelsPass());
    populateHost(pm, cpu::CpuPhase::Linalg, options);
    break;
  case Phase::Bufferized:
    populateHost(pm, cpu::CpuPhase::Bufferized, options);
    break;
  case Phase::Vector:
    populateHost(pm, cpu::CpuPhase::Vector, options);
    break;
  case Phase::LLVM:
    populateHost(pm, cpu::CpuPhase::LLVM, options);
    break;
  case Phase::Planned:
  case Phase::Layouts:
  case Phase::Threads:
  case Phase::NVVM:
    if (failed(splitIntoDeviceModules(module)))
      return failure();
    populateGpu(pm.nest<ModuleOp>(), phase, options);
    break;
  }
  return failure(failed(pm.run(module)) ||
                 (isOfThreads && failed(verify(module))));
}

bool hasCudaTile(ModuleOp module) {
  return llvm::any_of(*module.getBody(), [](Operation &op) {
    return isa_and_present<cuda_tile::CudaTileDialect>(op.getDialect());
  });
}

LogicalResult runPhases(ModuleOp module, Phase first, Phase last,
                        const PhaseOptions &options,
                        llvm::function_ref<LogicalResult(Phase)> after) {
  const llvm::ArrayRef<Phase> phases = phasesOf(options.branch());
  const auto *begin = llvm::find(phases, first);
  const auto *end = llvm::find(phases, last);
  assert(end != phases.end() && "the phase is of another branch");
  for (Phase phase : llvm::make_range(begin, std::next(end))) {
    if (phase == Phase::Tile && !hasCudaTile(module) && options.assume.empty())
      continue;
    if (failed(runPhase(module, phase, options)) ||
        (after && failed(after(phase))))
      return failure();
  }
  return success();
}

/// The position of a phase in its branch; the first one that every module
/// passes is 1.
static size_t positionOf(Phase phase) {
  const Branch branch = llvm::is_contained(phasesOf(Branch::Host), phase)
                            ? Branch::Host
                            : Branch::Gpu;
  const llvm::ArrayRef<Phase> phases = phasesOf(branch);
  return size_t(llvm::find(phases, phase) - phases.begin());
}

LogicalResult dumpPhase(ModuleOp module, Phase phase,
                        llvm::StringRef directory) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return module.emitError() << directory << ": " << error.message();
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(
      path,
      llvm::formatv("{0}-{1}.mlir", positionOf(phase), nameOf(phase)).str());
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return module.emitError() << message;
  module.print(file->os());
  file->os() << '\n';
  if (file->os().has_error())
    return module.emitError() << path << ": " << file->os().error().message();
  file->keep();
  return success();
}

} // namespace tilegpt
