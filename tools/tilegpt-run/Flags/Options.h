// The parsed command line of tilegpt-run, validated as far as possible without
// opening files.
#ifndef TILEGPT_TOOLS_RUN_OPTIONS_H
#define TILEGPT_TOOLS_RUN_OPTIONS_H

#include "Flags/FlagValues.h"
#include "TileGPT/Bundle/ElementType.h"
#include "TileGPT/Runtime/Cuda/Executor.h"
#include "TileGPT/Runtime/Model/Sampler.h"
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilegpt::run {

enum class Device { Cpu, Cuda, Reference };

/// The value of --device.
struct DeviceChoice {
  Device kind = Device::Cpu;
  std::optional<int> ordinal =
      std::nullopt; ///< of a GPU; unset: the first, or the rank's
};

/// The storage type and arithmetic of weights.
enum class Dtype { F32, TF32, BF16, F16 };

/// The element type of weights in memory; tf32 is an arithmetic for f32.
constexpr bundle::ElementType weightType(Dtype dtype) {
  return dtype == Dtype::BF16  ? bundle::ElementType::BF16
         : dtype == Dtype::F16 ? bundle::ElementType::F16
                               : bundle::ElementType::F32;
}

/// Paths are empty where the flag is absent.
struct Options {
  /// .mlir or .tgb; empty: the built-in text for the checkpoint's config.json.
  std::filesystem::path model;
  std::filesystem::path weights; ///< checkpoint: a folder or a safetensors file
  std::optional<uint64_t> randomWeights; ///< seed, instead of the tensors
  std::string configure;                 ///< settings of the model, NAME=VALUE
  /// Keys of config.json to ignore.
  std::vector<std::string> ignoredKeys;

  std::optional<std::string> prompt;
  std::filesystem::path promptFile;           ///< "-": standard input
  std::optional<std::vector<int32_t>> tokens; ///< instead of a prompt
  bool escape = false;
  bool chat = false;                 ///< the prompt is a message; none: a talk
  std::optional<std::string> system; ///< message before a chat

  int64_t predict = -1;    ///< -1: until the context is full
  int64_t contextSize = 0; ///< S; 0: the model's
  bool ignoreEndOfText = false;
  std::vector<std::string> reversePrompts;
  runtime::SamplerOptions sampler;
  std::optional<uint64_t> seed; ///< unset: another one every time

  unsigned parallel = 0;  ///< prompts a step takes at most; 0: one
  unsigned batchSize = 0; ///< rows a step takes at most; 0: the device's choice

  std::vector<BenchTest> bench;  ///< steps to measure, instead of a text
  bool benchLaunch = false;      ///< measure launches of one kernel instead
  unsigned repetitions = 20;     ///< of each
  bool profile = false;          ///< they are measured launch by launch
  std::filesystem::path json;    ///< of a profile
  bool tune = false;             ///< they are tuned
  double budget = 120;           ///< seconds
  std::filesystem::path records; ///< written by tuning
  std::filesystem::path verify;  ///< records to measure again, instead
  std::filesystem::path times;   ///< everything that was measured

  bool printIds = false;
  bool displayPrompt = true;
  bool perplexity = false;
  std::filesystem::path dumpLogits; ///< .npy
  std::filesystem::path trace;      ///< Chrome trace, JSON

  // The kernel level; all but `function` and `tolerance` as compiler's
  // KernelCommand reads them.
  std::string function; ///< empty: run the model
  std::vector<std::string> inputs, outputs, expectedOutputs, parameters;
  std::vector<bool> areOutputs; ///< of inputs and outputs, in their order
  std::string grid;
  bool raw = false;    ///< one input per parameter
  bool cutile = false; ///< arrays as cuTile passes them
  bool list = false;   ///< the kernels of the file, and do nothing else
  std::optional<double> tolerance;

  bool listDevices = false;           ///< and do nothing else
  bool listModels = false;            ///< and do nothing else
  std::optional<DeviceChoice> device; ///< unset: the CPU, or the bundle's
  std::string architecture; ///< of the GPU to compile for; empty: the device's
  cuda::LaunchMode cudaLaunches = cuda::LaunchMode::Graphs;
  /// The implementation of collectives between GPUs.
  cuda::CollectiveLibrary collectives = cuda::CollectiveLibrary::Auto;
  /// The minimum size at which halves of a step alternate computation and
  /// collectives; 0: never. Two H200s sum 3.2 MB in 17 to 33 µs, in which 10
  /// kernels of a layer start twice.
  int64_t overlapKib = 2048;
  unsigned ranks = 0;   ///< that share the model; 0: one, or the launcher's
  unsigned threads = 0; ///< 0: every CPU this process may run on
  std::optional<Dtype> dtype; ///< unset: F32, or the bundle's
  /// Of every row, for --perplexity, --dump-logits and --bench score; unset:
  /// F32, or the bundle's.
  std::optional<bundle::ElementType> logits;
  runtime::WeightsLayout weightsLayout = runtime::WeightsLayout::Auto;
  std::string fuseLaunches = "all"; ///< or "list", or "off"
  bool explainFusion = false;
  std::filesystem::path tuning;  ///< records of tuning to apply
  std::filesystem::path kernels; ///< folder that overrides the built-in library
  std::filesystem::path save;    ///< .tgb
  std::optional<uint64_t> cacheMegabytes; ///< unset: the default
  std::string cacheFolder; ///< "off" for none; empty: the default

  /// The folder of the checkpoint's files.
  std::filesystem::path weightsFolder() const {
    std::error_code ignored;
    return is_directory(weights, ignored) ? weights : weights.parent_path();
  }
  std::filesystem::path configFile() const {
    return weightsFolder() / "config.json";
  }
  bool usesGpu() const { return device && device->kind == Device::Cuda; }
  /// What there is is listed, and nothing runs.
  bool listsOnly() const { return listDevices || listModels; }
  /// A kernel file is inspected or one of its kernels runs; there is no model.
  bool runsKernel() const { return list || !function.empty(); }
  bool hasWeights() const { return !weights.empty() || randomWeights; }
  /// Messages are read from standard input, line by line.
  bool talks() const { return chat && !hasPrompt(); }
  bool hasPrompt() const {
    return prompt || !promptFile.empty() || tokens.has_value();
  }
  /// The model runs; with --save and no prompt it is only compiled, and with
  /// --function there is none.
  bool runs() const {
    return !runsKernel() && (hasPrompt() || !bench.empty() || save.empty());
  }
};

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_OPTIONS_H
