// The table of flags. CLI11 splits the command line; what it has to say about a
// wrong one is reworded to fit in one line that names the argument.
#include "Flags/Options.h"
#include "Flags/CommandLine.h"
#include "Flags/FlagValues.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::ErrorCode;
using runtime::makeError;

/// The flags of one kernel, without a model.
static constexpr char kernelGroup[] = "One kernel";

namespace {

/// Adds flags whose value goes through a parser that may refuse it.
class FlagTable {
public:
  explicit FlagTable(CLI::App &app) : app(app) {}

  void group(std::string name) { current = std::move(name); }

  template <typename Parse, typename Assign>
  CLI::Option *value(const char *names, const char *valueName,
                     const std::string &expected, const Parse &parse,
                     const Assign &assign, const std::string &help) {
    const auto read = [=](const std::vector<std::string> &texts) {
      for (const std::string &text : texts) {
        auto parsed = parse(std::string_view(text));
        if (!parsed)
          throw CLI::ValidationError("expected " + expected + " for " +
                                     longName(names) + ", got '" + text + "'");
        assign(std::move(*parsed));
      }
      return true;
    };
    return app.add_option(names, read, help)
        ->type_name(valueName)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->group(current);
  }

  template <typename T>
  CLI::Option *number(const char *names, T &target, const std::string &help) {
    return value(
               names, "N",
               std::is_unsigned_v<T>   ? "a count, 0 or more,"
               : std::is_integral_v<T> ? "an integer"
                                       : "a number",
               [](std::string_view text) { return parseNumber<T>(text); },
               [&target](T parsed) { target = parsed; }, help)
        ->default_str(text(target));
  }

  CLI::Option *path(const char *names, std::filesystem::path &target,
                    const char *valueName, const std::string &help) {
    return value(
        names, valueName, "a path",
        [](std::string_view text) {
          return text.empty() ? std::nullopt
                              : std::optional<std::filesystem::path>(text);
        },
        [&target](std::filesystem::path parsed) { target = std::move(parsed); },
        help);
  }

  /// One of a few words; the first is the default.
  template <typename T>
  CLI::Option *choice(const char *names, T &target,
                      std::vector<std::pair<std::string, T>> words,
                      const std::string &help) {
    std::string all;
    for (const auto &[word, meaning] : words)
      all += (all.empty() ? "" : "|") + word;
    const std::string first = words.front().first;
    const std::string expected = (words.size() > 1 ? "one of " : "") + all;
    return value(
               names, "WORD", expected,
               [words = std::move(words)](std::string_view text) {
                 std::optional<T> found;
                 for (const auto &[word, meaning] : words)
                   if (word == text)
                     found = meaning;
                 return found;
               },
               [&target](T parsed) { target = parsed; }, help)
        ->type_name(all)
        ->default_str(first);
  }

  void toggle(const char *names, bool &target, bool meaning,
              const std::string &help) {
    app.add_flag_callback(
           names, [&target, meaning] { target = meaning; }, help)
        ->group(current);
  }

private:
  /// "--temp" of "-t,--temp"; "--model" of "model,-m,--model".
  static std::string longName(std::string_view names) {
    const size_t dashes = names.find("--");
    const std::string_view rest =
        names.substr(dashes == names.npos ? 0 : dashes);
    return std::string(rest.substr(0, rest.find(',')));
  }

  template <typename T>
  static std::string text(T value) {
    std::ostringstream stream;
    stream << value;
    return stream.str();
  }

  CLI::App &app;
  std::string current;
};

} // namespace

/// "cpu", "cuda", "cuda:1" or "reference".
static std::optional<DeviceChoice> parseDevice(std::string_view text) {
  if (text == "cpu")
    return DeviceChoice{Device::Cpu};
  if (text == "reference")
    return DeviceChoice{Device::Reference};
  constexpr std::string_view cuda = "cuda";
  if (!text.starts_with(cuda))
    return std::nullopt;
  text.remove_prefix(cuda.size());
  if (text.empty())
    return DeviceChoice{Device::Cuda};
  const auto ordinal =
      text.starts_with(":") ? parseNumber<int>(text.substr(1)) : std::nullopt;
  if (!ordinal || *ordinal < 0)
    return std::nullopt;
  return DeviceChoice{Device::Cuda, *ordinal};
}

