// Looks up each kernel by its text before lowering: if all of them are cached,
// no pass of the GPU branch runs.
#include "TileGPT/Compiler/GpuKernels.h"
#include "KernelText.h"
#include "OtherPlans.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Pipelines/DeviceModules.h"
#include "TileGPT/Target/Cache/BuildId.h"
#include <atomic>
#include <thread>

using namespace mlir;
using tilegpt::target::CacheKey;
using tilegpt::target::GpuKernel;

namespace tilegpt::compiler {

namespace {

/// The compilation state of a kernel, from text to image.
struct DeviceJob {
  ModuleOp device; // gone once the kernel is known
  Location loc;
  std::string name;
  std::optional<CacheKey> key = {}; // without a cache: nothing
  std::optional<GpuKernel> kernel = {};
  // For planning it again: the module before, and the first plan.
  OwningOpRef<ModuleOp> source = {};
  tilegpu::PlanAttr plan = {};
  size_t size = 0; // ops of the lowered module
  // The kernel of which this is a version, if versions share code.
  std::string original = {};
  const DeviceJob *same = nullptr; // a job whose code is this kernel's, too
};

/// A compilation of the device modules of one module.
class DeviceCompilation {
public:
  DeviceCompilation(ModuleOp module, const GpuCompilation &options)
      : module(module), options(options) {
    phases.gpu = options.target.name.str();
    phases.exact = options.exact;
  }

  FailureOr<GpuKernels> run();

private:
  void collect();
  LogicalResult lower();
  LogicalResult generate();
  LogicalResult compile(DeviceJob &job);
  void keepPlans();
  void findShared();
  void replaceSlowPlans();
  void fillShared();
  void store(const DeviceJob &job);
  LogicalResult checkPerformance(const DeviceJob &job);

