// The compiler half of tilegpt-run.
#include "LoadModel.h"
#include "TileGPT/Compiler/CompileModel.h"

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

runtime::Result<std::vector<std::byte>>
run::compileSource(const Options &options,
                   const std::optional<runtime::ModelConfig> &config,
                   const cuda::DeviceInfo *gpu, Progress &progress) {
  compiler::CompileOptions compile;
  if (config)
    compile.sizes = sizesOf(*config);
  compile.weightType = weightType(options.dtype.value_or(Dtype::F32));
  compile.capacity = options.contextSize;
  compile.kernels = options.kernels.string();
  compile.threads = options.threads;
  compile.progress = [&](std::string_view what) { progress.show(what); };
  return compiler::compileModel(options.model.string(), compile);
}