static std::vector<std::string> splitAtCommas(std::string_view text) {
  std::vector<std::string> parts;
  for (;;) {
    const size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (comma == text.npos)
      return parts;
    text.remove_prefix(comma + 1);
  }
}

std::filesystem::path Options::weightsFolder() const {
  std::error_code ignored;
  return is_directory(weights, ignored) ? weights : weights.parent_path();
}

static void addFlags(FlagTable &flags, Options &options) {
  const auto text = [](std::string_view text) {
    return std::optional<std::string>(text);
  };

  flags.group("What to run");
  flags
      .path("model,-m,--model", options.model, "FILE",
            "model to compile (.mlir) or compiled model (.tgb)")
      ->default_str("the built-in one for the checkpoint");
  flags.path("--weights", options.weights, "DIR",
             "checkpoint: config.json, safetensors and tokenizer");
  flags.value(
      "--random-weights", "SEED", "an integer, 0 or more,",
      parseNumber<uint64_t>,
      [&](uint64_t seed) { options.randomWeights = seed; },
      "random numbers for weights, to measure a model of any size; with "
      "--weights, of the size of its config.json");
  flags.value(
      "--configure", "SETTINGS", "settings such as 'layers=2 width=64'", text,
      [&](std::string value) { options.configure = std::move(value); },
      "settings of the model (.mlir) that replace those of its text and of "
      "config.json");
  flags.value(
      "--ignore-config", "KEYS", "keys such as a,b", text,
      [&](const std::string &value) {
        options.ignoredKeys = splitAtCommas(value);
      },
      "keys of config.json that do not change what the model computes");
  flags.value(
      "-p,--prompt", "TEXT", "text", text,
      [&](std::string value) { options.prompt = std::move(value); },
      "text to continue");
  flags.path("-f,--file", options.promptFile, "FILE",
             "file with the text to continue; - is standard input");
  flags.value(
      "--tokens", "IDS", "token ids such as 859,26", parseTokens,
      [&](std::vector<int32_t> ids) { options.tokens = std::move(ids); },
      "token ids to continue, instead of text");
  flags.toggle("-e,--escape", options.escape, true,
               "process \\n, \\t, \\xHH and the like in the prompt");
  flags.toggle("--chat", options.chat, true,
               "the prompt is a message to the model, in the words of its chat "
               "template; without one, talk: every line of standard input is");
  flags.value(
      "--system", "TEXT", "text", text,
      [&](std::string value) { options.system = std::move(value); },
      "system message in front of a chat");

  flags.group("Generation");
  flags.number("-n,--n-predict,--predict", options.predict,
               "tokens to generate; -1: until the context is full");
  flags.number("-c,--ctx-size", options.contextSize,
               "tokens the KV cache holds; 0: the context of the model");
  flags.toggle("--ignore-eos", options.ignoreEndOfText, true,
               "never choose the end-of-text token");
  flags
      .value(
          "-r,--reverse-prompt", "TEXT", "text that is not empty",
          [](std::string_view text) {
            return text.empty() ? std::nullopt
                                : std::optional<std::string>(text);
          },
          [&](std::string value) {
            options.reversePrompts.push_back(std::move(value));
          },
          "stop before this text; may be repeated")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);

  flags.group("Sampling");
  runtime::SamplerOptions &sampler = options.sampler;
  flags
      .value(
          "-s,--seed", "N", "an integer, -1 or more,",
          [](std::string_view text) {
            std::optional<std::optional<uint64_t>> seed;
            if (text == "-1")
              seed.emplace();
            else if (const auto number = parseNumber<uint64_t>(text))
              seed = number;
            return seed;
          },
          [&](std::optional<uint64_t> seed) { options.seed = seed; },
          "the same seed gives the same text; -1: another one every time")
      ->default_str("-1");
  flags.number("--temp", sampler.temperature,
               "temperature; 0 takes the most probable token");
  flags.number("--top-k", sampler.topK, "only the N most probable; 0: all");
  flags.number("--top-p", sampler.topP,
               "only the fewest that reach this probability; 1: all");
  flags.number("--min-p", sampler.minP,
               "only those this times as probable as the best; 0: all");
  flags.number("--repeat-penalty", sampler.repeatPenalty,
               "weakens tokens seen before; 1: off");
  flags.number("--repeat-last-n", sampler.repeatLastN,
               "tokens the penalties look back; 0: none, -1: all");
  flags.number("--presence-penalty", sampler.presencePenalty,
               "subtracted from the logits of tokens seen before");
  flags.number("--frequency-penalty", sampler.frequencyPenalty,
               "subtracted for every time a token was seen");
  flags
      .value(
          "-l,--logit-bias", "ID+BIAS", "ID+BIAS or ID-BIAS, such as 199-inf,",
          parseLogitBias,
          [&](std::pair<int32_t, float> bias) {
            sampler.logitBias.push_back(bias);
          },
          "added to the logit of a token; may be repeated")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);

  flags.group("Output");
  flags.toggle("--print-ids", options.printIds, true,
               "print the ids generated, on one line, instead of text");
  flags.toggle("--no-display-prompt", options.displayPrompt, false,
               "print only what is generated");
  flags.path("--dump-logits", options.dumpLogits, "FILE",
             "write the logits at every position of the prompt, f32 [T, V], "
             "as .npy");
  flags.path("--trace", options.trace, "FILE",
             "write when each kernel ran, as a Chrome trace for Perfetto");
  flags.toggle("--perplexity", options.perplexity, true,
               "print the perplexity of the prompt instead of continuing it");

  flags.group("Measuring");
  flags.value(
      "--bench", "TESTS",
      "KIND:TOKENS[xSEQUENCES][@DEPTH], KIND prefill, score or decode (one "
      "token),",
      parseBenchTests,
      [&](std::vector<BenchTest> tests) { options.bench = std::move(tests); },
      "measure steps such as prefill:1024x8,decode:1@512 and print a line of "
      "JSON for each; TOKENS for each of SEQUENCES that hold DEPTH already");
  flags.number("--repetitions", options.repetitions,
               "how often each step is measured");

  flags.path("--json", options.json, "FILE",
             "with profile: write all figures as JSON");
  flags
      .value(
          "--budget", "SECONDS", "a number greater than 0,",
          [](std::string_view text) {
            const auto number = parseNumber<double>(text);
            return number && *number > 0 ? number : std::nullopt;
          },
          [&](double seconds) { options.budget = seconds; },
          "with tune: when to stop measuring")
      ->default_str("120");
  flags.path("--out", options.records, "FILE",
             "with tune: records to write, or to add to");
  flags.path("--verify", options.verify, "FILE",
             "with tune: measure these records again");

  flags.group(kernelGroup);
  const auto texts = [&](const char *name, const char *valueName,
                         std::vector<std::string> &values, const char *help) {
    flags
        .value(
            name, valueName, valueName, text,
            [&values](std::string value) {
              values.push_back(std::move(value));
            },
            help)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  flags.value(
      "--function", "NAME", "a name", text,
      [&](std::string name) { options.function = std::move(name); },
      "run this kernel or function of the .mlir file, not a model");
  texts("--input", "TENSOR", options.inputs,
        "2x2xf32=1,2,3,4, 2x2xf32=random:SEED or @x.npy; one an argument");
  texts("--output", "TENSOR", options.outputs,
        "@y.npy, or the shape of a result: 2x2xf32; one a result");
  texts("--expected-output", "TENSOR", options.expectedOutputs,
        "values as for --input; a difference ends with exit code 5");
  texts("--param", "NAME=VALUE", options.parameters,
        "override a parameter of the kernel");
  flags.toggle("--list", options.list, true,
               "print the kernels of the file and what they take");
  flags.value(
      "--grid", "BLOCKS", "numbers of blocks", text,
      [&](std::string grid) { options.grid = std::move(grid); },
      "blocks of a kernel with 'grid launch' along x, y, z: 32x16");
  flags.toggle("--raw", options.raw, true,
               "--input and --output name every parameter of such a kernel, as "
               "ptr:1024xf32=random:1 and i32=1024");
  flags.value(
      "--convention", "cutile", "cutile",
      [](std::string_view text) {
        return text == "cutile" ? std::optional(true) : std::nullopt;
      },
      [&](bool cutile) { options.cutile = cutile; },
      "they name arrays: each is a pointer, its sizes and its strides");
  flags.value(
      "--tolerance", "N", "a number, 0 or more,",
      [](std::string_view text) {
        const auto number = parseNumber<double>(text);
        return number && *number >= 0 ? number : std::nullopt;
      },
      [&](double value) { options.tolerance = value; },
      "difference allowed, relative above 1; default: 4 steps of the type");

  flags.group("How to run it");
  flags
      .value(
          "--device", "cpu|cuda[:N]|reference",
          "cpu, cuda, cuda:N or reference", parseDevice,
          [&](DeviceChoice choice) { options.device = choice; },
          "what runs the kernels: the CPU or a GPU; reference, the "
          "interpreter, needs --function")
      ->default_str("cpu, or what a .tgb was compiled for");
  flags.toggle("--list-devices", options.listDevices, true,
               "print what can run kernels on this machine");
  flags
      .value(
          "--arch", "NAME", "a name", text,
          [&](std::string name) { options.architecture = std::move(name); },
          "GPU to compile for, such as sm_90a")
      ->default_str("that of the device");
  flags.choice("--cuda-launches", options.cudaLaunches,
               {{"graphs", cuda::LaunchMode::Graphs},
                {"plain", cuda::LaunchMode::Plain},
                {"checked", cuda::LaunchMode::Checked}},
               "how a GPU gets its kernels; checked waits for each, so an "
               "error names its launch");
  flags.choice("--collectives", options.collectives,
               {{"nccl", cuda::CollectiveLibrary::Nccl},
                {"host", cuda::CollectiveLibrary::Host}},
               "what ranks on GPUs exchange through; host needs no NCCL and "
               "lets ranks share a GPU, but is slow");
  flags
      .value(
          "--tp", "N", "a number from 1 to 1024,",
          [](std::string_view text) {
            const auto number = parseNumber<unsigned>(text);
            return number && *number >= 1 && *number <= 1024 ? number
                                                             : std::nullopt;
          },
          [&](unsigned ranks) { options.ranks = ranks; },
          "processes that share the model, each with its part of the weights "
          "(tensor parallelism); starts them, or is one of those that torchrun "
          "or mpirun has started")
      ->default_str("1, or as many as a launcher has started");
  flags.number("-t,--threads", options.threads, "0: one for each CPU");
  flags.number("--parallel", options.parallel,
               "prompts of one length a step can take; 0: one");
  flags.number("-b,--batch-size", options.batchSize,
               "tokens a step can take; 0: 512 on a CPU, 1024 on a GPU");
  flags.choice("--dtype", options.dtype,
               {{"f32", Dtype::F32},
                {"tf32", Dtype::TF32},
                {"bf16", Dtype::BF16},
                {"f16", Dtype::F16}},
               "element type of the weights in memory; tf32: f32, multiplied "
               "with less precision where a GPU is faster so");
  flags.choice("--logits", options.logits,
               {{"f32", bundle::ElementType::F32},
                {"bf16", bundle::ElementType::BF16},
                {"f16", bundle::ElementType::F16}},
               "element type of the logits at every position; f32 or that of "
               "the weights");
  flags.choice("--weights-layout", options.weightsLayout,
               {{"auto", runtime::WeightsLayout::Auto},
                {"conv1d", runtime::WeightsLayout::Conv1d},
                {"linear", runtime::WeightsLayout::Linear}},
               "how the checkpoint stores linear weights");
  flags.path("--kernels", options.kernels, "DIR",
             "kernels that replace those of the same name built in");
  flags.path("--tuning", options.tuning, "FILE",
             "records of what was measured to be fastest on this device "
             "(tilegpt-run tune)");
  flags.path("--save", options.save, "FILE",
             "write the compiled model (.tgb) to run it later");
  flags
      .value(
          "--cache-dir", "DIR", "a path",
          [](std::string_view text) {
            return text.empty() ? std::nullopt
                                : std::optional<std::string>(text);
          },
          [&](std::string folder) { options.cacheFolder = std::move(folder); },
          "where compiled kernels are kept for the next start; off: nowhere")
      ->default_str("$TILEGPT_CACHE_DIR, else ~/.cache/tilegpt");
  flags
      .value(
          "--cache-size", "MB", "a number of megabytes up to 1000000,",
          [](std::string_view text) {
            const auto number = parseNumber<uint64_t>(text);
            return number && *number <= 1'000'000 ? number : std::nullopt;
          },
          [&](uint64_t size) { options.cacheMegabytes = size; },
          "what the cache may take when a run has compiled; kernels not used "
          "for longest go")
      ->default_str("1074");
}

