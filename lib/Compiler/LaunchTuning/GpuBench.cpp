// Runs launches through the driver: graphs of many, each on different memory
// than the previous one.
#include "LaunchTuning/LaunchBench.h"
#include "TileGPT/Runtime/Cuda/Kernel.h"
#include "TileGPT/Runtime/Cuda/LaunchViews.h"
#include "TileGPT/Runtime/Cuda/Memory.h"
#include "TileGPT/Runtime/Cuda/TensorMap.h"
#include <algorithm>
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::compiler;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

namespace {

/// A loaded choice, which can be launched on any set of operands.
struct RunnableOnGpu {
  cuda::Kernel kernel;
  cuda::GridSize blocks;
  bool overlaps;
  std::vector<cuda::LaunchParameters> parameters; ///< by set
  cuda::GraphExec graph;                          ///< none until it is timed
};

class GpuBench : public LaunchBench {
public:
  GpuBench(std::shared_ptr<cuda::Device> device,
           const std::vector<LaunchOperand> &operands)
      : device(std::move(device)), operands(operands) {}

  Result<void> create();
  Result<void> createOthers();
  Result<size_t> add(CompiledLaunch launch) override;
  Result<Results> run(size_t number) override;
  Result<double> time(size_t number) override;

private:
  Result<void> fill(const cuda::DeviceMemory &memory,
                    const std::vector<std::byte> &data);
  Result<Results> download();
  Result<cuda::LaunchParameters> bind(const cuda::Kernel &kernel,
                                      const CompiledLaunch &launch,
                                      size_t set) const;
  Result<void> issue(const RunnableOnGpu &runnable, size_t launches);
  Result<void> wait(std::string_view what);
  Result<double> measure(const std::function<Result<void>()> &work);

  std::shared_ptr<cuda::Device> device;
  const std::vector<LaunchOperand> operands;
  cuda::Stream stream;
  cuda::Event begin, end;
  std::vector<std::vector<cuda::DeviceMemory>> sets; ///< an operand each
  cuda::DeviceMemory status;
  cuda::PinnedMemory staging; ///< on its way to the device, or from it
  std::vector<RunnableOnGpu> runnables;
  size_t launches = 0; ///< of a graph; 0 until the first choice has run
};

} // namespace

/// Chunk size of copies between host and device.
static constexpr size_t mostCopied = size_t(8) << 20;

/// The first driver whose graphs preserve programmatic dependent launch.
static constexpr int overlapInGraphsVersion = 12030;

Result<void> GpuBench::create() {
  // More than three times the size of any L2 cache.
  constexpr size_t restBytes = size_t(200) << 20, fewest = 2, most = 64;
  if (auto done = device->makeCurrent(); !done)
    return done;
  auto made = cuda::Stream::create(device);
  if (!made)
    return tl::unexpected(made.error());
  stream = std::move(*made);
  for (cuda::Event *event : {&begin, &end}) {
    auto created = cuda::Event::create(device, /*timing=*/true);
    if (!created)
      return tl::unexpected(created.error());
    *event = std::move(*created);
  }
  if (auto done = createOthers(); !done)
    return done;
  size_t bytes = 1;
  for (const LaunchOperand &operand : operands)
    bytes += operand.isTensor ? operand.bytes() : 0;
  sets.resize(std::clamp(restBytes / bytes + 1, fewest, most));
  // A period that divides no size, so that rows differ.
  constexpr size_t period = 262147;
  for (size_t number = 0; number < operands.size(); ++number) {
    const LaunchOperand &operand = operands[number];
    const auto data = makeData(operand.type, period, number);
    for (auto &set : sets) {
      auto memory = cuda::DeviceMemory::allocate(
          device, operand.isTensor ? operand.bytes() : 0, "an operand");
      if (!memory)
        return tl::unexpected(memory.error());
      if (operand.isTensor)
        if (auto filled = fill(*memory, data); !filled)
          return filled;
      set.push_back(std::move(*memory));
    }
  }
  return wait("cannot make data for a launch");
}

