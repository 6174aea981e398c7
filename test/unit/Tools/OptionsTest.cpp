// Valid and invalid command lines, with the exact messages.
#include "Flags/ParseOptions.h"
#include "ScopedVariable.h"
#include <fstream>
#include <gmock/gmock.h>

using namespace tilegpt;
using namespace tilegpt::run;
using testing::ElementsAre;
using testing::Optional;
using testing::Pair;

using Arguments = std::vector<const char *>;

static runtime::Result<std::optional<Options>> parse(Arguments arguments) {
  arguments.insert(arguments.begin(), "tilegpt-run");
  return parseOptions(int(arguments.size()), arguments.data());
}

static Options accepted(Arguments arguments) {
  auto options = parse(std::move(arguments));
  EXPECT_TRUE(options) << options.error().message;
  return options && *options ? **options : Options();
}

TEST(Options, DefaultsAreThoseOfLlamaCpp) {
  const Options options = accepted({"gpt2.mlir", "--weights", "w"});
  EXPECT_EQ(options.model, "gpt2.mlir");
  EXPECT_EQ(options.predict, -1);
  EXPECT_EQ(options.seed, std::nullopt);
  EXPECT_FLOAT_EQ(options.sampler.temperature, 0.8f);
  EXPECT_EQ(options.sampler.topK, 40);
  EXPECT_TRUE(options.displayPrompt);
  EXPECT_FALSE(options.hasPrompt());
}

TEST(Options, ProfileMeasuresStepsWithTheFlagsOfARun) {
  const Options options =
      accepted({"profile", "gpt2.mlir", "--weights", "w", "--json", "p.json"});
  EXPECT_TRUE(options.profile);
  EXPECT_EQ(options.model, "gpt2.mlir");
  EXPECT_EQ(options.json, "p.json");
  EXPECT_EQ(options.bench, parseBenchTests("prefill:64,decode:1@64"));
  EXPECT_EQ(
      accepted({"profile", "gpt2.mlir", "--weights", "w", "--bench", "score:8"})
          .bench,
      parseBenchTests("score:8"));
}

TEST(Options, ProfileSaysWhatItDoesNotMeasure) {
  const auto refused = [](Arguments arguments) {
    const auto options = parse(std::move(arguments));
    return options ? "" : options.error().message;
  };
  EXPECT_EQ(refused({"gpt2.mlir", "--weights", "w", "--json", "p.json"}),
            "--json needs profile: tilegpt-run profile MODEL --json p.json");
  EXPECT_EQ(refused({"profile", "k.mlir", "--function", "add"}),
            "profile measures the steps of a model; remove --function away");
  EXPECT_EQ(refused({"profile", "k.mlir", "--list"}),
            "profile measures the steps of a model; remove --list away");
  EXPECT_EQ(
      refused(
          {"profile", "m.mlir", "--weights", "w", "--dump-logits", "l.npy"}),
      "profile measures steps; --dump-logits has no effect on it, remove it");
  EXPECT_EQ(
      accepted({"profile", "m.mlir", "--weights", "w", "--tp", "2"}).ranks, 2u);
}

TEST(Options, TuneTakesABudgetAndAFile) {
  const Options options = accepted({"tune", "gpt2.mlir", "--weights", "w",
                                    "--budget", "2.5", "--out", "r.json"});
  EXPECT_TRUE(options.tune);
  EXPECT_EQ(options.budget, 2.5);
  EXPECT_EQ(options.records, "r.json");
  EXPECT_EQ(options.bench, parseBenchTests("prefill:64,decode:1@64"));
  EXPECT_EQ(accepted({"tune", "m.mlir", "--weights", "w", "--verify", "r.json"})
                .verify,
            "r.json");
}

