// Names, values and help of every flag.
#include "Flags/AddFlags.h"
#include "Flags/FlagTable.h"

using namespace tilegpt;
using namespace tilegpt::run;

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

void run::addFlags(CLI::App &app, Options &options) {
  FlagTable flags(app);
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
      "launch, or KIND:TOKENS[xSEQUENCES][@DEPTH], KIND prefill, score or "
      "decode (one token),",
      [](std::string_view text) -> std::optional<std::vector<BenchTest>> {
        return text == launchTest ? std::vector<BenchTest>()
                                  : parseBenchTests(text);
      },
      [&](std::vector<BenchTest> tests) {
        options.benchLaunch = tests.empty();
        options.bench = std::move(tests);
      },
      "measure steps such as prefill:1024x8,decode:1@512 and print a line of "
      "JSON for each; TOKENS for each of SEQUENCES that hold DEPTH already. "
      "launch, with --function: measure one kernel");
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
  flags.path("--times", options.times, "FILE",
             "with tune, for launches: write every choice that was measured");

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
        "@y.npy, or the shape of a result: 2x2xf32, or what it holds before "
        "the run: 2x2xf32=0; one a result");
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
               {{"auto", cuda::CollectiveLibrary::Auto},
                {"nccl", cuda::CollectiveLibrary::Nccl},
                {"peer", cuda::CollectiveLibrary::Peer},
                {"host", cuda::CollectiveLibrary::Host}},
               "what ranks on GPUs exchange through: NCCL, each other's "
               "memory on one host, or memory of the host, which is slow; "
               "auto measures the first two");
  flags
      .value(
          "--overlap-exchanges", "KIB", "a number of kibibytes up to 1000000,",
          [](std::string_view text) {
            const auto number = parseNumber<int64_t>(text);
            return number && *number >= 0 && *number <= 1000000 ? number
                                                                : std::nullopt;
          },
          [&](int64_t number) { options.overlapKib = number; },
          "ranks on GPUs run a step as two halves of its sequences, each while "
          "the other exchanges, if a half adds up as much at once; 0: never")
      ->default_str("2048");
  flags
      .value(
          "--tp", "N", "a number from 1 to 64,",
          [](std::string_view text) {
            constexpr unsigned mostOnOneHost = 64;
            const auto number = parseNumber<unsigned>(text);
            return number && *number >= 1 && *number <= mostOnOneHost
                       ? number
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
  flags.choice<std::string>(
      "--fuse-launches", options.fuseLaunches,
      {{"all", "all"}, {"list", "list"}, {"off", "off"}},
      "launches that become one where one reads what the other makes; list "
      "says which may and leaves them apart");
  flags.toggle("--explain-fusion", options.explainFusion, true,
               "say which launches became one, which did not, and why");
  flags.path("--tuning", options.tuning, "FILE",
             "records of what was measured to be fastest on this device "
             "(tilegpt-run tune), in front of those that come with TileGPT; "
             "off for none at all");
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