  ModuleOp module;
  const GpuCompilation &options;
  PhaseOptions phases;
  std::vector<DeviceJob> jobs;
};

} // namespace

/// Whether ptxas reports performance problems.
static bool hasProblems(const GpuKernel &kernel) {
  return !target::performanceProblems(kernel).empty();
}

/// Creates a job for every device module; cached ones are complete and are
/// removed from the module.
void DeviceCompilation::collect() {
  for (auto device : llvm::make_early_inc_range(module.getOps<ModuleOp>())) {
    DeviceJob &job = jobs.emplace_back(DeviceJob{
        device, device.getLoc(), device.getSymName().value_or("").str()});
    if (!options.cache || target::compilerBuildId().empty())
      continue;
    std::string text = canonicalText(device);
    if (options.exact)
      text += "exact";
    job.key = target::kernelKey(text, options.target, options.ptxas,
                                target::compilerBuildId());
    job.kernel = target::loadKernel(*options.cache, *job.key);
    if (job.kernel)
      device.erase();
  }
  // Plans change only where ptxas reports problems.
  for (DeviceJob &job : jobs)
    if (options.ptxas && !job.kernel)
      job.source = job.device.clone();
  for (DeviceJob &job : jobs)
    if (options.sharesVersions && !job.kernel)
      for (auto kernel : job.device.getOps<tile::KernelOp>())
        if (auto name = kernel->getAttrOfType<StringAttr>(tile::versionOfAttr))
          job.original = name.str();
}

/// Finds versions whose code is that of their kernel.
void DeviceCompilation::findShared() {
  for (DeviceJob &job : jobs)
    for (const DeviceJob &other : jobs)
      if (!job.original.empty() && other.name == job.original && !job.kernel &&
          !other.kernel && haveSameCode(other.device, job.device))
        job.same = &other;
}

/// Gives such versions the kernels, whose plans are final.
void DeviceCompilation::fillShared() {
  for (DeviceJob &job : jobs)
    if (job.same) {
      job.kernel = *job.same->kernel;
      store(job);
    }
}

LogicalResult DeviceCompilation::lower() {
  if (module.getBody()->empty())
    return success();
  // Warnings are those about plans that do not fit.
  ScopedDiagnosticHandler warnings(
      module.getContext(), [this](Diagnostic &diagnostic) {
        if (!options.warn ||
            diagnostic.getSeverity() != DiagnosticSeverity::Warning)
          return failure();
        options.warn(diagnostic.str());
        return success();
      });
  return runPhases(
      module, Phase::Planned, Phase::NVVM, phases, [&](Phase phase) {
        if (phase == Phase::Planned)
          keepPlans();
        return options.afterPhase ? options.afterPhase(module, phase)
                                  : success();
      });
}

void DeviceCompilation::keepPlans() {
  for (DeviceJob &job : jobs)
    if (job.source)
      job.device.walk([&](tile::KernelOp kernel) {
        job.plan = kernel->getAttrOfType<tilegpu::PlanAttr>(
            tilegpu::PlanAttr::attrName);
      });
}

/// Compiles kernels for which ptxas reports problems with other plans.
void DeviceCompilation::replaceSlowPlans() {
  for (DeviceJob &job : jobs) {
    if (job.same || !job.source || !hasProblems(*job.kernel))
      continue;
    if (job.plan && needsOtherPlan(*job.kernel, job.plan))
      if (std::optional<GpuKernel> kernel =
              compileWithOtherPlan(*job.kernel, *job.source, job.plan, phases,
                                   options.target, *options.ptxas))
        job.kernel = std::move(kernel);
    store(job);
  }
}

void DeviceCompilation::store(const DeviceJob &job) {
  if (job.key)
    target::storeKernel(*options.cache, *job.key, *job.kernel);
}

LogicalResult DeviceCompilation::checkPerformance(const DeviceJob &job) {
  llvm::Error problems = target::checkPerformance(*job.kernel);
  if (!problems)
    return success();
  const std::string text = llvm::toString(std::move(problems));
  if (options.strict)
    return emitError(job.loc) << text;
  if (options.warn)
    options.warn(text);
  return success();
}

LogicalResult DeviceCompilation::compile(DeviceJob &job) {
  llvm::Expected<GpuKernel> compiled =
      target::compileKernel(job.device, options.target, options.ptxas);
  if (!compiled)
    return emitError(job.loc) << llvm::toString(compiled.takeError());
  job.kernel = std::move(*compiled);
  // One with problems is stored when its plan is final.
  if (!job.source || !hasProblems(*job.kernel))
    store(job);
  return success();
}

LogicalResult DeviceCompilation::generate() {
  std::vector<DeviceJob *> pending;
  findShared();
  for (DeviceJob &job : jobs) {
    if (job.kernel || job.same)
      continue;
    pending.push_back(&job);
    job.device.walk([&](Operation *) { ++job.size; });
  }
  // Longest first, so that no thread ends with a long one.
  llvm::sort(pending,
             [](DeviceJob *a, DeviceJob *b) { return a->size > b->size; });

  std::atomic<size_t> next = 0;
  std::atomic<bool> failed = false;
  const auto work = [&] {
    for (size_t i; !failed && (i = next.fetch_add(1)) < pending.size();)
      if (mlir::failed(compile(*pending[i])))
        failed = true;
  };
  std::vector<std::thread> helpers;
  for (size_t i = 1; i < std::min<size_t>(options.threads, pending.size()); ++i)
    helpers.emplace_back(work);
  work();
  for (std::thread &helper : helpers)
    helper.join();
  return failure(failed);
}

FailureOr<GpuKernels> DeviceCompilation::run() {
  if (failed(splitIntoDeviceModules(module)))
    return failure();
  collect();
  if (failed(lower()) || failed(generate()))
    return failure();
  replaceSlowPlans();
  fillShared();
  if (options.cache)
    options.cache->trim();
  GpuKernels kernels;
  for (DeviceJob &job : jobs) {
    if (!job.same && failed(checkPerformance(job)))
      return failure();
    kernels.emplace(std::move(job.name), std::move(*job.kernel));
  }
  return kernels;
}

FailureOr<GpuKernels> compileGpuKernels(ModuleOp module,
                                        const GpuCompilation &options) {
  return DeviceCompilation(module, options).run();
}

FailureOr<GpuKernel> compileGpuKernel(tile::KernelOp kernel,
                                      const GpuCompilation &options) {
  OwningOpRef<ModuleOp> copy = ModuleOp::create(kernel.getLoc());
  copy->push_back(kernel->clone());
  FailureOr<GpuKernels> kernels = compileGpuKernels(*copy, options);
  if (failed(kernels))
    return failure();
  return std::move(kernels->begin()->second);
}

} // namespace tilegpt::compiler