TEST(Options, TuneSaysWhatItDoesNotTake) {
  const auto refused = [](Arguments arguments) {
    const auto options = parse(std::move(arguments));
    return options ? "" : options.error().message;
  };
  EXPECT_EQ(refused({"tune", "m.mlir", "--weights", "w"}),
            "tune: expected --out FILE, where to write records, or --verify "
            "FILE, which to measure again");
  EXPECT_EQ(refused({"tune", "m.mlir", "--weights", "w", "--out", "a",
                     "--verify", "b"}),
            "tune: expected --out FILE, where to write records, or --verify "
            "FILE, which to measure again");
  EXPECT_EQ(refused({"tune", "m.mlir", "--weights", "w", "--tp", "2", "--out",
                     "r.json"}),
            "tune measures one process; remove --tp");
  EXPECT_EQ(refused({"tune", "m.tgb", "--weights", "w", "--out", "a"}),
            "tune needs a model to compile (.mlir); 'm.tgb' is compiled "
            "already");
  EXPECT_EQ(refused({"tune", "m.mlir", "--weights", "w", "--out", "a",
                     "--repetitions", "3"}),
            "tune chooses its own number of rounds; --repetitions has no "
            "effect on it, remove it");
  EXPECT_EQ(refused({"tune", "m.mlir", "--weights", "w", "--budget", "0"}),
            "expected a number greater than 0, for --budget, got '0'");
  EXPECT_EQ(refused({"m.mlir", "--weights", "w", "--times", "a"}),
            "--times needs tune: tilegpt-run tune MODEL --times");
  EXPECT_EQ(refused({"tune", "l.mlir", "--verify", "a", "--times", "b"}),
            "--times has no effect on --verify, remove it");
  EXPECT_EQ(refused({"m.mlir", "--weights", "w", "--out", "a"}),
            "--out needs tune: tilegpt-run tune MODEL --out");
  EXPECT_EQ(refused({"m.tgb", "--weights", "w", "-p", "a", "--tuning", "r"}),
            "--tuning needs a model to compile (.mlir); 'm.tgb' is compiled "
            "already");
}

TEST(Options, TheKernelLevel) {
  const Options options = accepted(
      {"k.mlir", "--function", "add", "--input", "2xf32=1,2", "--input=f32",
       "--output", "@y.npy", "--expected_output=2xf32=1,2", "--param", "BM=4",
       "--tolerance", "1e-3", "--device", "reference"});
  EXPECT_EQ(options.function, "add");
  EXPECT_THAT(options.inputs, ElementsAre("2xf32=1,2", "f32"));
  EXPECT_THAT(options.outputs, ElementsAre("@y.npy"));
  EXPECT_THAT(options.expectedOutputs, ElementsAre("2xf32=1,2"));
  EXPECT_THAT(options.parameters, ElementsAre("BM=4"));
  EXPECT_THAT(options.tolerance, Optional(1e-3));
  EXPECT_EQ(options.device->kind, Device::Reference);
}

TEST(Options, EveryFlagReachesItsOption) {
  const Options options = accepted({"-m",
                                    "m.mlir",
                                    "--weights",
                                    "w",
                                    "-p",
                                    "Hi",
                                    "-n",
                                    "3",
                                    "-c",
                                    "128",
                                    "-s",
                                    "42",
                                    "--temp",
                                    "0",
                                    "--top-k",
                                    "5",
                                    "--top-p",
                                    "0.9",
                                    "--min-p",
                                    "0.1",
                                    "--repeat-penalty",
                                    "1.1",
                                    "--repeat-last-n",
                                    "-1",
                                    "--presence-penalty",
                                    "0.2",
                                    "--frequency-penalty",
                                    "0.3",
                                    "-l",
                                    "1+2",
                                    "-l",
                                    "3-inf",
                                    "-r",
                                    "END",
                                    "-r",
                                    "STOP",
                                    "--ignore-eos",
                                    "-e",
                                    "--print-ids",
                                    "--no-display-prompt",
                                    "--dump-logits",
                                    "l.npy",
                                    "--trace",
                                    "t.json",
                                    "-t",
                                    "2",
                                    "--device",
                                    "cpu",
                                    "--dtype",
                                    "bf16",
                                    "--logits",
                                    "bf16",
                                    "--save",
                                    "m.tgb",
                                    "--fuse-launches",
                                    "list",
                                    "--explain-fusion",
                                    "--kernels",
                                    "k",
                                    "--weights-layout",
                                    "linear"});
  EXPECT_EQ(options.model, "m.mlir");
  EXPECT_EQ(options.weights, "w");
  EXPECT_EQ(options.fuseLaunches, "list");
  EXPECT_TRUE(options.explainFusion);
  EXPECT_THAT(options.prompt, Optional(std::string("Hi")));
  EXPECT_EQ(options.predict, 3);
  EXPECT_EQ(options.contextSize, 128);
  EXPECT_THAT(options.seed, Optional(42u));
  EXPECT_EQ(options.sampler.temperature, 0);
  EXPECT_EQ(options.sampler.topK, 5);
  EXPECT_FLOAT_EQ(options.sampler.topP, 0.9f);
  EXPECT_FLOAT_EQ(options.sampler.minP, 0.1f);
  EXPECT_FLOAT_EQ(options.sampler.repeatPenalty, 1.1f);
  EXPECT_EQ(options.sampler.repeatLastN, -1);
  EXPECT_FLOAT_EQ(options.sampler.presencePenalty, 0.2f);
  EXPECT_FLOAT_EQ(options.sampler.frequencyPenalty, 0.3f);
  EXPECT_THAT(options.sampler.logitBias,
              ElementsAre(Pair(1, 2.0f), Pair(3, -INFINITY)));
  EXPECT_THAT(options.reversePrompts, ElementsAre("END", "STOP"));
  EXPECT_TRUE(options.ignoreEndOfText);
  EXPECT_TRUE(options.escape);
  EXPECT_TRUE(options.printIds);
  EXPECT_FALSE(options.displayPrompt);
  EXPECT_EQ(options.dumpLogits, "l.npy");
  EXPECT_EQ(options.trace, "t.json");
  EXPECT_EQ(options.threads, 2u);
  EXPECT_THAT(options.dtype, Optional(Dtype::BF16));
  EXPECT_THAT(options.logits, Optional(bundle::ElementType::BF16));
  EXPECT_EQ(options.save, "m.tgb");
  EXPECT_EQ(options.kernels, "k");
  EXPECT_EQ(options.weightsLayout, runtime::WeightsLayout::Linear);
}

