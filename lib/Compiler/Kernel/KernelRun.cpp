// Runs one kernel through the entire host compiler and calls it like the
// runtime, on copies of its arguments between poisoned guard regions.
#include "TileGPT/Compiler/KernelRun.h"
#include "ChosenParameters.h"
#include "Diagnostics.h"
#include "HostCode.h"
#include "KernelInstance.h"
#include "KernelMemory.h"
#include "TileGPT/Bundle/EntrySymbol.h"
#include "TileGPT/Pipelines/TileToCpu.h"
#include "TileGPT/Runtime/Cpu/HostImage.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include "TileGPT/Target/Host/HostImage.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include <atomic>

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::compiler {

/// Compiles the only kernel of a module, whose entry point is `name`; `asserts`
/// receives the messages of its assertions.
static Expected<target::HostImage>
compile(ModuleOp module, StringRef name, const target::HostTarget &target,
        SmallVectorImpl<std::string> &asserts) {
  PassManager pm(module.getContext());
  cpu::populateTileToCpuPipeline(pm, pipelineOptionsFor(target));
  if (failed(pm.run(module)))
    return llvm::createStringError("the kernel does not compile");
  if (auto messages = module.lookupSymbol(name)->getAttrOfType<ArrayAttr>(
          "tilegpt.asserts"))
    for (Attribute message : messages)
      asserts.push_back(cast<StringAttr>(message).getValue().str());
  return target::compileImage(module, target);
}

/// Whether blocks may wait for others: a loop reads memory atomically.
static bool mayWait(tile::KernelOp kernel) {
  auto reads = [](Operation *op) {
    auto load = dyn_cast<tile::LoadAtOp>(op);
    const bool isAtomic = load ? load.getOrder() != tile::MemoryOrder::Weak
                               : isa<tile::AtomicRMWOp, tile::AtomicCASOp>(op);
    return isAtomic ? WalkResult::interrupt() : WalkResult::advance();
  };
  return kernel
      .walk([&](scf::WhileOp loop) { return WalkResult(loop->walk(reads)); })
      .wasInterrupted();
}

namespace {
/// A loaded kernel, compiled for the arguments of a run.
struct LoadedKernel {
  /// Runs all blocks on this thread. \returns the number of a failed assertion.
  int32_t run(const std::vector<uint64_t> &words) const;
  llvm::Error check(int32_t status) const;

  std::string name;
  SmallVector<std::string> asserts;
  reference::Grid grid = {1, 1, 1};
  std::optional<cpu::HostImage> image;
  cpu::KernelFunction function = nullptr;
  bool mayWait = false;
};
} // namespace

/// Runs the blocks in two ranges, the later one first: blocks may run in any
/// order and from any index. Blocks may still wait for earlier ones, as in
/// cumulative sums, which GPUs start first.
int32_t LoadedKernel::run(const std::vector<uint64_t> &words) const {
  const int64_t count = grid[0] * grid[1] * grid[2];
  const int64_t half = mayWait ? 0 : count / 2;
  if (int32_t status = function(words.data(), grid.data(), half, count))
    return status;
  return function(words.data(), grid.data(), 0, half);
}

llvm::Error LoadedKernel::check(int32_t status) const {
  if (status == 0)
    return llvm::Error::success();
  return llvm::createStringError(
      formatv("'{0}' failed: {1}", name,
              size_t(status) <= asserts.size() ? asserts[status - 1] : "?"));
}

/// \param threads  that run its blocks.
static Expected<LoadedKernel> load(tile::KernelOp kernel,
                                   ArrayRef<reference::Value> arguments,
                                   const KernelRunOptions &options,
                                   unsigned threads) {
  Expected<target::HostTarget> target = target::HostTarget::create();
  if (!target)
    return target.takeError();
  Expected<DictionaryAttr> parameters = options.parameters;
  if (options.chooseSizes && !kernel.isRaw()) {
    // First, as its errors name the arguments.
    if (auto binding = reference::bindKernel(kernel, arguments,
                                             options.parameters, options.grid);
        !binding)
      return binding.takeError();
    PhaseOptions phases;
    compileForHost(phases, *target, threads);
    parameters =
        chooseParameters(kernel, arguments, options.parameters, phases);
    if (!parameters)
      return parameters.takeError();
  }
  Expected<KernelInstance> instance = instantiate(
      kernel, arguments, *parameters, options.openSizes, options.grid);
  if (!instance)
    return instance.takeError();
  LoadedKernel loaded;
  loaded.name = kernel.getSymName().str();
  loaded.grid = instance->grid;
  loaded.mayWait = mayWait(instance->kernel());
  const std::string symbol = bundle::entrySymbol(loaded.name);
  Expected<target::HostImage> code =
      compile(*instance->module, symbol, *target, loaded.asserts);
  if (!code)
    return code.takeError();
  runtime::Result<cpu::HostImage> image = cpu::HostImage::load(*code);
  if (!image)
    return llvm::createStringError(image.error().message);
  loaded.image = std::move(*image);
  runtime::Result<cpu::KernelFunction> function = loaded.image->find(symbol);
  if (!function)
    return llvm::createStringError(function.error().message);
  loaded.function = *function;
  return loaded;
}

static llvm::Error compileAndRun(tile::KernelOp kernel,
                                 ArrayRef<reference::Value> arguments,
                                 const KernelRunOptions &options) {
  Expected<LoadedKernel> loaded =
      load(kernel, arguments, options, /*threads=*/1);
  if (!loaded)
    return loaded.takeError();
  KernelMemory memory(arguments, options.guard);
  if (llvm::Error failed = loaded->check(loaded->run(memory.words())))
    return failed;
  return memory.readBack(loaded->name);
}

llvm::Error runKernelOnCpu(tile::KernelOp kernel,
                           ArrayRef<reference::Value> arguments,
                           const KernelRunOptions &options) {
  FirstError diagnostics(*kernel.getContext());
  return diagnostics.explain(compileAndRun(kernel, arguments, options));
}

static Expected<std::vector<runtime::StepTime>>
compileAndMeasure(tile::KernelOp kernel, ArrayRef<reference::Value> arguments,
                  const KernelRunOptions &options, unsigned threads,
                  unsigned times) {
  cpu::ThreadPool pool(threads);
  Expected<LoadedKernel> loaded =
      load(kernel, arguments, options, pool.threads());
  if (!loaded)
    return loaded.takeError();
  const reference::Grid &grid = loaded->grid;
  // All runs use the same memory: pages that are touched for the first time
  // would be a cost of the measurement.
  KernelMemory memory(arguments, options.guard);
  const std::vector<uint64_t> words = memory.words();
  std::vector<runtime::StepTime> measured;
  for (unsigned run = 0; run <= times; ++run) {
    memory.restore();
    std::atomic<int32_t> failed = 0;
    using Clock = runtime::LaunchObserver::Clock;
    const auto start = Clock::now();
    pool.run(grid[0] * grid[1] * grid[2], [&](int64_t begin, int64_t end) {
      if (int32_t status =
              loaded->function(words.data(), grid.data(), begin, end))
        failed = status;
    });
    const auto end = Clock::now();
    if (llvm::Error error = loaded->check(failed))
      return error;
    if (run > 0)
      measured.push_back({end - start, std::nullopt});
  }
  return measured;
}

Expected<std::vector<runtime::StepTime>>
measureKernelOnCpu(tile::KernelOp kernel, ArrayRef<reference::Value> arguments,
                   const KernelRunOptions &options, unsigned threads,
                   unsigned times) {
  FirstError diagnostics(*kernel.getContext());
  auto measured = compileAndMeasure(kernel, arguments, options, threads, times);
  if (!measured)
    return diagnostics.explain(measured.takeError());
  return measured;
}

} // namespace tilegpt::compiler
