// Decoding a model of random weights beside the bandwidth of memory, the time
// to compile it, and the time from a bundle on disk to the first kernel.
#include "Bandwidth.h"
#include "Report.h"
#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Compiler/CompileModel.h"
#include "TileGPT/Runtime/Model/Session.h"
#include "TileGPT/Runtime/Weights/RandomWeights.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <unistd.h>

using namespace tilegpt;
using bundle::ElementType;

namespace {

template <typename T>
T valueOf(runtime::Result<T> result) {
  if (!result)
    throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>)
    return std::move(*result);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + long(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The moment the first launch began.
class FirstLaunch : public runtime::LaunchObserver {
public:
  void launched(const bundle::Launch &, int64_t, Clock::time_point begin,
                Clock::time_point) override {
    if (!seen)
      at = begin;
    seen = true;
  }
  bool seen = false;
  Clock::time_point at;
};

struct Options {
  std::string model = TILEGPT_SOURCE_DIR "/models/gpt2.mlir";
  std::vector<std::string> types = {"f32", "bf16"};
  std::vector<unsigned> threads;
  int64_t promptTokens = 16, newTokens = 96;
  std::string json;
};

/// Tokens decoded between two measurements of the memory, one behind the other
/// as in generating text. The first is not timed: it wakes the threads.
constexpr int64_t tokensInTurn = 3;

class ModelBenchmark {
public:
  ModelBenchmark(const Options &options, bench::Report &report)
      : options(options), report(report) {}

  void run(ElementType type) {
    const bundle::Bundle compiled = compile(type);
    const auto weights = runtime::randomWeights(/*seed=*/1);
    start(compiled, *weights);
    for (unsigned threads : options.threads)
      decode(compiled, *weights, threads);
  }

private:
  bundle::Bundle compile(ElementType type) {
    compiler::CompileOptions compileOptions;
    compileOptions.weightType = type;
    compileOptions.cacheFolder = "off";
    const double begin = bench::now();
    auto image = valueOf(compiler::compileModel(options.model, compileOptions));
    const double seconds = bench::now() - begin;
    bundle::Bundle result =
        valueOf(bundle::Bundle::fromBytes(std::move(image)));
    report.add("compile a whole model, nothing cached",
               {{"weights", bundle::name(type)},
                {"kernels", result.kernels().size()},
                {"seconds", seconds},
                {"bundle KB", double(result.bytes().size()) / 1e3}});
    return result;
  }

  /// From the path of a bundle to its first kernel; weights are in memory.
  void start(const bundle::Bundle &compiled, runtime::WeightProvider &weights) {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() /
        ("bench-" + std::to_string(::getpid()) + ".tgb");
    valueOf(bundle::save(compiled.bytes(), path));
    // Makes the weights, which a checkpoint would have.
    valueOf(runtime::Session::create(compiled, weights, {}));
    FirstLaunch first;
    const auto begin = FirstLaunch::Clock::now();
    const bundle::Bundle opened = valueOf(bundle::Bundle::open(path));
    auto session = valueOf(runtime::Session::create(opened, weights, {}));
    session.setObserver(&first);
    const int32_t token = 0;
    valueOf(session.prefill(0, {&token, 1}));
    std::filesystem::remove(path);
    report.add("start from a bundle on disk, weights in memory",
               {{"weights", bundle::name(compiled.model().weightType)},
                {"seconds to the first kernel",
                 std::chrono::duration<double>(first.at - begin).count()}});
  }

  void decode(const bundle::Bundle &compiled, runtime::WeightProvider &weights,
              unsigned threads) {
    const bench::FirstCpus cpus(threads);
    runtime::SessionOptions sessionOptions;
    sessionOptions.threads = threads;
    auto session =
        valueOf(runtime::Session::create(compiled, weights, sessionOptions));
    std::vector<int32_t> prompt(size_t(options.promptTokens));
    for (size_t i = 0; i < prompt.size(); ++i)
      prompt[i] = int32_t(i * 7919 % size_t(session.vocabulary()));
    const double begin = bench::now();
    valueOf(session.prefill(0, prompt));
    const double prefilled = bench::now();
    // In turns: what a machine reads may change from one moment to the next.
    cpu::ThreadPool pool(threads);
    std::vector<double> steps, reads = {memory.gbPerSec(pool)}, shares;
    for (int64_t i = 0; i < options.newTokens; i += tokensInTurn) {
      double turnBegin = 0;
      for (int64_t j = 0; j < tokensInTurn; ++j) {
        if (j == 1)
          turnBegin = bench::now();
        const runtime::SequenceToken token{0, int32_t((i + j) * 101 % 1000)};
        valueOf(session.decode({&token, 1}));
      }
      steps.push_back((bench::now() - turnBegin) / (tokensInTurn - 1));
      reads.push_back(memory.gbPerSec(pool));
      const double read = (reads.end()[-2] + reads.back()) / 2;
      shares.push_back(double(session.weightBytes()) / steps.back() / 1e9 /
                       read);
    }
    const double step = median(steps);
    const double gbPerSec = double(session.weightBytes()) / step / 1e9;
    report.add("decode, one sequence",
               {{"weights", bundle::name(compiled.model().weightType)},
                {"threads", threads},
                {"prefill tok/s", double(prompt.size()) / (prefilled - begin)},
                {"decode tok/s", 1 / step},
                {"ms per token", step * 1e3},
                {"GB/s", gbPerSec},
                {"read GB/s", median(reads)},
                {"of bound", median(shares)}});
  }

  const Options &options;
  bench::Report &report;
  bench::MemoryReader memory;
};

} // namespace

int main(int argc, char **argv) try {
  Options options;
  CLI::App app("Decoding, compiling and starting a model on the CPU");
  app.add_option("--model", options.model, "a model in .mlir");
  app.add_option("--types", options.types, "f32, bf16, f16")->delimiter(',');
  app.add_option("--threads", options.threads, "1,2,…")->delimiter(',');
  app.add_option("--prompt", options.promptTokens, "tokens of the prompt");
  app.add_option("-n", options.newTokens,
                 "tokens to decode, in turns of three");
  app.add_option("--json", options.json, "file for the results");
  CLI11_PARSE(app, argc, argv);
  if (options.threads.empty())
    for (unsigned threads = 1; threads <= cpu::ThreadPool().threads();
         threads *= 2)
      options.threads.push_back(threads);

  bench::Report report;
  ModelBenchmark benchmark(options, report);
  for (const std::string &type : options.types) {
    const auto elementType = bundle::parseElementType(type);
    if (!elementType)
      throw std::runtime_error("--types: unknown type " + type);
    benchmark.run(*elementType);
  }
  if (!options.json.empty())
    report.save(options.json);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "bench-cpu-model: error: %s\n", error.what());
  return 1;
}
