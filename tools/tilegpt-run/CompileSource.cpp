// The compiler half of tilegpt-run.
#include "Load/LoadModel.h"
#include "TileGPT/Bundle/LiteralWeight.h"
#include "TileGPT/Compiler/CompileModel.h"
#include "TileGPT/Compiler/Crash.h"
#include "TileGPT/Compiler/ModelWork.h"
#include "TileGPT/Library/Library.h"
#include "TileGPT/Runtime/Config/ModelConfig.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include <algorithm>
#include <cstdio>
#include <set>
#include <span>

using namespace tilegpt;
using namespace tilegpt::run;

static runtime::Result<OpenedModel> describe(compiler::ModelSource source) {
  auto tables = compiler::describeModel(source);
  if (!tables)
    return tl::unexpected(tables.error());
  OpenedModel model;
  model.source = std::move(source);
  model.tables = std::move(*tables);
  return model;
}

/// The first of several models that accepts config.json, or else the first one,
/// which then says what it does not accept.
static runtime::Result<OpenedModel>
chooseModel(const Options &options,
            const std::vector<compiler::ModelSource> &sources) {
  runtime::Result<OpenedModel> first = describe(sources.front());
  if (!first || sources.size() == 1)
    return first;
  const auto accepts = [&](const OpenedModel &model) {
    return runtime::ModelConfig::read(options.configFile(), model.tables,
                                      options.ignoredKeys)
        .has_value();
  };
  if (accepts(*first))
    return first;
  for (const compiler::ModelSource &source : std::span(sources).subspan(1)) {
    runtime::Result<OpenedModel> model = describe(source);
    if (!model || accepts(*model))
      return model;
  }
  return first;
}

runtime::Result<OpenedModel> run::openSource(const Options &options) {
  if (!options.model.empty()) {
    auto source = compiler::readModel(options.model.string());
    if (!source)
      return tl::unexpected(source.error());
    return describe(std::move(*source));
  }
  const auto type = runtime::readModelType(options.configFile());
  if (!type)
    return tl::unexpected(type.error());
  const auto sources = compiler::builtinModels(*type);
  if (!sources)
    return tl::unexpected(sources.error());
  return chooseModel(options, *sources);
}

runtime::Result<std::string> run::listModels() {
  std::set<std::string> lines;
  for (const library::File &model : library::models())
    for (const std::string_view type : library::modelTypes(model)) {
      constexpr size_t column = 20;
      std::string line(type);
      line.resize(std::max(column, line.size() + 1), ' ');
      lines.insert(runtime::concat(line, "models/", model.name, ".mlir\n"));
    }
  std::string text;
  for (const std::string &line : lines)
    text += line;
  return text;
}

/// In the syntax of `--configure`, which comes last and takes precedence.
static std::string settingsText(const Options &options,
                                const runtime::Settings &settings) {
  std::string text;
  for (const auto &[name, value] : settings)
    text += name + "=" + format(value) + " ";
  return text + options.configure;
}

/// \returns Usage if the KV cache is to hold more tokens than config.json says
/// the model can tell apart. `--configure` may override that; then, as without
/// a config.json, the compiler checks the capacity.
static runtime::Result<void> checkContext(const Options &options,
                                          const runtime::Settings &settings) {
  const runtime::SettingValue *context = runtime::find(settings, "context");
  if (!context || options.configure.find("context") != std::string::npos)
    return {};
  const auto *tokens = std::get_if<int64_t>(&context->elements.front());
  if (!tokens || options.contextSize <= *tokens)
    return {};
  return runtime::makeError(
      runtime::ErrorCode::Usage, "expected at most ", *tokens,
      ", the context of the model, for --ctx-size, got ", options.contextSize);
}

/// The target GPU: the one given by --arch, or the best one for the device.
/// \param device null if no device was opened because nothing runs.
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

/// The steps of a run: those that Run.cpp, Score.cpp and Bench.cpp request from
/// a session.
static std::vector<compiler::NeededSteps>
stepsOf(const Options &options, std::span<const int32_t> prompt) {
  using bundle::PlanKind;
  std::vector<compiler::NeededSteps> steps;
  for (const BenchTest &test : options.bench) {
    if (test.depth != 0)
      steps.push_back({PlanKind::Prefill, test.depth});
    steps.push_back({test.kind, test.tokens * test.sequences, test.sequences});
  }
  if (!options.bench.empty())
    return steps;
  // Turns of a chat may have any length.
  if (options.talks())
    for (const int64_t rows : {1, 16, 64, 512})
      steps.push_back({PlanKind::Prefill, rows});
  const int64_t tokens = int64_t(prompt.size());
  if (options.perplexity || !options.dumpLogits.empty())
    steps.push_back({PlanKind::Score, tokens});
  if (!options.perplexity) {
    if (tokens > 0)
      steps.push_back({PlanKind::Prefill, tokens});
    steps.push_back({PlanKind::Sample, 1});
  }
  return steps;
}

