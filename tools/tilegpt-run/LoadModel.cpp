// A compiled model has made its choices: flags that would change them are
// compared with what it was compiled for.
#include "LoadModel.h"

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::ErrorCode;
using runtime::makeError;

static runtime::Result<void> checkCompiledFor(const Options &options,
                                              const bundle::ModelInfo &model) {
  const auto differs = [&](std::string what, std::string compiled,
                           std::string asked, std::string flag) {
    return makeError(ErrorCode::Usage, "model: '" + options.model.string() +
                                           "' is compiled for " + what + " " +
                                           compiled + ", got " + flag + " " +
                                           asked + "; compile it again");
  };
  if (options.contextSize != 0 && options.contextSize != model.capacity)
    return differs("a context of", std::to_string(model.capacity),
                   std::to_string(options.contextSize), "--ctx-size");
  if (options.dtype && *options.dtype != model.weightType)
    return differs("weights of type",
                   std::string(bundle::name(model.weightType)),
                   std::string(bundle::name(*options.dtype)), "--dtype");
  return {};
}

runtime::Result<bundle::Bundle>
run::loadModel(const Options &options,
               const std::optional<runtime::ModelConfig> &config,
               Progress &progress) {
  if (options.model.extension() == ".tgb") {
    auto opened = bundle::Bundle::open(options.model);
    if (!opened)
      return opened;
    if (auto checked = checkCompiledFor(options, opened->model()); !checked)
      return tl::unexpected(checked.error());
    return opened;
  }

  auto image = compileSource(options, config, progress);
  progress.clear();
  if (!image)
    return tl::unexpected(image.error());
  if (!options.save.empty())
    if (auto saved = bundle::save(*image, options.save); !saved)
      return tl::unexpected(saved.error());
  return bundle::Bundle::fromBytes(std::move(*image));
}