TEST(Options, DevicesAreNamedWithOrWithoutTheirNumber) {
  const auto deviceOf = [](const char *device) {
    return accepted({"m.mlir", "--weights", "w", "--device", device}).device;
  };
  EXPECT_EQ(deviceOf("cpu")->kind, Device::Cpu);
  EXPECT_EQ(deviceOf("cuda")->kind, Device::Cuda);
  EXPECT_EQ(deviceOf("cuda")->ordinal, std::nullopt);
  EXPECT_EQ(deviceOf("cuda:3")->ordinal, 3);
  EXPECT_EQ(accepted({"m.mlir", "--weights", "w"}).device, std::nullopt);
  const Options gpu =
      accepted({"m.mlir", "--weights", "w", "--device", "cuda:1", "--arch",
                "sm_90a", "--cuda-launches", "checked", "--dtype", "tf32"});
  EXPECT_EQ(gpu.architecture, "sm_90a");
  EXPECT_EQ(gpu.cudaLaunches, cuda::LaunchMode::Checked);
  EXPECT_THAT(gpu.dtype, Optional(Dtype::TF32));
  EXPECT_EQ(weightType(*gpu.dtype), bundle::ElementType::F32);
  EXPECT_EQ(gpu.overlapKib, 2048);
  EXPECT_EQ(accepted({"m.mlir", "--weights", "w", "--device", "cuda", "--tp",
                      "2", "--overlap-exchanges", "0"})
                .overlapKib,
            0);
  EXPECT_TRUE(accepted({"--list-devices"}).listDevices);
  EXPECT_TRUE(accepted({"--list-models"}).listModels);
}

TEST(Options, MeasuringNeedsNoPrompt) {
  const Options options = accepted(
      {"m.mlir", "--random-weights", "1", "--bench", "score:8x2,decode:1@4",
       "--repetitions", "3", "--parallel", "2", "--batch-size", "16"});
  EXPECT_EQ(options.bench.size(), 2u);
  EXPECT_EQ(options.repetitions, 3u);
  EXPECT_EQ(options.parallel, 2u);
  EXPECT_EQ(options.batchSize, 16u);
  EXPECT_TRUE(options.runs());
}

