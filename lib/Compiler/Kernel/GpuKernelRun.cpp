// Launches a standalone kernel through the driver, on copies of its arguments
// between poisoned guard regions.
#include "TileGPT/Compiler/GpuKernelRun.h"
#include "KernelMemory.h"
#include "TileGPT/Runtime/Cuda/Kernel.h"
#include "TileGPT/Runtime/Cuda/LaunchViews.h"
#include "TileGPT/Runtime/Cuda/Memory.h"
#include "TileGPT/Runtime/Cuda/TensorMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace mlir;
using llvm::Expected;
using llvm::formatv;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

static llvm::Error toLLVM(const runtime::Error &error) {
  return llvm::createStringError(error.message);
}

/// The target with this name, or the best one for a device.
static Expected<const target::GpuTarget &>
chooseTarget(const cuda::DeviceInfo &device, StringRef architecture) {
  if (architecture.empty())
    return target::GpuTarget::forDevice(10 * device.major + device.minor);
  return target::GpuTarget::find(architecture);
}

Result<std::unique_ptr<GpuRunner>>
GpuRunner::create(int ordinal, StringRef architecture,
                  const std::optional<std::string> &cacheFolder) {
  auto driver = cuda::Driver::load();
  if (!driver)
    return tl::unexpected(driver.error());
  auto gpu = cuda::Device::open(*driver, ordinal);
  if (!gpu)
    return tl::unexpected(gpu.error());
  auto stream = cuda::Stream::create(*gpu);
  if (!stream)
    return tl::unexpected(stream.error());
  const cuda::DeviceInfo &device = (*gpu)->info();
  Expected<const target::GpuTarget &> target =
      chooseTarget(device, architecture);
  if (!target)
    return makeError(ErrorCode::Device, llvm::toString(target.takeError()));
  if (!cuda::canRun(device, target->name.str(), /*isPtx=*/true))
    return makeError(ErrorCode::Device, "cuda: ", device.describe(), " is ",
                     device.architecture(), ", which does not run code for ",
                     target->name.str());
  Expected<std::optional<target::Ptxas>> ptxas = target::Ptxas::find();
  if (!ptxas)
    return makeError(ErrorCode::Device, llvm::toString(ptxas.takeError()));

  std::unique_ptr<GpuRunner> runner(
      new GpuRunner(*gpu, std::move(*stream), *target));
  runner->compilation.multiprocessors = device.multiprocessors;
  if (*ptxas && cuda::canRun(device, target->name.str(), /*isPtx=*/false)) {
    runner->ptxas = std::move(*ptxas);
    runner->compilation.ptxas = &*runner->ptxas;
  }
  if (cacheFolder)
    runner->compilation.cache = &runner->cache.emplace(*cacheFolder);
  return runner;
}

/// The device resources of a launch.
class GpuRunner::Launch {
public:
  Launch(GpuRunner &runner, const GpuKernelRun &run, StringRef name,
         ArrayRef<reference::Value> arguments, int64_t guard)
      : runner(runner), run(run), name(name), arguments(arguments),
        memory(arguments, guard),
        views{run.kernel.launchViews, run.kernel.launchWords,
              run.kernel.tensorMaps} {}

  /// Runs the kernel and waits for it.
  Result<void> operator()();
  /// Runs it this many times after a warm-up run, and waits after each.
  Result<std::vector<runtime::StepTime>> measure(unsigned times);
  /// Reads the images back and checks for a failed assert.
  std::vector<std::byte> bytes();
  llvm::Error check() const;
  llvm::Error readBack() { return memory.readBack(name); }

private:
  Result<void> upload();
  Result<void> copyImages();
  Result<cuda::Kernel> load();
  Result<runtime::StepTime> runTimed(const cuda::Kernel &kernel,
                                     const cuda::LaunchParameters &parameters);
  Result<cuda::LaunchParameters> makeParameters(const cuda::Kernel &kernel);
  Result<void> wait(StringRef what);
  Result<void> download();

  GpuRunner &runner;
  const GpuKernelRun &run;
  StringRef name;
  ArrayRef<reference::Value> arguments;
  KernelMemory memory;
  std::vector<cuda::DeviceMemory> copies; ///< of the images, in their order
  cuda::DeviceMemory statusWord;
  cuda::LaunchViews views; ///< of a raw kernel
  std::vector<uint64_t> words;
  int32_t failedAssert = 0;
};

Result<void> GpuRunner::Launch::copyImages() {
  for (auto [image, copy] : llvm::zip_equal(memory.images(), copies))
    if (auto done = runner.stream.copyToDevice(
            copy.address(), image.bytes().data(), image.bytes().size());
        !done)
      return done;
  return {};
}

