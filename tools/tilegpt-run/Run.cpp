// The stages in order, each timed: model, weights, work. What can be wrong with
// the command line or the small files is found before the big ones are read.
#include "Run.h"
#include "Chat.h"
#include "Generate.h"
#include "Load/ChooseEngine.h"
#include "Load/LoadModel.h"
#include "Measure/Bench.h"
#include "Measure/ProfileModel.h"
#include "Measure/Score.h"
#include "Prompt.h"
#include "Ranks/RunRanks.h"
#include "Report.h"
#include "TileGPT/Runtime/Config/ModelConfig.h"
#include "TileGPT/Runtime/Data/MappedFile.h"
#include "TileGPT/Runtime/Data/OutputFile.h"
#include "TileGPT/Runtime/Engine/Trace.h"
#include "TileGPT/Runtime/Model/Perplexity.h"
#include "TileGPT/Runtime/Weights/Checkpoint.h"
#include "TileGPT/Runtime/Weights/RandomWeights.h"
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include "Tune/TuneModel.h"
#include <algorithm>
#include <cstdio>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

namespace {

/// Where weights, settings and words come from.
struct Source {
  std::unique_ptr<runtime::WeightProvider> weights;
  runtime::WeightStore *store = nullptr; ///< the weights, if they are of a file
  runtime::ModelConfig config;           ///< empty without a config.json
  std::optional<runtime::Tokenizer> tokenizer; ///< if needed
  std::optional<runtime::ChatTemplate> format; ///< with --chat

  const runtime::Tokenizer *words() const {
    return tokenizer ? &*tokenizer : nullptr;
  }
};

} // namespace

/// A run on ids that prints ids or a number needs no tokenizer.
static bool needsTokenizer(const Options &options) {
  if (!options.bench.empty())
    return false;
  if (options.tokens)
    return !options.printIds && !options.perplexity;
  return options.runs();
}

/// Reads the config.json if the model has a table for it. Where it does not say
/// whether the head is tied, the weights do.
static Result<runtime::ModelConfig>
readConfig(const Options &options, const runtime::ModelTables &tables,
           const runtime::WeightStore *store) {
  if (!runtime::mayExist(options.configFile()) || tables.config.rules.empty())
    return runtime::ModelConfig();
  auto config = runtime::ModelConfig::read(options.configFile(), tables,
                                           options.ignoredKeys);
  if (config && store && !config->tied && !tables.weights.tied.empty()) {
    config->tied = store->isHeadTied();
    config->settings.emplace_back("tied", runtime::SettingValue(*config->tied));
  }
  return config;
}

/// That config.json does not say more layers than the checkpoint has tensors,
/// which would be laid out for long before one is missed.
static Result<void> checkDepth(const runtime::ModelConfig &config,
                               const runtime::Checkpoint &checkpoint) {
  const auto *layers = runtime::find(config.settings, "layers");
  const int64_t depth = layers ? std::get<int64_t>(layers->elements[0]) : 0;
  if (depth <= int64_t(checkpoint.tensors().size()))
    return {};
  const auto key = std::ranges::find(config.sizes, depth,
                                     &std::pair<std::string, int64_t>::second);
  return makeError(ErrorCode::BadInput, "config: '",
                   key == config.sizes.end() ? "layers" : key->first, "' is ",
                   depth, ", but '", checkpoint.path().string(), "' has only ",
                   checkpoint.tensors().size(),
                   " tensors; use the config.json that belongs to them");
}

/// Adds the end tokens of generation_config.json.
static Result<void> addEndTokens(const Options &options,
                                 runtime::ModelConfig &config) {
  if (config.vocabulary == 0 || !options.bench.empty())
    return {};
  const auto tokens = runtime::readEndTokens(
      options.weightsFolder() / "generation_config.json", config.vocabulary);
  if (!tokens)
    return tl::unexpected(tokens.error());
  config.eosTokens.insert(config.eosTokens.end(), tokens->begin(),
                          tokens->end());
  return {};
}