/// What the environment gives where the command line and its file do not.
static void takeDefaults(Options &options) {
  const auto take = [](std::filesystem::path &path, const char *variable) {
    const char *value = std::getenv(variable);
    if (path.empty() && value)
      path = value;
  };
  if (options.runsKernel() || options.listDevices)
    return;
  take(options.model, "TILEGPT_MODEL");
  if (!options.randomWeights)
    take(options.weights, "TILEGPT_WEIGHTS");
}

/// Flags of compiling and of devices, against each other.
static runtime::Result<void> checkDevice(const Options &options) {
  const auto wrong = [](const auto &...parts) {
    return makeError(ErrorCode::Usage, parts...);
  };
  const bool isCompiled = options.model.extension() == ".tgb";
  const auto onGpu = options.usesGpu();
  if (options.function.empty() && options.device &&
      options.device->kind == Device::Reference)
    return wrong("--device reference needs --function, the kernel or "
                 "function to run");
  if (!options.architecture.empty() && (isCompiled || !onGpu))
    return wrong("--arch is for a model compiled (.mlir) with --device cuda");
  if (options.dtype == Dtype::TF32 && isCompiled)
    return wrong("--dtype tf32 needs a model to compile (.mlir)");
  if (options.logits && *options.logits != bundle::ElementType::F32 &&
      !isCompiled &&
      *options.logits != weightType(options.dtype.value_or(Dtype::F32)))
    return wrong("--logits ", bundle::name(*options.logits), " needs --dtype ",
                 bundle::name(*options.logits));
  return {};
}