llvm::Error GpuRunner::Launch::check() const {
  if (failedAssert == 0)
    return llvm::Error::success();
  return llvm::createStringError(
      formatv("'{0}' failed: {1}", name,
              size_t(failedAssert) <= run.asserts.size()
                  ? run.asserts[size_t(failedAssert) - 1]
                  : std::string("?")));
}

Result<void> GpuRunner::Launch::upload() {
  for (TensorImage &image : memory.images()) {
    auto copy = cuda::DeviceMemory::allocate(runner.gpu, image.bytes().size(),
                                             "an argument");
    if (!copy)
      return tl::unexpected(copy.error());
    image.setAddress(copy->address());
    copies.push_back(std::move(*copy));
  }
  memory.placeAddresses();
  if (auto done = copyImages(); !done)
    return done;
  auto status = cuda::DeviceMemory::allocate(runner.gpu, sizeof(failedAssert),
                                             "the status");
  if (!status)
    return tl::unexpected(status.error());
  statusWord = std::move(*status);
  words = memory.words();
  if (auto added = views.addWords(words, run.wordBytes); !added)
    return added;
  return runner.stream.fillZero(statusWord.address(), sizeof(failedAssert));
}

/// The number of words of an argument.
static size_t wordCount(const reference::Value &value) {
  const auto *view = std::get_if<reference::View>(&value);
  return view ? 1 + 2 * view->shape.size() : 1;
}

Result<cuda::LaunchParameters>
GpuRunner::Launch::makeParameters(const cuda::Kernel &kernel) {
  cuda::LaunchParameters parameters(kernel.parameters(), words.data(),
                                    run.grid.data(), statusWord.address());
  if (!views.views.empty()) {
    if (auto encoded =
            views.setTensorMaps(runner.gpu->driver(), words, parameters);
        !encoded)
      return tl::unexpected(encoded.error());
    return parameters;
  }
  for (auto [number, map] : llvm::enumerate(run.kernel.tensorMaps)) {
    size_t view = 0;
    for (const reference::Value &before : arguments.take_front(map.argument))
      view += wordCount(before);
    auto encoded =
        cuda::encodeTensorMap(runner.gpu->driver(), map, &words[view]);
    if (!encoded)
      return makeError(encoded.error().code, "argument ", map.argument,
                       " has no tensor map: ", encoded.error().message);
    parameters.setTensorMap(number, *encoded);
  }
  return parameters;
}

Result<void> GpuRunner::Launch::wait(StringRef what) {
  const cuda::CUresult status = runner.stream.synchronize();
  if (status == cuda::CUDA_SUCCESS)
    return {};
  runner.lost = true;
  return tl::unexpected(runner.gpu->driver().error(
      status, runtime::concat(what.str(), " '", name.str(), "'")));
}

Result<void> GpuRunner::Launch::download() {
  for (auto [image, copy] : llvm::zip_equal(memory.images(), copies))
    if (auto done = runner.stream.copyToHost(
            image.bytes().data(), copy.address(), image.bytes().size());
        !done)
      return done;
  if (auto done = runner.stream.copyToHost(&failedAssert, statusWord.address(),
                                           sizeof(failedAssert));
      !done)
    return done;
  if (auto done = wait("cannot read the results of"); !done)
    return done;
  memory.removeAddresses();
  return {};
}

Result<cuda::Kernel> GpuRunner::Launch::load() {
  return cuda::Kernel::load(
      runner.gpu, {.name = name,
                   .symbol = run.kernel.symbol,
                   .image = run.kernel.image(),
                   .launch = run.kernel.launch,
                   .parameters = {words.size(), run.kernel.tensorMaps.size(),
                                  run.wordBytes}});
}

Result<void> GpuRunner::Launch::operator()() {
  if (auto done = upload(); !done)
    return done;
  if (llvm::is_contained(run.grid, 0))
    return download();
  auto kernel = load();
  if (!kernel)
    return tl::unexpected(kernel.error());
  auto blocks = kernel->blocksFor(run.grid.data());
  if (!blocks)
    return tl::unexpected(blocks.error());
  auto parameters = makeParameters(*kernel);
  if (!parameters)
    return tl::unexpected(parameters.error());
  if (auto done = runner.gpu->driver().check(
          kernel->launch(runner.stream, *blocks, *parameters,
                         /*overlap=*/false),
          "cannot launch '" + name.str() + "'");
      !done)
    return done;
  if (auto done = wait("the GPU has stopped"); !done)
    return done;
  return download();
}