/// Memory other than operands.
Result<void> GpuBench::createOthers() {
  auto word =
      cuda::DeviceMemory::allocate(device, sizeof(int32_t), "the status");
  if (!word)
    return tl::unexpected(word.error());
  status = std::move(*word);
  auto host = cuda::PinnedMemory::allocate(device, mostCopied, "results");
  if (!host)
    return tl::unexpected(host.error());
  staging = std::move(*host);
  return stream.fillZero(status.address(), sizeof(int32_t));
}

/// Replicates data, doubling it each time.
Result<void> GpuBench::fill(const cuda::DeviceMemory &memory,
                            const std::vector<std::byte> &data) {
  constexpr size_t mostBytes = size_t(1) << 30;
  size_t filled = std::min({memory.size(), data.size(), mostCopied});
  if (auto done = wait("cannot make data for a launch"); !done)
    return done;
  std::memcpy(staging.data(), data.data(), filled);
  if (auto done = stream.copyToDevice(memory.address(), staging.data(), filled);
      !done)
    return done;
  while (filled < memory.size()) {
    const size_t next = std::min({filled, memory.size() - filled, mostBytes});
    if (auto done = stream.copyRows(memory.address() + filled, next,
                                    memory.address(), next, next, 1);
        !done)
      return done;
    filled += next;
  }
  return {};
}

Result<void> GpuBench::wait(std::string_view what) {
  return device->driver().check(stream.synchronize(), std::string(what));
}

Result<cuda::LaunchParameters> GpuBench::bind(const cuda::Kernel &kernel,
                                              const CompiledLaunch &launch,
                                              size_t set) const {
  std::vector<uint64_t> words;
  std::vector<size_t> firstWords;
  for (size_t number = 0; number < operands.size(); ++number) {
    firstWords.push_back(words.size());
    if (operands[number].isTensor)
      addWords(words, operands[number], sets[set][number].address());
    else
      words.push_back(numberBits(operands[number].type));
  }
  cuda::LaunchParameters parameters(kernel.parameters(), words.data(),
                                    launch.grid.data(), status.address());
  for (size_t i = 0; i < launch.gpu->tensorMaps.size(); ++i) {
    const bundle::TensorMap &map = launch.gpu->tensorMaps[i];
    auto encoded = cuda::encodeTensorMap(device->driver(), map,
                                         &words[firstWords[map.argument]]);
    if (!encoded)
      return tl::unexpected(encoded.error());
    parameters.setTensorMap(i, *encoded);
  }
  return parameters;
}

Result<size_t> GpuBench::add(CompiledLaunch launch) {
  size_t words = 0;
  for (const LaunchOperand &operand : operands)
    words += operand.words();
  const target::GpuKernel &code = *launch.gpu;
  auto kernel = cuda::Kernel::load(
      device, {.name = launch.kernel,
               .symbol = code.symbol,
               .image = code.image(),
               .launch = code.launch,
               .parameters = {words, code.tensorMaps.size()}});
  if (!kernel)
    return tl::unexpected(kernel.error());
  auto blocks = kernel->blocksFor(launch.grid.data());
  if (!blocks)
    return tl::unexpected(blocks.error());
  RunnableOnGpu runnable{
      std::move(*kernel),
      *blocks,
      code.launch.has(bundle::DeviceFlag::ProgrammaticDependentLaunch) &&
          device->driver().version >= overlapInGraphsVersion,
      {},
      {}};
  for (size_t set = 0; set < sets.size(); ++set) {
    auto parameters = bind(runnable.kernel, launch, set);
    if (!parameters)
      return tl::unexpected(parameters.error());
    runnable.parameters.push_back(std::move(*parameters));
  }
  runnables.push_back(std::move(runnable));
  return runnables.size() - 1;
}

Result<void> GpuBench::issue(const RunnableOnGpu &runnable, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (auto done = device->driver().check(
            runnable.kernel.launch(stream, runnable.blocks,
                                   runnable.parameters[i % sets.size()],
                                   runnable.overlaps && i > 0),
            "cannot launch a choice");
        !done)
      return done;
  return {};
}

