// Looks up each kernel by its text before lowering; the others are lowered from
// tiles to an object in one pipeline per kernel.
#include "HostCode.h"
#include "KernelText.h"
#include "TileGPT/Pipelines/DeviceModules.h"
#include "TileGPT/Target/Cache/BuildId.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace mlir;
using tilegpt::target::CacheKey;
using tilegpt::target::HostObject;

namespace tilegpt::compiler {

namespace {

/// The compilation state of a kernel, from text to object.
struct HostJob {
  size_t size = 0; // of its text
  std::optional<CacheKey> key;
  std::optional<HostObject> object;
};

/// The jobs of a compilation by the name of their kernel.
using HostJobs = std::map<std::string, HostJob, std::less<>>;

/// The last step of a kernel's module. Each thread writes its own job.
class CompileObject
    : public PassWrapper<CompileObject, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CompileObject)

  CompileObject(HostJobs &jobs, const HostCodeOptions &options)
      : jobs(jobs), options(options) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(verify(module)))
      return signalPassFailure();
    llvm::Expected<HostObject> object =
        target::compileObject(module, options.target);
    if (!object) {
      module.emitError() << llvm::toString(object.takeError());
      return signalPassFailure();
    }
    const auto found = jobs.find(module.getSymName().value_or(""));
    HostJob &job = found->second;
    job.object = std::move(*object);
    if (job.key)
      options.cache->store(*job.key, found->first,
                           {job.object->data(), job.object->size()});
  }

private:
  HostJobs &jobs;
  const HostCodeOptions &options;
};

/// A compilation of the kernels of one module.
class HostCompilation {
public:
  HostCompilation(ModuleOp module, const HostCodeOptions &options)
      : module(module), options(options) {}

  FailureOr<target::HostImage> run();

private:
  void collect();
  void sortBySize();
  LogicalResult compile();
  LogicalResult runPipeline(cpu::CpuPhase first, cpu::CpuPhase last);

  ModuleOp module;
  const HostCodeOptions &options;
  HostJobs jobs;
};

} // namespace

/// Creates a job for every kernel; cached ones are complete and are removed
/// from the module.
void HostCompilation::collect() {
  const target::HostTarget &target = options.target;
  const std::string features = llvm::utohexstr(target.features());
  for (auto device : llvm::make_early_inc_range(module.getOps<ModuleOp>())) {
    HostJob &job = jobs[device.getSymName().value_or("").str()];
    const std::string text = canonicalText(device);
    job.size = text.size();
    const std::string &buildId = target::compilerBuildId();
    if (!options.cache || buildId.empty())
      continue;
    const StringRef parts[] = {buildId, target.cpu(), features, text};
    job.key.emplace(target::CodeKind::HostObject, parts);
    if (const auto cached = options.cache->load(*job.key)) {
      job.object.emplace(cached->begin(), cached->end());
      device.erase();
    }
  }
}

/// Longest kernels first, so that no thread ends with a long one.
void HostCompilation::sortBySize() {
  std::vector<std::pair<size_t, ModuleOp>> devices;
  for (auto device : module.getOps<ModuleOp>())
    devices.emplace_back(jobs.find(*device.getSymName())->second.size, device);
  llvm::sort(devices, [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first > b.first
                              : *ModuleOp(a.second).getSymName() <
                                    *ModuleOp(b.second).getSymName();
  });
  for (auto [size, device] : devices)
    device->moveBefore(module.getBody(), module.getBody()->end());
}

LogicalResult HostCompilation::runPipeline(cpu::CpuPhase first,
                                           cpu::CpuPhase last) {
  PassManager pm(module.getContext());
  // Verification after each pass would take a third of the time; the translated
  // module is verified once.
  pm.enableVerifier(options.afterPhase != nullptr);
  OpPassManager &kernel = pm.nest<ModuleOp>();
  cpu::CpuPipelineOptions host = pipelineOptionsFor(options.target);
  host.first = first;
  host.last = last;
  cpu::populateTileToCpuPipeline(kernel, host);
  if (last == cpu::CpuPhase::LLVM)
    kernel.addPass(std::make_unique<CompileObject>(jobs, options));
  return pm.run(module);
}

LogicalResult HostCompilation::compile() {
  if (!options.afterPhase)
    return runPipeline(cpu::CpuPhase::Linalg, cpu::CpuPhase::LLVM);
  constexpr std::pair<Phase, cpu::CpuPhase> phases[] = {
      {Phase::Linalg, cpu::CpuPhase::Linalg},
      {Phase::Bufferized, cpu::CpuPhase::Bufferized},
      {Phase::Vector, cpu::CpuPhase::Vector},
      {Phase::LLVM, cpu::CpuPhase::LLVM}};
  for (const auto &[phase, name] : phases)
    if (failed(runPipeline(name, name)) ||
        failed(options.afterPhase(module, phase)))
      return failure();
  return success();
}

FailureOr<target::HostImage> HostCompilation::run() {
  if (failed(splitIntoDeviceModules(module)))
    return failure();
  collect();
  sortBySize();
  if (!module.getBody()->empty() && failed(compile()))
    return failure();
  if (options.cache)
    options.cache->trim();
  std::vector<HostObject> objects;
  for (auto &[name, job] : jobs)
    objects.push_back(std::move(*job.object));
  llvm::Expected<target::HostImage> image = target::linkImage(objects);
  if (!image)
    return module.emitError() << llvm::toString(image.takeError());
  return std::move(*image);
}

void compileForHost(PhaseOptions &phases, const target::HostTarget &target,
                    unsigned threads) {
  phases.vectorBits = target.vectorBits();
  phases.vectorRegisters = target.vectorRegisters();
  phases.rowStreams = target.rowStreams();
  phases.l2Bytes = target.l2Bytes();
  phases.hostThreads = threads;
}

cpu::CpuPipelineOptions pipelineOptionsFor(const target::HostTarget &target) {
  cpu::CpuPipelineOptions options;
  options.vectorBits = target.vectorBits();
  options.vectorRegisters = target.vectorRegisters();
  options.rowStreams = target.rowStreams();
  return options;
}

FailureOr<target::HostImage> compileHostCode(ModuleOp module,
                                             const HostCodeOptions &options) {
  return HostCompilation(module, options).run();
}

} // namespace tilegpt::compiler
