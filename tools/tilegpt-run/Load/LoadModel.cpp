// A compiled model has fixed options: flags are compared with those it was
// compiled for.
#include "Load/LoadModel.h"

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::concat;
using runtime::ErrorCode;
using runtime::makeError;

/// The type of the logits of score plans; nothing without such a plan.
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

/// All settings of a checkpoint must match those of the compiled model.
static runtime::Result<void> checkSettings(const Options &options,
                                           const runtime::Settings &compiled,
                                           const runtime::Settings &asked) {
  for (const auto &[name, value] : asked)
    if (const runtime::SettingValue *has = find(compiled, name);
        has && *has != value)
      return makeError(ErrorCode::BadInput, "model: '", options.model.string(),
                       "' is compiled for ", name, " = ", format(*has),
                       ", but the config.json of '", options.weights.string(),
                       "' says ", format(value), "; compile it again");
  return {};
}

runtime::Result<OpenedModel> run::openModel(const Options &options) {
  if (options.model.extension() != ".tgb")
    return openSource(options);
  OpenedModel model;
  auto opened = bundle::Bundle::open(options.model);
  if (!opened)
    return tl::unexpected(opened.error());
  if (auto checked = checkCompiledFor(options, *opened); !checked)
    return tl::unexpected(checked.error());
  if (const auto text = opened->string(opened->model().tables); !text.empty()) {
    auto tables = runtime::ModelTables::parse(
        text, concat("model: '", options.model.string(), "'"));
    if (!tables)
      return tl::unexpected(tables.error());
    model.tables = std::move(*tables);
  }
  model.compiled = std::move(*opened);
  return model;
}

runtime::Result<bundle::Bundle> run::loadModel(const Options &options,
                                               OpenedModel model,
                                               const LoadRequest &request,
                                               Progress &progress) {
  if (model.compiled) {
    if (auto checked =
            checkSettings(options, model.tables.settings, request.settings);
        !checked)
      return tl::unexpected(checked.error());
    return std::move(*model.compiled);
  }
  auto image = compileSource(options, model.source, request, progress);
  progress.clear();
  if (!image)
    return tl::unexpected(image.error());
  if (!options.save.empty())
    if (auto saved = bundle::save(*image, options.save); !saved)
      return tl::unexpected(saved.error());
  return bundle::Bundle::fromBytes(std::move(*image));
}