/// The contents of the outs of the first set.
Result<Results> GpuBench::download() {
  constexpr size_t pieces = 32, pieceBytes = mostCopied / pieces;
  Results results;
  for (size_t number = 0; number < operands.size(); ++number) {
    if (!operands[number].isWritten)
      continue;
    const cuda::DeviceMemory &memory = sets[0][number];
    const size_t bytes = operands[number].bytes(),
                 copied = std::min(bytes, mostCopied);
    for (size_t piece = 0; piece * pieceBytes < copied; ++piece) {
      // Evenly spaced, the last piece at the end; pieces are whole cache lines.
      constexpr size_t line = 256;
      const size_t size = std::min(pieceBytes, copied - piece * pieceBytes);
      const size_t from =
          bytes <= mostCopied
              ? piece * pieceBytes
              : (bytes - pieceBytes) / (pieces - 1) * piece / line * line;
      if (auto done = stream.copyToHost(staging.data() + piece * pieceBytes,
                                        memory.address() + from, size);
          !done)
        return tl::unexpected(done.error());
    }
    if (auto done = wait("a choice has stopped the GPU"); !done)
      return tl::unexpected(done.error());
    results.emplace_back(staging.data(), staging.data() + copied);
  }
  return results;
}

Result<Results> GpuBench::run(size_t number) {
  const std::vector<std::byte> nothing(size_t(4) << 20, std::byte(0xFF));
  for (size_t i = 0; i < operands.size(); ++i)
    if (!operands[i].isRead)
      if (auto done = fill(sets[0][i], nothing); !done)
        return tl::unexpected(done.error());
  if (auto done = issue(runnables[number], 1); !done)
    return tl::unexpected(done.error());
  if (auto done =
          stream.copyToHost(staging.data(), status.address(), sizeof(int32_t));
      !done)
    return tl::unexpected(done.error());
  if (auto done = wait("a choice has stopped the GPU"); !done)
    return tl::unexpected(done.error());
  int32_t failed = 0;
  std::memcpy(&failed, staging.data(), sizeof(failed));
  if (failed)
    return makeError(ErrorCode::Failure, "tune: an assertion fails on the data "
                                         "that launches are measured with");
  return download();
}

/// Seconds that something takes on the device.
Result<double> GpuBench::measure(const std::function<Result<void>()> &work) {
  auto done = stream.record(begin);
  if (done)
    done = work();
  if (done)
    done = stream.record(end);
  if (done)
    done = wait("a choice has stopped the GPU");
  if (!done)
    return tl::unexpected(done.error());
  const auto elapsed = end.since(begin);
  if (!elapsed)
    return tl::unexpected(elapsed.error());
  constexpr double milli = 1e-3;
  return double(*elapsed) * milli;
}

Result<double> GpuBench::time(size_t number) {
  RunnableOnGpu &runnable = runnables[number];
  if (launches == 0) {
    constexpr double shortest = 2e-6, target = 600e-6;
    constexpr size_t fewest = 2, most = 300;
    auto seconds = measure([&] { return issue(runnable, fewest); });
    if (seconds)
      seconds = measure([&] { return issue(runnable, fewest); });
    if (!seconds)
      return seconds;
    launches = std::clamp(
        size_t(target / std::max(shortest, *seconds / double(fewest))), fewest,
        most);
  }
  if (!runnable.graph) {
    auto recorded = stream.beginCapture();
    if (!recorded)
      return tl::unexpected(recorded.error());
    recorded = issue(runnable, launches);
    // End the capture mode of the stream, even after an error.
    auto graph = stream.endCapture();
    if (!recorded)
      return tl::unexpected(recorded.error());
    if (!graph)
      return tl::unexpected(graph.error());
    runnable.graph = std::move(*graph);
    if (auto warm = measure([&] { return stream.launch(runnable.graph); });
        !warm)
      return warm;
  }
  auto seconds = measure([&] { return stream.launch(runnable.graph); });
  if (!seconds)
    return seconds;
  return *seconds / double(launches);
}

Result<std::unique_ptr<LaunchBench>>
compiler::makeGpuBench(std::shared_ptr<cuda::Device> device,
                       const std::vector<LaunchOperand> &operands) {
  auto bench = std::make_unique<GpuBench>(std::move(device), operands);
  if (auto made = bench->create(); !made)
    return tl::unexpected(made.error());
  return bench;
}