/// Rows that are stored in another order have their sizes in the compiled model
/// only; they are checked when it is loaded.
static runtime::Result<void>
checkBeforehand(runtime::WeightStore &store,
                const std::vector<compiler::NeededWeight> &weights) {
  std::vector<runtime::WeightNeed> needs;
  needs.reserve(weights.size());
  for (const compiler::NeededWeight &weight : weights)
    if (!bundle::isLiteralWeight(weight.name))
      needs.push_back({weight.name, weight.type, weight.shape});
  store.setInterleaved({});
  return store.prepare(needs);
}

/// Collects the remarks that a profile needs.
static void listen(compiler::CompileOptions &compile, ProfileFacts &facts,
                   std::string &kernels) {
  compile.specialized = [&](std::string_view text) { kernels = text; };
  compile.remark = [&](std::string_view kernel, std::string_view text) {
    if (kernel.empty() || text.find(" missed: ") != text.npos)
      facts.remarks.push_back({std::string(kernel), std::string(text)});
  };
  // A cached kernel has no remarks.
  if (compile.gpu)
    compile.cacheFolder = "off";
}

/// Prints remarks about launches once, not layer by layer.
static void printFusion(compiler::CompileOptions &compile, Progress &progress) {
  compile.remark = [&progress, listener = std::move(compile.remark),
                    said = std::set<std::string, std::less<>>()](
                       std::string_view kernel, std::string_view text) mutable {
    if (listener)
      listener(kernel, text);
    if (!kernel.empty() || !said.emplace(text).second)
      return;
    progress.clear();
    std::fprintf(stderr, "tilegpt-run: %.*s\n", int(text.size()), text.data());
  };
}

/// Converts remarks to the facts of a profile.
static runtime::Result<void> fillFacts(ProfileFacts &facts,
                                       const std::string &kernels,
                                       const cuda::DeviceInfo *gpu) {
  auto work = compiler::ModelWork::parse(kernels);
  if (!work)
    return tl::unexpected(work.error());
  facts.workOf = [work =
                      std::make_shared<compiler::ModelWork>(std::move(*work))](
                     const auto &...launch) { return work->of(launch...); };
  if (!gpu)
    return {};
  auto rates = compiler::ratesOfGpu(*gpu);
  if (!rates)
    return tl::unexpected(rates.error());
  facts.gpuRates = std::move(*rates);
  return {};
}

runtime::Result<std::vector<std::byte>>
run::compileSource(const Options &options, const compiler::ModelSource &source,
                   const LoadRequest &request, Progress &progress) {
  compiler::reportCrashesOf("tilegpt-run");
  if (auto checked = checkContext(options, request.settings); !checked)
    return tl::unexpected(checked.error());
  compiler::CompileOptions compile;
  compile.settings = settingsText(options, request.settings);
  compile.weightType = weightType(options.dtype.value_or(Dtype::F32));
  compile.logitType = options.logits.value_or(bundle::ElementType::F32);
  compile.tf32 = options.dtype == Dtype::TF32;
  compile.capacity = options.contextSize;
  compile.ranks = std::max(options.ranks, 1u);
  compile.kernels = options.kernels.string();
  compile.threads = options.threads;
  compile.shippedRecords = request.shippedRecords && options.tuning != "off";
  if (options.tuning != "off")
    compile.records = options.tuning.string();
  compile.lanes = cpu::ThreadPool(options.threads).threads();
  // A saved model may run anywhere.
  if (options.save.empty() || options.threads != 0)
    compile.hostThreads = unsigned(compile.lanes);
  compile.progress = [&](std::string_view what) { progress.show(what); };
  compile.warn = [&](std::string_view what) {
    if (request.warn)
      return request.warn(what);
    progress.clear();
    std::fprintf(stderr, "tilegpt-run: warning: %.*s\n", int(what.size()),
                 what.data());
  };
  if (options.usesGpu()) {
    auto chosen = chooseGpu(options, request.gpu);
    if (!chosen)
      return tl::unexpected(chosen.error());
    compile.gpu = std::move(*chosen);
    if (request.gpu)
      compile.gpuName = request.gpu->name;
    // A GPU computes a long prompt faster in one step than in several.
    compile.stepRows = 1024;
  }
  if (options.batchSize != 0)
    compile.stepRows = options.batchSize;
  if (options.parallel != 0) {
    compile.promptSequences = options.parallel;
    compile.sequences = std::max<int64_t>(compile.sequences, options.parallel);
  }
  compile.cacheFolder = options.cacheFolder;
  if (options.cacheMegabytes)
    compile.cacheBytes = *options.cacheMegabytes * 1'000'000;
  if (request.store)
    compile.checkWeights = [&](const auto &weights) {
      return checkBeforehand(*request.store, weights);
    };
  if (options.save.empty())
    compile.needed = stepsOf(options, request.prompt);
  compile.tunable = request.tunable;
  std::string kernels;
  if (request.facts)
    listen(compile, *request.facts, kernels);
  compile.fusion = options.fuseLaunches;
  if (options.explainFusion || options.fuseLaunches == "list")
    printFusion(compile, progress);
  auto image = compiler::compileModel(source, compile);
  if (image && request.facts)
    if (auto filled = fillFacts(*request.facts, kernels, request.gpu); !filled)
      return tl::unexpected(filled.error());
  return image;
}