TEST(Options, AFolderIsEnough) {
  const Options options =
      accepted({"--weights", "w/model.safetensors", "-p", "a",
                "--ignore-config", "router,b", "--configure", "layers=2"});
  EXPECT_TRUE(options.model.empty());
  EXPECT_EQ(options.configFile(), "w/config.json");
  EXPECT_THAT(options.ignoredKeys, ElementsAre("router", "b"));
  EXPECT_EQ(options.configure, "layers=2");
  EXPECT_TRUE(options.runs());
  // Sizes from a checkpoint together with random weights.
  EXPECT_TRUE(accepted({"--weights", "w", "--random-weights", "1", "-p", "a"})
                  .randomWeights);
}

TEST(Options, TheEnvironmentGivesDefaults) {
  const test::ScopedVariable model("TILEGPT_MODEL", "e.mlir"),
      weights("TILEGPT_WEIGHTS", "e");
  const Options options = accepted({"-p", "a"});
  EXPECT_EQ(options.model, "e.mlir");
  EXPECT_EQ(options.weights, "e");
  EXPECT_EQ(accepted({"m.mlir", "--weights", "w"}).model, "m.mlir");
  EXPECT_EQ(accepted({"m.mlir", "--weights", "w"}).weights, "w");
  EXPECT_TRUE(accepted({"k.mlir", "--function", "f"}).weights.empty());
  EXPECT_TRUE(accepted({"--random-weights", "1", "--bench", "score:8"})
                  .weights.empty());
}

TEST(Options, AFileGivesDefaults) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "tilegpt-options-test.toml";
  std::ofstream(path) << "temp = 0\nweights = \"w\"\nn-predict = 5\n";
  const std::string file = path.string();
  const Options options =
      accepted({"--config", file.c_str(), "m.mlir", "-n", "7"});
  EXPECT_EQ(options.sampler.temperature, 0);
  EXPECT_EQ(options.weights, "w");
  EXPECT_EQ(options.predict, 7);
  // Flags without effect are only rejected on the command line.
  accepted({"--config", file.c_str(), "m.mlir", "--bench", "score:8"});
  accepted({"--config", file.c_str(), "k.mlir", "--function", "f"});
  EXPECT_FALSE(parse({"m.mlir", "--bench", "score:8", "--temp", "0"}));
  std::ofstream(path) << "tempp = 0\n";
  const auto wrong = parse({"--config", file.c_str(), "m.mlir"});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, runtime::ErrorCode::Usage);
  EXPECT_THAT(wrong.error().message,
              testing::AllOf(testing::StartsWith("--config: "),
                             testing::HasSubstr("tempp")));
  std::filesystem::remove(path);
}

TEST(Options, UnderscoresAndDashesAreTheSame) {
  const Options options = accepted({"m.mlir", "--weights", "w", "--top_k", "3",
                                    "--n_predict=4", "--print_ids"});
  EXPECT_EQ(options.sampler.topK, 3);
  EXPECT_EQ(options.predict, 4);
  EXPECT_TRUE(options.printIds);
}

TEST(Options, ValuesKeepTheirUnderscores) {
  EXPECT_THAT(accepted({"m.mlir", "--weights", "w", "-p", "--a_b"}).prompt,
              Optional(std::string("--a_b")));
}

TEST(Options, TheLastOfSeveralCounts) {
  EXPECT_EQ(
      accepted({"m.mlir", "--weights", "w", "-n", "1", "-n", "2"}).predict, 2);
}

TEST(Options, IdsCanBeGivenInsteadOfText) {
  EXPECT_THAT(
      accepted({"m.mlir", "--weights", "w", "--tokens", "859,26"}).tokens,
      Optional(ElementsAre(859, 26)));
}

TEST(Options, HelpAndVersionAreAnsweredOnStdout) {
  testing::internal::CaptureStdout();
  EXPECT_FALSE(parse({"--version"})->has_value());
  EXPECT_FALSE(parse({"--help"})->has_value());
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_THAT(text, testing::StartsWith("tilegpt-run "));
  EXPECT_THAT(text, testing::HasSubstr("--top-k N=40 "));
}