/// Refuses flags that change nothing where one kernel runs: all but its own and
/// those that choose the device.
static runtime::Result<void>
checkFunctionFlags(const CLI::App &app, std::span<const char *const> words,
                   const Options &options) {
  if (!options.runsKernel())
    return {};
  const bool onGpu = options.usesGpu();
  const auto isAllowed = [&](std::string_view name) {
    // Only code for a GPU is kept.
    return name == "model" || name == "device" || name == "list-devices" ||
           name == "config" ||
           (onGpu && (name == "arch" || name == "cache-dir"));
  };
  for (const CLI::Option *option : app.get_options()) {
    if (!isWritten(*option, words) || option->get_group() == kernelGroup)
      continue;
    const std::string name = option->get_lnames().front();
    if (!isAllowed(name))
      return makeError(ErrorCode::Usage,
                       options.list ? "--list prints the kernels of a file; --"
                                    : "--function runs one kernel; --",
                       name, " has no effect on it, leave it away");
  }
  if (options.tolerance && options.expectedOutputs.empty())
    return makeError(ErrorCode::Usage,
                     "--tolerance needs --expected-output, what to compare "
                     "with");
  return {};
}

/// The flag of a family that is written; nothing if there is none.
static std::optional<std::string>
givenFlag(const CLI::App &app, std::span<const char *const> words,
          std::initializer_list<std::string_view> names,
          std::initializer_list<std::string_view> groups = {}) {
  const auto contains = [](const auto &list, const std::string &text) {
    return std::find(list.begin(), list.end(), text) != list.end();
  };
  for (const CLI::Option *option : app.get_options())
    if (!option->get_lnames().empty() && isWritten(*option, words) &&
        (contains(names, option->get_lnames().front()) ||
         contains(groups, option->get_group())))
      return "--" + option->get_lnames().front();
  return std::nullopt;
}

