// Which passes each phase is made of, in order.
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Conversion/GptToTile/Passes.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "TileGPT/Pipelines/TileToCpu.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace tilegpt {

llvm::ArrayRef<llvm::StringLiteral> phaseNames() {
  static constexpr llvm::StringLiteral names[] = {
      "graph",      "launches", "specialized", "linalg",
      "bufferized", "vector",   "llvm"};
  return names;
}

std::optional<Phase> parsePhase(llvm::StringRef name) {
  const auto *it = llvm::find(phaseNames(), name);
  if (it == phaseNames().end())
    return std::nullopt;
  return Phase(it - phaseNames().begin());
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
  model.addPass(gpt::createFusePass());
  model.addPass(gpt::createSelectLastRowsPass());
  return success();
}

static void populateLaunches(OpPassManager &pm, const PhaseOptions &options) {
  pm.addPass(tile::createLinkLibraryPass({options.kernels}));
  pm.addPass(gpt::createGptToTilePass(
      {options.weights, options.activations, options.capacity}));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

static void populateSpecialized(OpPassManager &pm,
                                const PhaseOptions &options) {
  pm.addPass(tile::createChooseParametersPass());
  pm.addPass(tile::createSpecializePass({llvm::to_vector(options.bind)}));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

static void populateHost(OpPassManager &pm, cpu::CpuPhase phase,
                         const PhaseOptions &options) {
  cpu::CpuPipelineOptions host;
  host.vectorBits = options.vectorBits;
  host.vectorRegisters = options.vectorRegisters;
  host.first = host.last = phase;
  cpu::populateTileToCpuPipeline(pm, host);
}

LogicalResult runPhase(ModuleOp module, Phase phase,
                       const PhaseOptions &options) {
  PassManager pm(module.getContext());
  switch (phase) {
  case Phase::Graph:
    if (failed(populateGraph(pm, options)))
      return failure();
    break;
  case Phase::Launches:
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
  }
  return pm.run(module);
}

LogicalResult runPhases(ModuleOp module, Phase first, Phase last,
                        const PhaseOptions &options,
                        llvm::function_ref<LogicalResult(Phase)> after) {
  for (int phase = int(first); phase <= int(last); ++phase)
    if (failed(runPhase(module, Phase(phase), options)) ||
        (after && failed(after(Phase(phase)))))
      return failure();
  return success();
}

LogicalResult dumpPhase(ModuleOp module, Phase phase,
                        llvm::StringRef directory) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return module.emitError() << directory << ": " << error.message();
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, llvm::formatv("{0}-{1}.mlir", int(phase) + 1,
                                              phaseNames()[int(phase)])
                                    .str());
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