/// Launches the kernel between two events, on the original arguments.
Result<runtime::StepTime>
GpuRunner::Launch::runTimed(const cuda::Kernel &kernel,
                            const cuda::LaunchParameters &parameters) {
  if (auto done = copyImages(); !done)
    return tl::unexpected(done.error());
  auto blocks = kernel.blocksFor(run.grid.data());
  auto begin = cuda::Event::create(runner.gpu, /*timing=*/true);
  auto end = cuda::Event::create(runner.gpu, /*timing=*/true);
  for (const auto *made : {&begin, &end})
    if (!*made)
      return tl::unexpected(made->error());
  if (!blocks)
    return tl::unexpected(blocks.error());
  if (auto done = wait("cannot copy the arguments of"); !done)
    return tl::unexpected(done.error());
  using Clock = runtime::LaunchObserver::Clock;
  const auto start = Clock::now();
  auto done = runner.stream.record(*begin);
  if (done)
    done = runner.gpu->driver().check(
        kernel.launch(runner.stream, *blocks, parameters, /*overlap=*/false),
        "cannot launch '" + name.str() + "'");
  if (done)
    done = runner.stream.record(*end);
  if (done)
    done = wait("the GPU has stopped");
  const auto stop = Clock::now();
  if (!done)
    return tl::unexpected(done.error());
  const auto elapsed = end->since(*begin);
  if (!elapsed)
    return tl::unexpected(elapsed.error());
  return runtime::StepTime{
      stop - start, std::chrono::duration_cast<runtime::StepTime::Duration>(
                        std::chrono::duration<float, std::milli>(*elapsed))};
}

Result<std::vector<runtime::StepTime>>
GpuRunner::Launch::measure(unsigned times) {
  if (auto done = upload(); !done)
    return tl::unexpected(done.error());
  if (llvm::is_contained(run.grid, 0))
    return makeError(ErrorCode::Usage, "'", name.str(),
                     "' has no blocks to measure");
  auto kernel = load();
  if (!kernel)
    return tl::unexpected(kernel.error());
  auto parameters = makeParameters(*kernel);
  if (!parameters)
    return tl::unexpected(parameters.error());
  std::vector<runtime::StepTime> measured;
  for (unsigned number = 0; number <= times; ++number) {
    auto time = runTimed(*kernel, *parameters);
    if (!time)
      return tl::unexpected(time.error());
    if (number > 0)
      measured.push_back(*time);
  }
  if (auto done = download(); !done)
    return tl::unexpected(done.error());
  return measured;
}

std::vector<std::byte> GpuRunner::Launch::bytes() {
  std::vector<std::byte> all;
  for (TensorImage &image : memory.images())
    llvm::append_range(all, image.bytes());
  return all;
}

llvm::Error GpuRunner::launch(const GpuKernelRun &run, StringRef name,
                              ArrayRef<reference::Value> arguments,
                              const GpuRunOptions &options) {
  std::vector<std::byte> first;
  for (unsigned number = 1; number <= options.runs; ++number) {
    Launch launch(*this, run, name, arguments, options.guard);
    if (auto done = launch(); !done)
      return toLLVM(done.error());
    if (llvm::Error failed = launch.check())
      return failed;
    if (number == 1)
      first = launch.bytes();
    if (number < options.runs)
      continue;
    if (launch.bytes() != first)
      return llvm::createStringError(formatv(
          "'{0}' is not deterministic: a second run gives other bits", name));
    return launch.readBack();
  }
  return llvm::Error::success();
}

llvm::Error GpuRunner::run(tile::KernelOp kernel,
                           ArrayRef<reference::Value> arguments,
                           const GpuRunOptions &options) {
  Expected<GpuKernelRun> compiled =
      compileKernelRun(kernel, arguments, options, compilation);
  if (!compiled)
    return compiled.takeError();
  return launch(*compiled, kernel.getSymName(), arguments, options);
}

Expected<std::vector<runtime::StepTime>>
GpuRunner::measure(tile::KernelOp kernel, ArrayRef<reference::Value> arguments,
                   const GpuRunOptions &options, unsigned times) {
  Expected<GpuKernelRun> compiled =
      compileKernelRun(kernel, arguments, options, compilation);
  if (!compiled)
    return compiled.takeError();
  Launch launch(*this, *compiled, kernel.getSymName(), arguments,
                options.guard);
  auto measured = launch.measure(times);
  if (!measured)
    return toLLVM(measured.error());
  if (llvm::Error failed = launch.check())
    return failed;
  return std::move(*measured);
}

} // namespace tilegpt::compiler
