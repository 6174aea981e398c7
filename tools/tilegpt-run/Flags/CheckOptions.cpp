// Checks of flag combinations.
#include "Flags/CheckOptions.h"
#include "Flags/AddFlags.h"
#include "Flags/CommandLine.h"
#include "Flags/EditDistance.h"
#include "Flags/FlagValues.h"
#include "Flags/ModelFile.h"
#include <algorithm>
#include <fstream>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::ErrorCode;
using runtime::makeError;

/// Checks flags of compilation and devices.
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
    return wrong("--arch needs a model to compile (.mlir) and --device cuda");
  if (options.dtype == Dtype::TF32 && isCompiled)
    return wrong("--dtype tf32 needs a model to compile (.mlir)");
  if (options.logits && *options.logits != bundle::ElementType::F32 &&
      !isCompiled &&
      *options.logits != weightType(options.dtype.value_or(Dtype::F32)))
    return wrong("--logits ", bundle::name(*options.logits), " needs --dtype ",
                 bundle::name(*options.logits));
  return {};
}

runtime::Result<void>
run::checkFunctionFlags(const CLI::App &app, std::span<const char *const> words,
                        const Options &options) {
  if (!options.runsKernel())
    return {};
  const bool onGpu = options.usesGpu();
  const auto isAllowed = [&](std::string_view name) {
    // Only GPU code is kept.
    return name == "model" || name == "device" || name == "list-devices" ||
           name == "config" ||
           (options.benchLaunch && (name == "bench" || name == "repetitions" ||
                                    (!onGpu && name == "threads"))) ||
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
                       name, " has no effect on it, remove it");
  }
  if (options.benchLaunch &&
      options.device.value_or(DeviceChoice()).kind == Device::Reference)
    return makeError(ErrorCode::Usage,
                     "--bench measures compiled kernels; --device reference is "
                     "the interpreter");
  if (options.tolerance && options.expectedOutputs.empty())
    return makeError(ErrorCode::Usage,
                     "--tolerance needs --expected-output, what to compare "
                     "with");
  return {};
}

/// The given flag of a family; nothing if there is none.
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

runtime::Result<void> run::checkEffects(const CLI::App &app,
                                        std::span<const char *const> words,
                                        const Options &options) {
  if (options.runsKernel() || options.listsOnly())
    return {};
  const auto refuse = [](const std::optional<std::string> &flag,
                         std::string_view why) -> runtime::Result<void> {
    if (!flag)
      return {};
    return makeError(ErrorCode::Usage, why, "; ", *flag,
                     " has no effect on it, remove it");
  };
  const auto ofText = givenFlag(app, words,
                                {"n-predict", "ignore-eos", "reverse-prompt",
                                 "print-ids", "no-display-prompt"},
                                {"Sampling"});
  runtime::Result<void> checked;
  if (!options.runs())
    checked = refuse(
        ofText ? ofText
               : givenFlag(app, words,
                           {"dump-logits", "trace", "perplexity",
                            "cuda-launches", "collectives", "overlap-exchanges",
                            "escape", "weights-layout", "chat", "system"}),
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
                     "without --chat the prompt is continued as plain text");
  if (checked && options.chat)
    checked = refuse(givenFlag(app, words, {"no-display-prompt"}),
                     "--chat prints only the answer");
  if (checked && options.talks())
    checked = refuse(givenFlag(app, words, {"dump-logits", "trace", "escape"}),
                     "--chat without a prompt is interactive");
  if (checked && options.bench.empty())
    checked =
        refuse(givenFlag(app, words, {"repetitions"}), "nothing is measured");
  if (checked && options.runs() && options.bench.empty() &&
      options.save.empty())
    checked =
        refuse(givenFlag(app, words, {"parallel"}), "only one prompt is run");
  if (checked && options.weights.empty())
    checked = refuse(givenFlag(app, words, {"weights-layout"}),
                     "no checkpoint is read");
  // The bundle determines the device.
  if (checked && options.model.extension() != ".tgb" && !options.usesGpu())
    checked =
        refuse(givenFlag(app, words,
                         {"cuda-launches", "collectives", "overlap-exchanges"}),
               "the CPU runs the model");
  return checked;
}

/// The verb that a word stands for, as a question; empty for none.
static std::string suggestVerb(const std::string &word) {
  constexpr size_t mostEdits = 2;
  for (const std::string_view verb : {"profile", "tune", "cache"})
    if (editDistance(word, verb) <= mostEdits)
      return runtime::concat("; did you mean '", verb, "'?");
  return "";
}

/// Whether a file is CUDA Tile IR bytecode, by its first bytes.
static bool isCudaTileBytecode(const std::filesystem::path &path) {
  constexpr std::string_view magic("\x7fTileIR\0", 8);
  char begin[magic.size()] = {};
  std::error_code ignored;
  return is_regular_file(path, ignored) &&
         std::ifstream(path, std::ios::binary).read(begin, sizeof(begin)) &&
         std::string_view(begin, sizeof(begin)) == magic;
}

