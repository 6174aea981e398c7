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
  return DeviceChoice{Device::Cuda, ordinal};
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
            "model to compile (.mlir), compiled model (.tgb), or a checkpoint, "
            "as --weights")
      ->default_str("the built-in model for the checkpoint");
  flags.path("--weights", options.weights, "DIR",
             "checkpoint: config.json, safetensors and tokenizer");
  flags.value(
      "--random-weights", "SEED", "an integer, 0 or more,",
      parseNumber<uint64_t>,
      [&](uint64_t seed) { options.randomWeights = seed; },
      "random weights, for benchmarks; with --weights DIR, sizes come from its "
      "config.json");
  flags.value(
      "--configure", "SETTINGS", "settings such as 'layers=2 width=64'", text,
      [&](std::string value) { options.configure = std::move(value); },
      "settings of the model (.mlir) that override its defaults and "
      "config.json");
  flags.toggle(
      "--list-models", options.listModels, true,
      "print the model types of config.json that have a built-in model");
  flags.value(
      "--ignore-config", "KEYS", "keys such as a,b", text,
      [&](const std::string &value) {
        options.ignoredKeys = splitAtCommas(value);
      },
      "keys of config.json to ignore, because they do not affect the result");
  flags.value(
      "-p,--prompt", "TEXT", "text", text,
      [&](std::string value) { options.prompt = std::move(value); },
      "text to continue");
  flags.path(
      "-f,--file", options.promptFile, "FILE",
      "file with the text to continue; - is standard input, from which a text "
      "that is piped is read without any of the three, too");
  flags.value(
      "--tokens", "IDS", "token ids such as 859,26", parseTokens,
      [&](std::vector<int32_t> ids) { options.tokens = std::move(ids); },
      "token ids to continue, instead of text");
  flags.toggle(
      "-e,--escape", options.escape, true,
      "process escape sequences such as \\n, \\t, \\xHH in the prompt");
  flags.toggle("--chat", options.chat, true,
               "treat the prompt as a message, formatted by the chat template; "
               "without a prompt, every line of standard input is a message");
  flags.value(
      "--system", "TEXT", "text", text,
      [&](std::string value) { options.system = std::move(value); },
      "system message of the chat");

  flags.group("Generation");
  flags.number("-n,--n-predict,--predict", options.predict,
               "tokens to generate; -1: until the context is full");
  flags.number("-c,--ctx-size", options.contextSize,
               "capacity of the KV cache in tokens; 0: the model's context");
  flags.toggle("--ignore-eos", options.ignoreEndOfText, true,
               "never choose the end-of-text token");
  flags
      .value(
          "-r,--reverse-prompt", "TEXT", "non-empty text",
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
          "random seed; -1: a different one every time")
      ->default_str("-1");
  flags.number("--temp", sampler.temperature,
               "temperature; 0 takes the most probable token");
  flags.number("--top-k", sampler.topK,
               "sample from the N most probable tokens; 0: all");
  flags.number(
      "--top-p", sampler.topP,
      "sample from the smallest set with this total probability; 1: all");
  flags.number(
      "--min-p", sampler.minP,
      "sample from tokens at least this times as probable as the best; 0: all");
  flags.number("--repeat-penalty", sampler.repeatPenalty,
               "penalty for repeated tokens; 1: off");
  flags.number(
      "--repeat-last-n", sampler.repeatLastN,
      "number of recent tokens that penalties consider; 0: none, -1: all");
  flags.number("--presence-penalty", sampler.presencePenalty,
               "subtracted from the logits of tokens that occurred before");
  flags.number("--frequency-penalty", sampler.frequencyPenalty,
               "subtracted for each occurrence of a token");
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
               "print the generated token ids on one line instead of text");
  flags.toggle("--no-display-prompt", options.displayPrompt, false,
               "print only the generated text");
  flags.path("--dump-logits", options.dumpLogits, "FILE",
             "write the logits at every position of the prompt, f32 [T, V], "
             "as .npy");
  flags.path("--trace", options.trace, "FILE",
             "write a Chrome trace of all kernel launches, for Perfetto");
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
      "JSON for each; TOKENS per sequence with DEPTH tokens in the cache. "
      "launch, with --function: measure one kernel");
  flags.number("--repetitions", options.repetitions,
               "number of measurements of each step");

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
          "with tune: time budget in seconds")
      ->default_str("120");
  flags.path("--out", options.records, "FILE",
             "with tune: file of records to write or extend");
  flags.path("--verify", options.verify, "FILE",
             "with tune: measure these records again");
  flags.path("--times", options.times, "FILE",
             "with tune: write every measured choice as a record");

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
        "2x2xf32=1,2,3,4, 2x2xf32=random:SEED or @x.npy; one per argument");
  texts("--output", "TENSOR", options.outputs,
        "shape of a result: 2x2xf32; with =@y.npy, the file to write; with "
        "=0, its initial contents; one per result");
  texts("--expected-output", "TENSOR", options.expectedOutputs,
        "values as for --input; a mismatch exits with code 5");
  texts("--param", "NAME=VALUE", options.parameters,
        "override a parameter of the kernel");
  flags.toggle("--list", options.list, true,
               "print the kernels of the file and their parameters");
  flags.value(
      "--grid", "BLOCKS", "numbers of blocks", text,
      [&](std::string grid) { options.grid = std::move(grid); },
      "grid of a kernel with 'grid launch' along x, y, z: 32x16");
  flags.toggle("--raw", options.raw, true,
               "--input and --output pass every parameter of such a kernel, as "
               "ptr:1024xf32=random:1 and i32=1024");
  flags.value(
      "--convention", "cutile", "cutile",
      [](std::string_view text) {
        return text == "cutile" ? std::optional(true) : std::nullopt;
      },
      [&](bool cutile) { options.cutile = cutile; },
      "--input and --output pass arrays: each becomes a pointer, its sizes and "
      "its strides; list:N is a list of the next N");
  flags.value(
      "--tolerance", "N", "a number, 0 or more,",
      [](std::string_view text) {
        const auto number = parseNumber<double>(text);
        return number && *number >= 0 ? number : std::nullopt;
      },
      [&](double value) { options.tolerance = value; },
      "allowed difference, relative for values above 1; default: 4 ulp of the "
      "type");

  flags.group("How to run it");
  flags
      .value(
          "--device", "cpu|cuda[:N]|reference",
          "cpu, cuda, cuda:N or reference", parseDevice,
          [&](DeviceChoice choice) { options.device = choice; },
          "device to run on: the CPU or a GPU; reference, the interpreter, "
          "needs --function")
      ->default_str("cpu, or the device of a .tgb");
  flags.toggle("--list-devices", options.listDevices, true,
               "print the devices of this machine");
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
               "how kernels are launched on a GPU; checked synchronizes after "
               "each, so that errors name the launch");
  flags.choice("--collectives", options.collectives,
               {{"auto", cuda::CollectiveLibrary::Auto},
                {"nccl", cuda::CollectiveLibrary::Nccl},
                {"peer", cuda::CollectiveLibrary::Peer},
                {"host", cuda::CollectiveLibrary::Host}},
               "collectives of ranks on GPUs: NCCL, peer memory on one host, "
               "or host memory (slow); auto measures the first two");
  flags
      .value(
          "--overlap-exchanges", "KIB", "a size in KiB up to 1000000,",
          [](std::string_view text) {
            const auto number = parseNumber<int64_t>(text);
            return number && *number >= 0 && *number <= 1000000 ? number
                                                                : std::nullopt;
          },
          [&](int64_t number) { options.overlapKib = number; },
          "overlap communication and computation by splitting a step's "
          "sequences in two halves, if a half all-reduces at least this much "
          "at once; 0: never")
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
          "number of ranks for tensor parallelism, each with its shard of the "
          "weights; starts them, unless torchrun or mpirun already did")
      ->default_str("1, or the number of ranks of the launcher");
  flags.number("-t,--threads", options.threads, "0: one for each CPU");
  flags.number("--parallel", options.parallel,
               "maximum number of prompts of equal length in a step; 0: one");
  flags.number(
      "-b,--batch-size", options.batchSize,
      "maximum number of tokens in a step; 0: 512 on a CPU, 1024 on a GPU");
  flags.choice("--dtype", options.dtype,
               {{"f32", Dtype::F32},
                {"tf32", Dtype::TF32},
                {"bf16", Dtype::BF16},
                {"f16", Dtype::F16}},
               "element type of the weights in memory; tf32: f32, multiplied "
               "in TF32 on GPUs");
  flags.choice("--logits", options.logits,
               {{"f32", bundle::ElementType::F32},
                {"bf16", bundle::ElementType::BF16},
                {"f16", bundle::ElementType::F16}},
               "element type of the logits at every position: f32 or that of "
               "the weights");
  flags.choice("--weights-layout", options.weightsLayout,
               {{"auto", runtime::WeightsLayout::Auto},
                {"conv1d", runtime::WeightsLayout::Conv1d},
                {"linear", runtime::WeightsLayout::Linear}},
               "how the checkpoint stores linear weights");
  flags.path(
      "--kernels", options.kernels, "DIR",
      "directory of kernels that override built-in ones of the same name");
  flags.choice<std::string>("--fuse-launches", options.fuseLaunches,
                            {{"all", "all"}, {"list", "list"}, {"off", "off"}},
                            "fuse a producer launch and its consumer where "
                            "profitable; list: only list possible fusions");
  flags.toggle("--explain-fusion", options.explainFusion, true,
               "print which launches were fused, which were not, and why");
  flags.path("--tuning", options.tuning, "FILE",
             "tuning records for this device (tilegpt-run tune), applied "
             "before those that ship with TileGPT; off: no records");
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
          "directory of the compilation cache; off: no cache")
      ->default_str("$TILEGPT_CACHE_DIR, else ~/.cache/tilegpt");
  flags
      .value(
          "--cache-size", "MB", "a size in MB up to 1000000,",
          [](std::string_view text) {
            const auto number = parseNumber<uint64_t>(text);
            return number && *number <= 1'000'000 ? number : std::nullopt;
          },
          [&](uint64_t size) { options.cacheMegabytes = size; },
          "maximum size of the cache; least recently used kernels are evicted")
      ->default_str("1074");
}
