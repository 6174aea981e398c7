// What compiling a model may be asked for.
#ifndef TILEGPT_COMPILER_COMPILEOPTIONS_H
#define TILEGPT_COMPILER_COMPILEOPTIONS_H

#include "TileGPT/Bundle/Format.h"
#include "TileGPT/Runtime/Error.h"
#include "TileGPT/Runtime/Tuning/Candidates.h"
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::compiler {

/// A GPU to compile for.
struct GpuModel {
  /// "sm_90a"; target::GpuTarget::find() knows all.
  std::string architecture = "sm_90a";
  /// Of the device, which launches should fill.
  int64_t multiprocessors = 132;
};

/// Steps that a run takes: a text of `rows` tokens, in as many steps as it
/// needs, or one step of `rows` rows for several sequences.
struct NeededSteps {
  bundle::PlanKind kind = bundle::PlanKind::Decode;
  int64_t rows = 1;
  int64_t sequences = 1;
};

/// A weight that a model reads.
struct NeededWeight {
  std::string name;
  bundle::ElementType type = bundle::ElementType::F32;
  std::vector<int64_t> shape;
};

struct CompileOptions {
  /// Settings that replace those of the model's text, as `--configure` spells
  /// them: "layers=6 rope_theta=1e6".
  std::string settings;
  /// Element type of matrices: F32, BF16 or F16. Vectors stay F32.
  bundle::ElementType weightType = bundle::ElementType::F32;
  /// Element type of the logits of score steps: F32, BF16 or F16. All others
  /// are F32, as tokens are chosen by them.
  bundle::ElementType logitType = bundle::ElementType::F32;
  /// Products of f32 tiles may round their operands to tf32.
  bool tf32 = false;
  /// What becomes of launches of which one reads what another makes: "all",
  /// "off", or "list", which only has remarks say what may be fused.
  std::string fusion = "all";
  /// S, tokens the KV cache holds for a sequence; 0 takes the model's context.
  int64_t capacity = 0;
  /// Largest N of a prefill or score step; longer prompts run in several steps.
  int64_t stepRows = 512;
  /// Largest B of a decode step.
  int64_t sequences = 16;
  /// Largest B of a prefill or score step: a batch of prompts of one length.
  int64_t promptSequences = 1;
  /// Ranks that will run the model together, each on its part of the weights
  /// (`--gpt-shard`).
  int64_t ranks = 1;
  /// Compiles only the plans these steps run, and the one that appends a token
  /// to a sequence; nothing compiles all plans.
  std::optional<std::vector<NeededSteps>> needed;
  /// Folder of `.mlir` kernels that override the built-in library by name;
  /// empty for none.
  std::string kernels;
  /// "native", or a processor LLVM knows ("x86-64-v3").
  std::string cpu = "native";
  /// Compiles for a GPU instead; nothing compiles for the host. Kernels come
  /// from the kernel cache or go there (docs/GpuImages.md), and hand each other
  /// activations in `weightType`.
  std::optional<GpuModel> gpu;
  /// File of records of tuning that launches take parameters from, where it is
  /// for this device; empty for none. What cannot be applied is a warning.
  std::string records;
  /// Whether launches that the file has no record for take those that come with
  /// TileGPT for this device.
  bool shippedRecords = true;
  /// What records are for beside the target: the threads that will run the
  /// model, or the name of the GPU; empty takes the device whose model the
  /// tiles are chosen by.
  int64_t lanes = 1;
  std::string gpuName;
  /// Told the device and the launches of all plans that have parameters to
  /// choose, plan after plan and in their order.
  std::function<void(const runtime::TuningDevice &,
                     const std::vector<runtime::TunableLaunch> &)>
      tunable;
  /// Folder of the cache of compiled kernels; "off" compiles all of them anew,
  /// empty takes the default (docs/Running.md).
  std::string cacheFolder;
  /// Bytes the cache holds at most when the compilation is over; nothing takes
  /// the default.
  std::optional<uint64_t> cacheBytes;
  /// Threads that compile; 0 takes every CPU.
  unsigned threads = 0;
  /// Folder that receives the IR after every phase, as `NN-phase.mlir`; empty
  /// for none.
  std::string dumpPhasesTo;
  /// Told what the model reads before its kernels are compiled; an error ends
  /// the compilation.
  std::function<runtime::Result<void>(const std::vector<NeededWeight> &)>
      checkWeights;
  /// Told the kernels with their sizes bound, as text.
  std::function<void(std::string_view)> specialized;
  /// Told what passes decided: the kernel, empty for a decision about launches,
  /// and the remark. Kernels of the cache say nothing.
  std::function<void(std::string_view kernel, std::string_view remark)> remark;
  /// Told what is being done ("compiling kernels"), for a progress line.
  std::function<void(std::string_view)> progress;
  /// Told what will be slow or could not be kept, one sentence a call.
  std::function<void(std::string_view)> warn;
};

/// The plans of a model whose cache holds `capacity` tokens, as
/// `--gpt-make-plans` spells them: all of them, or those that the needed steps
/// run.
std::vector<std::string> plansOf(const CompileOptions &options,
                                 int64_t capacity);

/// A cache so large that every step fits. Options that give the same plans for
/// it give the same for the cache of any model, if their steps fit into that.
inline constexpr int64_t anyCapacity = int64_t(1) << 40;

/// Whether a cache that holds `capacity` tokens has room for the needed steps.
bool stepsFit(const CompileOptions &options, int64_t capacity);

} // namespace tilegpt::compiler

#endif