/// Reads the chat template; the token that ends a message ends an answer.
static Result<void> openChat(const Options &options, Source &source) {
  auto format = runtime::ChatTemplate::open(options.weightsFolder());
  if (!format)
    return tl::unexpected(format.error());
  if (const auto end = source.tokenizer->specialId(format->endToken()))
    source.config.eosTokens.push_back(*end);
  source.format = std::move(*format);
  return {};
}

static Result<Source> openInputs(const Options &options,
                                 const runtime::ModelTables &tables,
                                 bundle::Rank rank) {
  Source source;
  if (options.randomWeights)
    source.weights =
        runtime::randomWeights(*options.randomWeights, options.threads, rank);
  if (options.weights.empty())
    return source;

  if (!options.randomWeights) {
    auto opened = runtime::WeightStore::open(
        options.weights, tables.weights,
        {options.weightsLayout, options.threads, rank});
    if (!opened)
      return tl::unexpected(opened.error());
    source.store = opened->get();
    source.weights = std::move(*opened);
  }
  auto config = readConfig(options, tables, source.store);
  if (!config)
    return tl::unexpected(config.error());
  source.config = std::move(*config);
  if (source.store) {
    source.store->setSizes(source.config.sizes);
    if (auto checked = checkDepth(source.config, source.store->checkpoint());
        !checked)
      return tl::unexpected(checked.error());
  }
  if (needsTokenizer(options)) {
    const int64_t vocabulary = source.config.vocabulary;
    auto tokenizer = runtime::Tokenizer::open(
        options.weightsFolder(),
        vocabulary > 0 ? std::optional(vocabulary) : std::nullopt);
    if (!tokenizer)
      return tl::unexpected(tokenizer.error());
    source.tokenizer = std::move(*tokenizer);
  }
  if (auto ended = addEndTokens(options, source.config); !ended)
    return tl::unexpected(ended.error());
  if (options.chat)
    if (auto found = openChat(options, source); !found)
      return tl::unexpected(found.error());
  return source;
}

/// Resolves settings in the weights' tables with their final values in the
/// bundle.
static Result<void> resolveTables(const bundle::Bundle &model,
                                  const Source &source) {
  const std::string_view text = model.string(model.model().tables);
  if (!source.store || text.empty())
    return {};
  auto tables = runtime::ModelTables::parse(text, "model: the bundle");
  if (!tables)
    return tl::unexpected(tables.error());
  source.store->setInterleaved(std::move(tables->weights.interleaved));
  return {};
}

/// Checks the prompt before anything is computed or printed.
static Result<void> checkPrompt(const Options &options,
                                std::span<const int32_t> prompt,
                                const bundle::ModelInfo &model) {
  for (const BenchTest &test : options.bench)
    if (test.tokens > model.capacity ||
        test.depth > model.capacity - test.tokens)
      return makeError(ErrorCode::OutOfRange, "bench: ", test.name(),
                       " does not fit in a context of ", model.capacity);
  for (const int32_t id : prompt)
    if (id < 0 || id >= model.vocabulary)
      return makeError(ErrorCode::BadInput, "prompt: token ", id,
                       " is outside of the vocabulary of ", model.vocabulary);
  if (options.perplexity || !options.bench.empty() ||
      int64_t(prompt.size()) <= model.capacity)
    return {};
  return makeError(ErrorCode::OutOfRange, "prompt: ", prompt.size(),
                   " tokens do not fit in a context of ", model.capacity,
                   "; shorten the prompt");
}