/// Refuses flags that change nothing in what a model is to do.
static runtime::Result<void> checkEffects(const CLI::App &app,
                                          std::span<const char *const> words,
                                          const Options &options) {
  if (options.runsKernel() || options.listDevices)
    return {};
  const auto refuse = [](const std::optional<std::string> &flag,
                         std::string_view why) -> runtime::Result<void> {
    if (!flag)
      return {};
    return makeError(ErrorCode::Usage, why, "; ", *flag,
                     " has no effect on it, leave it away");
  };
  const auto ofText = givenFlag(app, words,
                                {"n-predict", "ignore-eos", "reverse-prompt",
                                 "print-ids", "no-display-prompt"},
                                {"Sampling"});
  runtime::Result<void> checked;
  if (!options.runs())
    checked =
        refuse(ofText ? ofText
                      : givenFlag(app, words,
                                  {"dump-logits", "trace", "perplexity",
                                   "cuda-launches", "collectives", "escape",
                                   "weights-layout", "chat", "system"}),
               "--save without a prompt compiles and runs nothing");
  else if (!options.bench.empty())
    checked = refuse(
        ofText ? ofText : givenFlag(app, words, {"escape", "chat", "system"}),
        "--bench measures steps");
  else if (options.perplexity)
    checked = refuse(
        ofText ? ofText
               : givenFlag(app, words, {"dump-logits", "chat", "system"}),
        "--perplexity measures a text");
  if (checked && options.tokens && options.bench.empty())
    checked = refuse(givenFlag(app, words, {"escape", "chat", "system"}),
                     "--tokens are ids");
  if (checked && !options.chat)
    checked = refuse(givenFlag(app, words, {"system"}),
                     "a text is continued as it is without --chat");
  if (checked && options.chat)
    checked = refuse(givenFlag(app, words, {"no-display-prompt"}),
                     "--chat prints only the answer");
  if (checked && options.talks())
    checked = refuse(givenFlag(app, words, {"dump-logits", "trace", "escape"}),
                     "--chat without a prompt is a talk");
  if (checked && options.bench.empty())
    checked =
        refuse(givenFlag(app, words, {"repetitions"}), "nothing is measured");
  if (checked && options.runs() && options.bench.empty() &&
      options.save.empty())
    checked = refuse(givenFlag(app, words, {"parallel"}), "one prompt is run");
  if (checked && options.weights.empty())
    checked = refuse(givenFlag(app, words, {"weights-layout"}),
                     "no checkpoint is read");
  if (checked && options.model.extension() == ".mlir" && !options.usesGpu())
    checked = refuse(givenFlag(app, words, {"cuda-launches", "collectives"}),
                     "the CPU runs the model");
  return checked;
}