TEST(Options, VerbsShowTheFlagsThatTheyTake) {
  const auto helpOf = [](const char *verb) {
    testing::internal::CaptureStdout();
    EXPECT_FALSE(parse({verb, "--help"})->has_value());
    return testing::internal::GetCapturedStdout();
  };
  using testing::HasSubstr, testing::Not;
  const std::string tune = helpOf("tune"), profile = helpOf("profile");
  EXPECT_THAT(tune, HasSubstr("tilegpt-run tune [OPTIONS]"));
  EXPECT_THAT(profile, HasSubstr("tilegpt-run profile [OPTIONS]"));
  for (const char *flag :
       {"--bench ", "--weights ", "--threads ", "--dtype ", "--ctx-size "})
    for (const std::string *text : {&tune, &profile})
      EXPECT_THAT(*text, HasSubstr(flag));
  for (const char *flag : {"--out ", "--verify ", "--budget ", "--times "}) {
    EXPECT_THAT(tune, HasSubstr(flag));
    EXPECT_THAT(profile, Not(HasSubstr(flag)));
  }
  for (const char *flag : {"--json ", "--repetitions ", "--trace "}) {
    EXPECT_THAT(profile, HasSubstr(flag));
    EXPECT_THAT(tune, Not(HasSubstr(flag)));
  }
  for (const char *flag : {"--top-k ", "--prompt ", "--function ", "--save "})
    for (const std::string *text : {&tune, &profile})
      EXPECT_THAT(*text, Not(HasSubstr(flag)));
}

namespace {

struct Wrong {
  Arguments arguments;
  const char *message;
};

class WrongOptions : public testing::TestWithParam<Wrong> {};

} // namespace