static Result<int> printPerplexity(runtime::Session &session,
                                   std::span<const int32_t> text) {
  const auto perplexity =
      runtime::measurePerplexity(session, text, session.capacity());
  if (!perplexity)
    return tl::unexpected(perplexity.error());
  std::fprintf(stderr, "perplexity of %lld tokens in %lld windows of %lld\n",
               (long long)perplexity->predicted, (long long)perplexity->windows,
               (long long)session.capacity());
  char line[32];
  std::snprintf(line, sizeof(line), "%.4f\n", perplexity->value);
  if (auto written = writeOutput(line); !written)
    return tl::unexpected(written.error());
  return 0;
}

static Result<int> work(const Options &options, runtime::Session &session,
                        const Source &source, std::span<const int32_t> prompt,
                        Report &report, runtime::Group *group) {
  if (options.perplexity)
    return printPerplexity(session, prompt);
  if (!options.bench.empty())
    return runBench(options, session, prompt, group);
  if (options.talks())
    return talk(options, session, *source.format, *source.tokenizer,
                source.config.eosTokens, report);
  if (!options.dumpLogits.empty())
    if (auto dumped = dumpLogits(session, prompt, options.dumpLogits); !dumped)
      return tl::unexpected(dumped.error());
  return generateText(options, session, source.words(), prompt,
                      source.config.eosTokens, report);
}

static Result<void> writeTrace(const runtime::Trace &trace,
                               const std::filesystem::path &path) {
  runtime::OutputFile file(path);
  const std::string text = trace.chromeTrace();
  file.write(std::as_bytes(std::span(text)));
  return file.finish("trace");
}

/// Checks that the files written at the end of a run can be written.
static Result<void> checkFiles(const Options &options) {
  // With --bench, --dump-logits names several files.
  const std::filesystem::path logits =
      options.bench.empty() ? options.dumpLogits : std::filesystem::path();
  const std::pair<std::filesystem::path, std::string_view> files[] = {
      {options.save, "bundle"},
      {options.trace, "trace"},
      {options.json, "profile"},
      {options.records, "tuning"},
      {logits, "npy"}};
  for (const auto &[path, room] : files)
    if (!path.empty())
      if (auto checked = runtime::OutputFile::check(path, room); !checked)
        return checked;
  return {};
}

/// That there is a checkpoint at all, and one of a format that is read, before
/// one of its files is missed.
static Result<void> checkWeights(const Options &options) {
  if (options.weights.empty())
    return {};
  if (runtime::mayExist(options.weights))
    return options.randomWeights
               ? Result<void>()
               : runtime::Checkpoint::refuseOtherFormats(options.weights);
  return makeError(ErrorCode::BadInput, "weights: '", options.weights.string(),
                   "' does not exist; expected a folder with config.json, "
                   "safetensors and a tokenizer, as 'hf download' makes it");
}

/// Identifies the weights of a run.
static std::string identityOf(const Options &options, const Source &source) {
  if (options.randomWeights)
    return runtime::concat("random numbers of seed ", *options.randomWeights);
  return source.store ? source.store->checkpoint().identity() : "";
}

/// Rank 0 goes first, so that the others find its kernels in the cache.
static Result<void> takeTurns(const Options &options, runtime::Group *group,
                              bool isFirstsTurn) {
  if (!group || options.cacheFolder == "off" ||
      (group->rank().number == 0) == isFirstsTurn)
    return {};
  if (const auto met = group->gather(""); !met)
    return tl::unexpected(met.error());
  return {};
}