/// What makes sense flag by flag but not together.
static runtime::Result<void> checkTogether(const Options &options) {
  const auto wrong = [](const auto &...parts) {
    return makeError(ErrorCode::Usage, parts...);
  };
  if (options.listDevices)
    return {};
  std::error_code ignored;
  if (is_directory(options.model, ignored))
    return wrong("'", options.model.string(),
                 "' is a folder; pass a checkpoint as --weights ",
                 options.model.string());
  if (options.model.empty() && options.weights.empty())
    return wrong("expected --weights DIR, the checkpoint to run, or a model "
                 "(.mlir or .tgb); see --help");
  const std::filesystem::path kind = options.model.extension();
  const bool isSource = kind == ".mlir" || kind == ".tileirbc";
  if (options.function.empty()) {
    if (!options.inputs.empty() || !options.outputs.empty() ||
        !options.expectedOutputs.empty() || !options.parameters.empty() ||
        !options.grid.empty() || options.raw || options.cutile ||
        options.tolerance)
      return wrong("--input, --output, --expected-output, --param, --grid, "
                   "--raw, --convention and --tolerance need --function, the "
                   "kernel to run");
  } else if (options.list) {
    return wrong("--list prints what a file holds and runs nothing; leave "
                 "--function away");
  } else if (!isSource) {
    return wrong("--function runs one kernel of a .mlir or .tileirbc file, got "
                 "'",
                 options.model.string(), "'");
  }
  if (options.list && !isSource)
    return wrong("--list needs a .mlir or .tileirbc file, got '",
                 options.model.string(), "'");
  if (kind == ".tileirbc" && !options.runsKernel())
    return wrong("'", options.model.string(),
                 "' holds kernels, no model; pass --function NAME to run one, "
                 "or --list");
  if (options.raw && options.cutile)
    return wrong("--raw names every parameter, --convention names arrays; pass "
                 "one of them");
  if (!options.model.empty() && !isSource && kind != ".tgb")
    return wrong("expected a model with extension .mlir or .tgb, got '",
                 options.model.string(), "'");
  if (options.prompt.has_value() + !options.promptFile.empty() +
          options.tokens.has_value() >
      1)
    return wrong("expected one of --prompt, --file and --tokens, got "
                 "several");
  if (options.predict < -1)
    return wrong("expected -1 or more for --n-predict, got ", options.predict);
  if (kind == ".tgb" && (options.parallel != 0 || options.batchSize != 0))
    return wrong("--parallel and --batch-size need a model to compile (.mlir); "
                 "'",
                 options.model.string(), "' is compiled already");
  constexpr unsigned mostThreads = 4096;
  if (options.threads > mostThreads)
    return wrong("expected at most ", mostThreads, " for --threads, got ",
                 options.threads);
  if (options.contextSize < 0)
    return wrong("expected 0 or more for --ctx-size, got ",
                 options.contextSize);
  if (kind == ".tgb" && !options.configure.empty())
    return wrong("--configure needs a model to compile (.mlir); '",
                 options.model.string(), "' is compiled already");
  if (kind == ".tgb" && !options.save.empty())
    return wrong("--save needs a model to compile (.mlir); '",
                 options.model.string(), "' is compiled already");
  if (kind == ".tgb" && !options.kernels.empty())
    return wrong("--kernels needs a model to compile (.mlir); the kernels of "
                 "'",
                 options.model.string(), "' are compiled already");
  if (kind == ".tgb" && !options.tuning.empty())
    return wrong("--tuning needs a model to compile (.mlir); '",
                 options.model.string(), "' is compiled already");
  if (kind == ".tgb" && options.cacheMegabytes)
    return wrong("--cache-size needs a model to compile (.mlir); '",
                 options.model.string(), "' is compiled already");
  if (kind == ".tgb" && !options.cacheFolder.empty())
    return wrong("--cache-dir needs a model to compile (.mlir); '",
                 options.model.string(), "' is compiled already");
  if (auto checked = checkDevice(options); !checked)
    return checked;
  if (options.perplexity && !options.hasPrompt())
    return wrong("--perplexity needs a text: --file, --prompt or --tokens");
  if (!options.bench.empty() &&
      (options.prompt || !options.promptFile.empty() || options.perplexity))
    return wrong("--bench measures steps: it takes --tokens, but no text and "
                 "no --perplexity");
  if (options.repetitions == 0)
    return wrong("expected 1 or more for --repetitions, got 0");
  if (options.randomWeights && options.chat)
    return wrong("--random-weights makes numbers; --chat needs a checkpoint");
  if (options.randomWeights && options.weights.empty() && options.runs() &&
      options.bench.empty() &&
      !(options.tokens && (options.printIds || options.perplexity)))
    return wrong("--random-weights comes without a tokenizer; pass --tokens "
                 "and --print-ids");
  if (!options.ignoredKeys.empty() && options.weights.empty())
    return wrong("--ignore-config needs --weights DIR, whose config.json has "
                 "the keys");
  if (!options.hasWeights() && options.runs())
    return wrong("expected --weights DIR, the checkpoint to run, or --save "
                 "FILE, to compile only");
  return {};
}

