// Hands parameters over as each kind of code takes them.
#include "CudaTileEntries.h"
#include "TileGPT/Bundle/EntrySymbol.h"
#include "TileGPT/Runtime/Cuda/RawLaunch.h"
#include <atomic>
#include <cstring>
#include <optional>

using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

tl::unexpected<runtime::Error>
CudaTileEntry::assertFailed(int32_t number) const {
  const bool isKnown = number >= 1 && size_t(number) <= asserts.size();
  return makeError(ErrorCode::Failure, "'", entryName, "' failed: ",
                   isKnown ? asserts[size_t(number) - 1] : std::string("?"));
}

namespace {

class HostEntry final : public CudaTileEntry {
public:
  HostEntry(EntryParts parts, std::shared_ptr<HostProgram> program,
            cpu::KernelFunction function)
      : CudaTileEntry(std::move(parts.name), std::move(parts.arguments),
                      std::move(parts.asserts)),
        program(std::move(program)), function(function) {}

  Result<void> launch(const std::array<int64_t, 3> &grid, void *const *params,
                      void *) const override {
    std::vector<uint64_t> words(arguments().size());
    for (size_t i = 0; i < words.size(); ++i)
      std::memcpy(&words[i], params[i], arguments()[i].bytes);
    std::atomic<int32_t> status{0};
    {
      const std::lock_guard lock(program->busy);
      program->pool.run(
          grid[0] * grid[1] * grid[2], [&](int64_t begin, int64_t end) {
            if (const int32_t failed =
                    function(words.data(), grid.data(), begin, end))
              status.store(failed, std::memory_order_relaxed);
          });
    }
    if (const int32_t failed = status.load(std::memory_order_relaxed))
      return assertFailed(failed);
    return {};
  }

  Result<void> wait(void *) const override { return {}; }

private:
  std::shared_ptr<HostProgram> program;
  cpu::KernelFunction function;
};

class GpuEntry final : public CudaTileEntry {
public:
  GpuEntry(EntryParts parts, target::GpuKernel compiled, int ordinal)
      : CudaTileEntry(std::move(parts.name), std::move(parts.arguments),
                      std::move(parts.asserts)),
        compiled(std::move(compiled)), ordinal(ordinal) {}

  Result<void> launch(const std::array<int64_t, 3> &grid, void *const *params,
                      void *stream) const override {
    if (auto loaded = load(); !loaded)
      return loaded;
    return kernel->launch(grid.data(), params,
                          static_cast<cuda::CUstream>(stream));
  }

  Result<void> wait(void *stream) const override {
    if (auto loaded = load(); !loaded)
      return loaded;
    const auto failed = kernel->wait(static_cast<cuda::CUstream>(stream));
    if (!failed)
      return tl::unexpected(failed.error());
    if (*failed != 0)
      return assertFailed(*failed);
    return {};
  }

private:
  /// Opens the GPU and loads the image, once.
  Result<void> load() const {
    const std::lock_guard lock(loading);
    if (kernel)
      return {};
    auto driver = cuda::Driver::load();
    if (!driver)
      return tl::unexpected(driver.error());
    auto device = cuda::Device::open(*driver, ordinal);
    if (!device)
      return tl::unexpected(device.error());
    std::vector<uint8_t> bytes;
    for (const CudaTileArgument &argument : arguments())
      bytes.push_back(uint8_t(argument.bytes));
    const cuda::LaunchViews views{compiled.launchViews, compiled.launchWords,
                                  compiled.tensorMaps};
    auto loaded = cuda::RawKernel::load(
        *device,
        {.name = name(),
         .symbol = compiled.symbol,
         .image = compiled.image(),
         .launch = compiled.launch,
         .parameters = views.parametersFor(std::move(bytes))},
        views);
    if (!loaded)
      return tl::unexpected(loaded.error());
    kernel.emplace(std::move(*loaded));
    return {};
  }

  target::GpuKernel compiled;
  int ordinal;
  mutable std::mutex loading;
  mutable std::optional<cuda::RawKernel> kernel;
};

} // namespace

Result<std::unique_ptr<CudaTileEntry>>
makeHostEntry(EntryParts parts, std::shared_ptr<HostProgram> program) {
  auto function = program->image.find(bundle::entrySymbol(parts.name));
  if (!function)
    return tl::unexpected(function.error());
  return std::make_unique<HostEntry>(std::move(parts), std::move(program),
                                     *function);
}

std::unique_ptr<CudaTileEntry>
makeGpuEntry(EntryParts parts, target::GpuKernel kernel, int device) {
  return std::make_unique<GpuEntry>(std::move(parts), std::move(kernel),
                                    device);
}

} // namespace tilegpt::compiler
