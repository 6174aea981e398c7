// A compiled model has made its choices: flags that would change them are
// compared with what it was compiled for.
#include "LoadModel.h"

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::concat;
using runtime::ErrorCode;
using runtime::makeError;

/// The type of the logits at every position; nothing if no plan gives them.
static std::optional<bundle::ElementType>
scoreType(const bundle::Bundle &bundle) {
  for (const bundle::Plan &plan : bundle.plans())
    if (plan.kind == bundle::PlanKind::Score)
      for (const bundle::Buffer &buffer : bundle.buffers(plan))
        if (buffer.kind == bundle::BufferKind::Output)
          return buffer.type;
  return std::nullopt;
}

static runtime::Result<void> checkCompiledFor(const Options &options,
                                              const bundle::Bundle &bundle) {
  const bundle::ModelInfo &model = bundle.model();
  const auto differs = [&](const auto &compiled, const auto &asked) {
    return makeError(ErrorCode::Usage, "model: '", options.model.string(),
                     "' is compiled for ", compiled, ", got ", asked,
                     "; compile it again");
  };
  if (options.contextSize != 0 && options.contextSize != model.capacity)
    return differs(concat("a context of ", model.capacity),
                   concat("--ctx-size ", options.contextSize));
  if (options.dtype && weightType(*options.dtype) != model.weightType)
    return differs(
        concat("weights of type ", bundle::name(model.weightType)),
        concat("--dtype ", bundle::name(weightType(*options.dtype))));
  const auto logits = scoreType(bundle);
  if (options.logits && logits && *options.logits != *logits)
    return differs(concat("logits of type ", bundle::name(*logits)),
                   concat("--logits ", bundle::name(*options.logits)));
  const bool forGpu = bundle.target().kind == bundle::TargetKind::Cuda;
  if (options.device && options.usesGpu() != forGpu)
    return differs(concat(forGpu ? "GPUs (" : "the CPU (",
                          bundle.string(bundle.target().architecture), ")"),
                   options.usesGpu() ? "--device cuda" : "--device cpu");
  return {};
}

runtime::Result<bundle::Bundle> run::loadModel(const Options &options,
                                               const LoadRequest &request,
                                               Progress &progress) {
  if (options.model.extension() == ".tgb") {
    auto opened = bundle::Bundle::open(options.model);
    if (!opened)
      return opened;
    if (auto checked = checkCompiledFor(options, *opened); !checked)
      return tl::unexpected(checked.error());
    return opened;
  }

  auto image = compileSource(options, request, progress);
  progress.clear();
  if (!image)
    return tl::unexpected(image.error());
  if (!options.save.empty())
    if (auto saved = bundle::save(*image, options.save); !saved)
      return tl::unexpected(saved.error());
  return bundle::Bundle::fromBytes(std::move(*image));
}