TEST_P(WrongOptions, AreReportedInOneLine) {
  const auto options = parse(GetParam().arguments);
  ASSERT_FALSE(options);
  EXPECT_EQ(options.error().code, runtime::ErrorCode::Usage);
  EXPECT_EQ(options.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    , WrongOptions,
    testing::Values(
        Wrong{
            {},
            "expected --weights DIR, the checkpoint to run, or a model (.mlir "
            "or .tgb); see --help"},
        Wrong{{"m.tgb", "--weights", "w", "--configure", "layers=1"},
              "--configure needs a model to compile (.mlir); 'm.tgb' is "
              "compiled already"},
        Wrong{{"m.mlir", "--save", "m.tgb", "--ignore-config", "a"},
              "--ignore-config needs --weights DIR, whose config.json has the "
              "keys"},
        Wrong{{"--config", "/none/file"},
              "--config: cannot read the file: /none/file was not readable "
              "(missing?)"},
        Wrong{{"/dev/null"},
              "expected a model with extension .mlir or .tgb, or the folder of "
              "a checkpoint, got '/dev/null'"},
        Wrong{{"m.mlir", "--tempp", "1"},
              "unknown flag '--tempp'; did you mean '--temp'?"},
        Wrong{{"m.mlir", "--min_pp=1"},
              "unknown flag '--min_pp'; did you mean '--min-p'?"},
        Wrong{{"m.mlir", "--nonsense"},
              "unknown flag '--nonsense'; see --help"},
        Wrong{{"m.mlir", "--max_new_tokens", "5"},
              "unknown flag '--max_new_tokens'; did you mean '--n-predict'?"},
        Wrong{{"m.mlir", "--temperature=1"},
              "unknown flag '--temperature'; did you mean '--temp'?"},
        Wrong{{"m.mlir", "-q"}, "unknown flag '-q'; see --help"},
        Wrong{{"m.mlir", "n.mlir"}, "unexpected argument 'n.mlir'; see --help"},
        Wrong{{"m.mlir", "--temp"}, "expected a value after '--temp'"},
        Wrong{{"m.mlir", "--temp", "warm"},
              "expected a number for --temp, got 'warm'"},
        Wrong{{"m.mlir", "-n", "1.5"},
              "expected an integer for --n-predict, got '1.5'"},
        Wrong{{"m.mlir", "-n", "-2"},
              "expected -1 or more for --n-predict, got -2"},
        Wrong{{"m.mlir", "-c", "-1"},
              "expected 0 or more for --ctx-size, got -1"},
        Wrong{{"m.mlir", "-t", "-1"},
              "expected a count, 0 or more, for --threads, got '-1'"},
        Wrong{{"m.mlir", "-s", "-2"},
              "expected an integer, -1 or more, for --seed, got '-2'"},
        Wrong{{"m.mlir", "--tokens", "1,x"},
              "expected token ids such as 859,26 for --tokens, got '1,x'"},
        Wrong{{"m.mlir", "-l", "7"},
              "expected ID+BIAS or ID-BIAS, such as 199-inf, for "
              "--logit-bias, got '7'"},
        Wrong{{"m.mlir", "-r", ""},
              "expected non-empty text for --reverse-prompt, got ''"},
        Wrong{{"m.mlir", "--logits", "tf32"},
              "expected one of f32|bf16|f16 for --logits, got 'tf32'"},
        Wrong{{"m.mlir", "--weights", "w", "--logits", "bf16"},
              "--logits bf16 needs --dtype bf16"},
        Wrong{
            {"m.mlir", "--weights", "w", "--dtype", "bf16", "--logits", "f16"},
            "--logits f16 needs --dtype f16"},
        Wrong{{"m.mlir", "--dtype", "int8"},
              "expected one of f32|tf32|bf16|f16 for --dtype, got 'int8'"},
        Wrong{{"m.mlir", "--device", "reference"},
              "--device reference needs --function, the kernel or function to "
              "run"},
        Wrong{{"m.mlir", "--input", "f32=1"},
              "--input, --output, --expected-output, --param, --grid, --raw, "
              "--convention, --tolerance and --bench launch need --function "
              "NAME"},
        Wrong{{"m.mlir", "--bench", "launch"},
              "--input, --output, --expected-output, --param, --grid, --raw, "
              "--convention, --tolerance and --bench launch need --function "
              "NAME"},
        Wrong{{"m.mlir", "--function", "add", "--bench", "decode:1"},
              "--function runs one kernel; --bench has no effect on it, remove "
              "it"},
        Wrong{{"m.mlir", "--function", "add", "--repetitions", "3"},
              "--function runs one kernel; --repetitions has no effect on it, "
              "remove it"},
        Wrong{{"m.mlir", "--function", "add", "--bench", "launch", "--device",
               "reference"},
              "--bench measures compiled kernels; --device reference is the "
              "interpreter"},
        Wrong{
            {"m.tgb", "--function", "add"},
            "--function runs one kernel of a .mlir file or of bytecode of CUDA "
            "Tile IR, got "
            "'m.tgb'"},
        Wrong{{"m.mlir", "--function", "add", "-t", "2"},
              "--function runs one kernel; --threads has no effect on it, "
              "remove it"},
        Wrong{{"m.mlir", "--function", "add", "--ignore-eos"},
              "--function runs one kernel; --ignore-eos has no effect on it, "
              "remove it"},
        Wrong{{"m.mlir", "--function", "add", "--tolerance", "1"},
              "--tolerance needs --expected-output, what to compare with"},
        Wrong{{"m.mlir", "--bench", "decode:2"},
              "expected launch, or KIND:TOKENS[xSEQUENCES][@DEPTH], KIND "
              "prefill, score or "
              "decode (one token), for --bench, got 'decode:2'"},
        Wrong{{"m.mlir", "--random-weights", "1", "--bench", "score:8", "-p",
               "a"},
              "--bench measures steps: it takes --tokens, but no text and no "
              "--perplexity"},
        Wrong{{"m.mlir", "--random-weights", "1", "--bench", "score:8",
               "--repetitions", "0"},
              "expected 1 or more for --repetitions, got 0"},
        Wrong{{"m.tgb", "--weights", "w", "--parallel", "2"},
              "--parallel and --batch-size need a model to compile (.mlir); "
              "'m.tgb' is compiled already"},
        Wrong{{"m.mlir", "--function", "add", "--tolerance", "-1"},
              "expected a number, 0 or more, for --tolerance, got '-1'"},
        Wrong{{"m.mlir", "--device", "tpu"},
              "expected cpu, cuda, cuda:N or reference for --device, got "
              "'tpu'"},
        Wrong{{"m.mlir", "--device", "cuda:-1"},
              "expected cpu, cuda, cuda:N or reference for --device, got "
              "'cuda:-1'"},
        Wrong{{"m.mlir", "--device", "cuda1"},
              "expected cpu, cuda, cuda:N or reference for --device, got "
              "'cuda1'"},
        Wrong{{"m.mlir", "--arch", "sm_80", "--save", "m.tgb"},
              "--arch needs a model to compile (.mlir) and --device cuda"},
        Wrong{{"m.tgb", "--weights", "w", "--dtype", "tf32"},
              "--dtype tf32 needs a model to compile (.mlir)"},
        Wrong{{"m.mlir", "--save", ""}, "expected a path for --save, got ''"},
        Wrong{{"m.mlir", "-p", "a", "--tokens", "1"},
              "expected one of --prompt, --file and --tokens, got several"},
        Wrong{{"m.mlir", "--random-weights", "1", "--tokens", "2"},
              "--random-weights comes without a tokenizer; pass --tokens and "
              "--print-ids"},
        Wrong{{"m.tgb", "--save", "n.tgb"},
              "--save needs a model to compile (.mlir); 'm.tgb' is compiled "
              "already"},
        Wrong{{"m.tgb", "--fuse-launches", "off"},
              "--fuse-launches needs a model to compile (.mlir); 'm.tgb' is "
              "compiled already"},
        Wrong{{"m.tgb", "--explain-fusion"},
              "--explain-fusion needs a model to compile (.mlir); 'm.tgb' is "
              "compiled already"},
        Wrong{{"m.mlir", "--fuse-launches", "some"},
              "expected one of all|list|off for --fuse-launches, got 'some'"},
        Wrong{{"m.tgb", "--kernels", "k"},
              "--kernels needs a model to compile (.mlir); the kernels of "
              "'m.tgb' are compiled already"},
        Wrong{{"m.mlir", "--weights", "w", "--perplexity"},
              "--perplexity needs a text: --file, --prompt or --tokens"},
        Wrong{
            {"m.mlir", "--weights", "w", "-p", "a", "--perplexity", "-n", "3"},
            "--perplexity measures a text; --n-predict has no effect on it, "
            "remove it"},
        Wrong{{"m.mlir", "--weights", "w", "-p", "a", "--perplexity", "--temp",
               "1"},
              "--perplexity measures a text; --temp has no effect on it, "
              "remove it"},
        Wrong{{"m.mlir", "--weights", "w", "-p", "a", "--perplexity",
               "--dump-logits", "l.npy"},
              "--perplexity measures a text; --dump-logits has no effect on "
              "it, remove it"},
        Wrong{{"m.mlir", "--random-weights", "1", "--bench", "score:8",
               "--top-k", "3"},
              "--bench measures steps; --top-k has no effect on it, remove it"},
        Wrong{{"m.mlir", "--save", "m.tgb", "--trace", "t.json"},
              "--save without a prompt compiles and runs nothing; --trace has "
              "no effect on it, remove it"},
        Wrong{{"m.mlir", "--weights", "w", "--tokens", "1", "-e"},
              "--tokens are ids; --escape has no effect on it, remove it"},
        Wrong{{"m.mlir", "--weights", "w", "-p", "a", "--repetitions", "3"},
              "nothing is measured; --repetitions has no effect on it, remove "
              "it"},
        Wrong{{"m.mlir", "--weights", "w", "-p", "a", "--parallel", "3"},
              "only one prompt is run; --parallel has no effect on it, remove "
              "it"},
        Wrong{{"m.mlir", "--random-weights", "1", "--bench", "score:8",
               "--weights-layout", "linear"},
              "no checkpoint is read; --weights-layout has no effect on it, "
              "remove it"},
        Wrong{
            {"m.mlir", "--weights", "w", "-p", "a", "--cuda-launches", "plain"},
            "the CPU runs the model; --cuda-launches has no effect on it, "
            "remove it"},
        Wrong{{"m.mlir", "--weights", "w", "-p", "a", "-t", "40000"},
              "expected at most 4096 for --threads, got 40000"},
        Wrong{{"m.tgb", "--weights", "w", "--cache-dir", "c"},
              "--cache-dir needs a model to compile (.mlir); 'm.tgb' is "
              "compiled already"},
        Wrong{{"m.mlir", "--function", "add", "--cache-dir", "c"},
              "--function runs one kernel; --cache-dir has no effect on it, "
              "remove it"},
        Wrong{{"m.mlir", "--random-weights", "1", "--bench",
               "prefill:9999999999"},
              "expected launch, or KIND:TOKENS[xSEQUENCES][@DEPTH], KIND "
              "prefill, score "
              "or decode (one token), for --bench, got 'prefill:9999999999'"}));