/// Flags of `profile` and `tune`, and what these do not measure.
static runtime::Result<void> checkVerb(const CLI::App &app,
                                       std::span<const char *const> words,
                                       Options &options) {
  const auto wrong = [](const auto &...parts) {
    return makeError(ErrorCode::Usage, parts...);
  };
  if (!options.profile && !options.json.empty())
    return wrong("--json needs profile: tilegpt-run profile MODEL --json ",
                 options.json.string());
  if (!options.tune)
    if (const auto flag = givenFlag(app, words, {"budget", "out", "verify"}))
      return wrong(*flag, " needs tune: tilegpt-run tune MODEL ", *flag);
  if (!options.profile && !options.tune)
    return {};
  const std::string_view verb = options.profile ? "profile" : "tune";
  if (options.runsKernel() || options.listDevices)
    return wrong(verb, " measures the steps of a model; leave ",
                 options.listDevices ? "--list-devices"
                 : options.list      ? "--list"
                                     : "--function",
                 " away");
  if (!options.dumpLogits.empty())
    return wrong(verb, " measures steps; --dump-logits has no effect on it, "
                       "leave it away");
  if (options.ranks > 1)
    return wrong(verb, " measures one process; leave --tp away");
  if (options.bench.empty())
    options.bench = *parseBenchTests("prefill:64,decode:1@64");
  if (!options.tune)
    return {};
  if (options.records.empty() == options.verify.empty())
    return wrong("tune: expected --out FILE, where to write records, or "
                 "--verify FILE, which to measure again");
  if (options.model.extension() == ".tgb")
    return wrong("tune needs a model to compile (.mlir); '",
                 options.model.string(), "' is compiled already");
  if (const auto flag =
          givenFlag(app, words, {"trace", "save", "tuning", "repetitions"}))
    return wrong("tune measures in rounds of its own; ", *flag,
                 " has no effect on it, leave it away");
  return {};
}

