// The compiler half of tilegpt-run.
#include "LoadModel.h"
#include "TileGPT/Compiler/CompileModel.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include <algorithm>
#include <cstdio>

using namespace tilegpt;
using namespace tilegpt::run;

static compiler::ModelSizes sizesOf(const runtime::ModelConfig &config) {
  compiler::ModelSizes sizes;
  sizes.layers = config.layers;
  sizes.heads = config.heads;
  sizes.width = config.width;
  sizes.inner = config.innerWidth;
  sizes.context = config.context;
  sizes.vocabulary = config.vocabulary;
  sizes.epsilon = config.epsilon;
  sizes.tiedHead = config.tied.value_or(true);
  sizes.exactGelu = config.activation == runtime::Activation::Gelu;
  return sizes;
}

/// The GPU to compile for: the one --arch names, or what suits the device.
/// \param device null if no device was opened, because nothing is run.
static runtime::Result<compiler::GpuModel>
chooseGpu(const Options &options, const cuda::DeviceInfo *device) {
  compiler::GpuModel gpu;
  if (device) {
    gpu.multiprocessors = device->multiprocessors;
    auto target = target::GpuTarget::forDevice(
        unsigned(10 * device->major + device->minor));
    if (!target)
      return tl::unexpected(
          runtime::Error{runtime::ErrorCode::Device,
                         "cuda: " + llvm::toString(target.takeError())});
    gpu.architecture = target->name.str();
  }
  if (!options.architecture.empty())
    gpu.architecture = options.architecture;
  return gpu;
}

runtime::Result<std::vector<std::byte>>
run::compileSource(const Options &options,
                   const std::optional<runtime::ModelConfig> &config,
                   const cuda::DeviceInfo *gpu, Progress &progress) {
  compiler::CompileOptions compile;
  if (config)
    compile.sizes = sizesOf(*config);
  compile.weightType = weightType(options.dtype.value_or(Dtype::F32));
  compile.logitType = options.logits.value_or(bundle::ElementType::F32);
  compile.tf32 = options.dtype == Dtype::TF32;
  compile.capacity = options.contextSize;
  compile.kernels = options.kernels.string();
  compile.threads = options.threads;
  compile.progress = [&](std::string_view what) { progress.show(what); };
  compile.warn = [&](std::string_view what) {
    progress.clear();
    std::fprintf(stderr, "tilegpt-run: warning: %.*s\n", int(what.size()),
                 what.data());
  };
  if (options.usesGpu()) {
    auto chosen = chooseGpu(options, gpu);
    if (!chosen)
      return tl::unexpected(chosen.error());
    compile.gpu = std::move(*chosen);
    // A GPU computes a long prompt at once faster than in pieces.
    compile.stepRows = 1024;
  }
  if (options.batchSize != 0)
    compile.stepRows = options.batchSize;
  if (options.parallel != 0) {
    compile.promptSequences = options.parallel;
    compile.sequences = std::max<int64_t>(compile.sequences, options.parallel);
  }
  return compiler::compileModel(options.model.string(), compile);
}