runtime::Result<void> run::checkTogether(const Options &options) {
  const auto wrong = [](const auto &...parts) {
    return makeError(ErrorCode::Usage, parts...);
  };
  if (options.listsOnly())
    return {};
  std::error_code ignored;
  if (is_directory(options.model, ignored) && options.weights.empty())
    return wrong("'", options.model.string(),
                 "' is a folder; expected a file with kernels");
  if (is_directory(options.model, ignored))
    return wrong("'", options.model.string(),
                 "' is a folder, thus a checkpoint, and so is --weights ",
                 options.weights.string(), "; expected one of them");
  if (options.model.empty() && options.weights.empty())
    return wrong("expected --weights DIR, the checkpoint to run, or a model "
                 "(.mlir or .tgb); see --help");
  const std::filesystem::path kind = options.model.extension();
  const bool isBytecode =
      kind == ".tileirbc" || isCudaTileBytecode(options.model);
  const bool isSource = kind == ".mlir" || isBytecode;
  if (options.function.empty()) {
    if (!options.inputs.empty() || !options.outputs.empty() ||
        !options.expectedOutputs.empty() || !options.parameters.empty() ||
        !options.grid.empty() || options.raw || options.cutile ||
        options.tolerance || options.benchLaunch)
      return wrong(
          "--input, --output, --expected-output, --param, --grid, --raw, "
          "--convention, --tolerance and --bench launch need --function NAME");
  } else if (options.list) {
    return wrong("--list prints the contents of a file and runs nothing; "
                 "remove --function");
  } else if (!isSource) {
    return wrong("--function runs one kernel of a .mlir file or of bytecode of "
                 "CUDA Tile IR, got '",
                 options.model.string(), "'");
  }
  if (options.list && !isSource)
    return wrong("--list needs a .mlir file or bytecode of CUDA Tile IR, got '",
                 options.model.string(), "'");
  if (isBytecode && !options.runsKernel())
    return wrong("'", options.model.string(),
                 "' contains kernels, no model; pass --function NAME to run "
                 "one, or --list");
  if (options.raw && options.cutile)
    return wrong("--raw passes every parameter, --convention passes arrays; "
                 "use one of them");
  if (!options.model.empty() && !isSource && kind != ".tgb")
    return wrong("expected a model with extension .mlir or .tgb, or the folder "
                 "of a checkpoint, got '",
                 options.model.string(), "'",
                 suggestVerb(options.model.string()));
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
  if (kind == ".tgb" && options.fuseLaunches != "all")
    return wrong("--fuse-launches needs a model to compile (.mlir); '",
                 options.model.string(), "' is compiled already");
  if (kind == ".tgb" && options.explainFusion)
    return wrong("--explain-fusion needs a model to compile (.mlir); '",
                 options.model.string(), "' is compiled already");
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
    return wrong("--chat needs a checkpoint, not --random-weights");
  if (options.randomWeights && options.weights.empty() && options.runs() &&
      options.bench.empty() &&
      !(options.tokens && (options.printIds || options.perplexity)))
    return wrong("--random-weights comes without a tokenizer; pass --tokens "
                 "and --print-ids");
  if (!options.ignoredKeys.empty() && options.weights.empty())
    return wrong("--ignore-config needs --weights DIR, whose config.json has "
                 "the keys");
  // Standalone launches have none.
  if (!options.hasWeights() && options.runs() && !options.tune) {
    if (auto checked = checkModelFile(options.model); !checked)
      return checked;
    return wrong("expected --weights DIR, the checkpoint to run, or --save "
                 "FILE, to compile only",
                 options.model.extension() == ".mlir"
                     ? "; to run a kernel of the file, pass --function NAME"
                     : "");
  }
  return {};
}

runtime::Result<void> run::checkVerb(const CLI::App &app,
                                     std::span<const char *const> words,
                                     Options &options) {
  const auto wrong = [](const auto &...parts) {
    return makeError(ErrorCode::Usage, parts...);
  };
  if (!options.profile && !options.json.empty())
    return wrong("--json needs profile: tilegpt-run profile MODEL --json ",
                 options.json.string());
  if (!options.tune)
    if (const auto flag =
            givenFlag(app, words, {"budget", "out", "verify", "times"}))
      return wrong(*flag, " needs tune: tilegpt-run tune MODEL ", *flag);
  if (!options.profile && !options.tune)
    return {};
  const std::string_view verb = options.profile ? "profile" : "tune";
  if (options.runsKernel() || options.listsOnly())
    return wrong(verb, " measures the steps of a model; remove ",
                 options.listDevices  ? "--list-devices"
                 : options.listModels ? "--list-models"
                 : options.list       ? "--list"
                                      : "--function",
                 " away");
  if (!options.dumpLogits.empty())
    return wrong(
        verb, " measures steps; --dump-logits has no effect on it, remove it");
  if (options.tune && options.ranks > 1)
    return wrong("tune measures one process; remove --tp");
  if (options.bench.empty())
    options.bench = *parseBenchTests("prefill:64,decode:1@64");
  if (!options.tune)
    return {};
  if (options.records.empty() == options.verify.empty())
    return wrong("tune: expected --out FILE, where to write records, or "
                 "--verify FILE, which to measure again");
  if (!options.times.empty() && !options.verify.empty())
    return wrong("--times has no effect on --verify, remove it");
  if (options.model.extension() == ".tgb")
    return wrong("tune needs a model to compile (.mlir); '",
                 options.model.string(), "' is compiled already");
  if (const auto flag =
          givenFlag(app, words, {"trace", "save", "tuning", "repetitions"}))
    return wrong("tune chooses its own number of rounds; ", *flag,
                 " has no effect on it, remove it");
  return {};
}