runtime::Result<std::optional<Options>>
run::parseOptions(int argc, const char *const *argv) {
  Options options;
  CLI::App app("Runs a GPT-2 class model: compiles it, or loads it compiled, "
               "and continues a prompt.\nText goes to stdout, everything else "
               "to stderr.\n",
               "tilegpt-run");
  app.set_version_flag("--version", "tilegpt-run " TILEGPT_VERSION);
  app.get_formatter()->column_width(34);
  FlagTable flags(app);
  addFlags(flags, options);
  app.set_config("--config", "",
                 "file with defaults for these flags, a line each: temp = 0.7")
      ->type_name("FILE");
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.footer("\ntilegpt-run tune MODEL --out FILE … finds faster parameters of "
             "kernels for "
             "--tuning.\ntilegpt-run profile MODEL … shows where the time of "
             "steps goes "
             "and what would help.\ntilegpt-run cache list|clear shows or "
             "empties the cache of "
             "compiled kernels.\n\nEnvironment: TILEGPT_MODEL and "
             "TILEGPT_WEIGHTS are the model and the checkpoint where no flag "
             "says.\n\nExit codes: 0 success, 1 compiling or "
             "running failed, 2 wrong "
             "usage, 3 a broken or unfitting file,\n4 device or memory, 5 "
             "differs from what was expected, 130 "
             "interrupted, 143 terminated.");

  // The verb is no flag: what follows it are those of any run.
  const std::string_view verb = argc > 1 ? argv[1] : "";
  options.profile = verb == "profile";
  options.tune = verb == "tune";
  if (options.profile || options.tune) {
    --argc;
    ++argv;
  }
  if (auto parsed = parseCommandLine(app, argc, argv); !parsed)
    return tl::unexpected(parsed.error());
  else if (!*parsed)
    return std::nullopt;
  for (const CLI::Option *option : app.parse_order())
    if (const std::string name = option->get_name();
        name == "--input" || name == "--output")
      options.areOutputs.push_back(name == "--output");
  const std::span words(argv + 1, size_t(argc) - 1);
  if (auto checked = checkFunctionFlags(app, words, options); !checked)
    return tl::unexpected(checked.error());
  if (auto checked = checkVerb(app, words, options); !checked)
    return tl::unexpected(checked.error());
  takeDefaults(options);
  if (auto checked = checkTogether(options); !checked)
    return tl::unexpected(checked.error());
  if (auto checked = checkEffects(app, words, options); !checked)
    return tl::unexpected(checked.error());
  return options;
}