static Result<int> runWith(Options options, Report &report,
                           runtime::Group *group) {
  Progress progress;
  const bundle::Rank rank = group ? group->rank() : bundle::Rank();
  options.trace = fileOfRank(options.trace, group);
  options.dumpLogits = fileOfRank(options.dumpLogits, group);
  options.json = fileOfRank(options.json, group);
  if (auto checked = checkFiles(options); !checked)
    return tl::unexpected(checked.error());
  if (auto checked = checkWeights(options); !checked)
    return tl::unexpected(checked.error());
  auto opened = openModel(options);
  if (!opened)
    return tl::unexpected(opened.error());
  auto source = openInputs(options, opened->tables, rank);
  if (!source)
    return tl::unexpected(source.error());

  std::shared_ptr<cuda::Device> gpu;
  if (options.usesGpu() && options.runs()) {
    auto opened = openGpu(options);
    if (!opened)
      return tl::unexpected(opened.error());
    gpu = std::move(*opened);
  }
  runtime::Result<std::vector<int32_t>> prompt;
  if (options.runs() && options.bench.empty() && !options.talks() &&
      rank.number == 0)
    prompt = readPrompt(options, source->format ? &*source->format : nullptr,
                        source->words(), source->config.bosToken);
  if (!prompt)
    return tl::unexpected(prompt.error());
  if (auto shared = sharePrompt(group, options, *prompt); !shared)
    return tl::unexpected(shared.error());

  if (auto turn = takeTurns(options, group, /*isFirstsTurn=*/true); !turn)
    return tl::unexpected(turn.error());
  if (options.tune)
    return runTune(options,
                   {opened->source,
                    {source->config.settings, gpu ? &gpu->info() : nullptr,
                     source->store, *prompt},
                    *source->weights,
                    std::move(gpu),
                    [&](const bundle::Bundle &model) {
                      return resolveTables(model, *source);
                    }},
                   progress);
  const auto compiling = Clock::now();
  const bool isCompiled = opened->compiled.has_value();
  ProfileFacts facts;
  const auto model =
      loadModel(options, std::move(*opened),
                {source->config.settings, gpu ? &gpu->info() : nullptr,
                 source->store, *prompt, options.profile ? &facts : nullptr},
                progress);
  if (!model)
    return tl::unexpected(model.error());
  if (auto turn = takeTurns(options, group, /*isFirstsTurn=*/false); !turn)
    return tl::unexpected(turn.error());
  report.model = Clock::now() - compiling;
  report.compiled = !isCompiled;
  if (!options.runs())
    return 0;
  if (!options.bench.empty())
    prompt = benchIds(options, model->model().vocabulary);
  if (auto checked = checkPrompt(options, *prompt, model->model()); !checked)
    return tl::unexpected(checked.error());

  if (auto resolved = resolveTables(*model, *source); !resolved)
    return tl::unexpected(resolved.error());
  if (auto agreed = agreeOnModel(group, *model, identityOf(options, *source));
      !agreed)
    return tl::unexpected(agreed.error());
  progress.show("loading weights");
  const auto loading = Clock::now();
  auto engine = makeEngine(options, *model, std::move(gpu), group);
  if (!engine)
    return tl::unexpected(engine.error());
  auto session = runtime::Session::create(
      *model, *source->weights, std::move(*engine), sequencesOf(options));
  progress.clear();
  if (!session)
    return tl::unexpected(session.error());
  report.weights = Clock::now() - loading;
  report.weightBytes = session->weightBytes();
  report.engine = session->describeEngine();
  if (auto reported = reportMemory(group, *session); !reported)
    return tl::unexpected(reported.error());

  if (options.profile) {
    runtime::Trace trace(*model);
    auto code = runProfile(options, *session, *model, facts, *prompt,
                           options.trace.empty() ? nullptr : &trace, group);
    if (code && !options.trace.empty())
      if (auto written = writeTrace(trace, options.trace); !written)
        return tl::unexpected(written.error());
    return code;
  }
  if (options.trace.empty())
    return work(options, *session, *source, *prompt, report, group);
  runtime::Trace trace(*model);
  session->setObserver(&trace);
  auto code = work(options, *session, *source, *prompt, report, group);
  if (code)
    if (auto written = writeTrace(trace, options.trace); !written)
      return tl::unexpected(written.error());
  return code;
}

Result<int> run::runModel(const Options &options, runtime::Group *group) {
  Report report;
  const Result<int> code = runWith(options, report, group);
  if (code && (!group || group->rank().number == 0))
    std::fputs(format(report).c_str(), stderr);
  return code;
}
