// Passes parameters in the form that each kind of code expects.
#include "CudaTileEntries.h"
#include "TileGPT/Bundle/EntrySymbol.h"
#include "TileGPT/Runtime/Cuda/RawLaunch.h"
#include <atomic>
#include <cstring>
#include <map>

using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

tl::unexpected<runtime::Error>
CudaTileEntry::assertFailed(int32_t number,
                            std::span<const std::string> messages) const {
  const bool isKnown = number >= 1 && size_t(number) <= messages.size();
  return makeError(ErrorCode::Failure, "'", entryName, "' failed: ",
                   isKnown ? messages[size_t(number) - 1] : std::string("?"));
}

namespace {

class HostEntry final : public CudaTileEntry {
public:
  HostEntry(EntryParts parts, std::shared_ptr<HostProgram> program,
            cpu::KernelFunction function)
      : CudaTileEntry(std::move(parts.name), std::move(parts.arguments)),
        asserts(std::move(parts.asserts)), program(std::move(program)),
        function(function) {}

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
      return assertFailed(failed, asserts);
    return {};
  }

  Result<void> wait(void *) const override { return {}; }

private:
  std::vector<std::string> asserts;
  std::shared_ptr<HostProgram> program;
  cpu::KernelFunction function;
};

class GpuEntry final : public CudaTileEntry {
public:
  GpuEntry(EntryParts parts, target::GpuKernel general,
           Specialization specialization, std::shared_ptr<GpuProgram> program,
           const CudaTileOptions &options)
      : CudaTileEntry(std::move(parts.name), std::move(parts.arguments)),
        general{std::move(general), std::move(parts.asserts)},
        specialization(std::move(specialization)), program(std::move(program)),
        ordinal(options.device), library(options.driver) {}

  Result<void> launch(const std::array<int64_t, 3> &grid, void *const *params,
                      void *stream) const override {
    auto loaded = find(params);
    if (!loaded)
      return tl::unexpected(loaded.error());
    return (*loaded)->kernel.launch(grid.data(), params,
                                    static_cast<cuda::CUstream>(stream));
  }

  Result<void> wait(void *stream) const override {
    std::vector<const Loaded *> variants;
    {
      const std::lock_guard lock(loading);
      if (all.empty())
        if (auto loaded = load({}); !loaded)
          return tl::unexpected(loaded.error());
      for (const auto &[facts, loaded] : all)
        variants.push_back(&loaded);
    }
    for (const Loaded *loaded : variants) {
      const auto failed =
          loaded->kernel.wait(static_cast<cuda::CUstream>(stream));
      if (!failed)
        return tl::unexpected(failed.error());
      if (*failed != 0)
        return assertFailed(*failed, loaded->asserts);
    }
    return {};
  }

private:
  struct Loaded {
    cuda::RawKernel kernel;
    std::vector<std::string> asserts;
  };

  /// Maximum specializations of an entry: if arguments keep varying, further
  /// ones are not worth the compilation time.
  static constexpr size_t mostVariants = 16;

  /// The kernel for the arguments of a launch, compiled and loaded.
  Result<const Loaded *> find(void *const *params) const {
    const std::lock_guard lock(loading);
    Facts facts = factsOf(params);
    if (facts == Facts(facts.size()) ||
        (all.size() >= mostVariants && !all.contains(facts)))
      facts.clear();
    return load(facts);
  }

  Facts factsOf(void *const *params) const {
    Facts facts;
    for (size_t i = 0; i < specialization.wanted.size(); ++i) {
      uint64_t word = 0;
      std::memcpy(&word, params[i], arguments()[i].bytes);
      facts.push_back(specialization.wanted[i].of(word));
    }
    return facts;
  }

  /// The kernel for these facts; without facts, the general one. The first one
  /// opens the GPU.
  Result<const Loaded *> load(const Facts &facts) const {
    if (const auto known = all.find(facts); known != all.end())
      return &known->second;
    if (facts.empty())
      return load(facts, general);
    auto variant = specialization.compile(facts);
    if (!variant)
      return tl::unexpected(variant.error());
    return load(facts, *variant);
  }

  Result<const Loaded *> load(const Facts &facts,
                              const GpuVariant &variant) const {
    auto driver = cuda::Driver::load(library);
    if (!driver)
      return tl::unexpected(driver.error());
    auto device = cuda::Device::open(*driver, ordinal);
    if (!device)
      return tl::unexpected(device.error());
    std::vector<uint8_t> bytes;
    for (const CudaTileArgument &argument : arguments())
      bytes.push_back(uint8_t(argument.bytes));
    const target::GpuKernel &compiled = variant.kernel;
    const cuda::LaunchViews views{compiled.launchViews, compiled.launchWords,
                                  compiled.tensorMaps};
    const cuda::KernelImage image{.name = name(),
                                  .symbol = compiled.symbol,
                                  .image = compiled.image(),
                                  .launch = compiled.launch,
                                  .parameters =
                                      views.parametersFor(std::move(bytes))};
    cuda::LoadedImage code;
    if (program) {
      auto shared = program->load(*device, image);
      if (!shared)
        return tl::unexpected(shared.error());
      code = std::move(*shared);
    }
    auto loaded = cuda::RawKernel::load(*device, image, views, std::move(code));
    if (!loaded)
      return tl::unexpected(loaded.error());
    return &all.try_emplace(facts, std::move(*loaded), variant.asserts)
                .first->second;
  }

  GpuVariant general;
  Specialization specialization;
  std::shared_ptr<GpuProgram> program;
  int ordinal;
  std::string library;
  mutable std::mutex loading;
  mutable std::map<Facts, Loaded> all; ///< none of them ever leaves
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

Result<cuda::LoadedImage>
GpuProgram::load(const std::shared_ptr<cuda::Device> &device,
                 const cuda::KernelImage &image) {
  const std::lock_guard lock(loading);
  if (!loaded) {
    auto first = cuda::loadImage(device, image);
    if (!first)
      return first;
    loaded = std::move(*first);
  }
  return loaded;
}

std::unique_ptr<CudaTileEntry> makeGpuEntry(EntryParts parts,
                                            target::GpuKernel kernel,
                                            Specialization specialization,
                                            std::shared_ptr<GpuProgram> program,
                                            const CudaTileOptions &options) {
  return std::make_unique<GpuEntry>(std::move(parts), std::move(kernel),
                                    std::move(specialization),
                                    std::move(program), options);
}

} // namespace tilegpt::compiler
