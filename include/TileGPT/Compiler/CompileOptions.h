// Options for compiling a model.
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

/// A target GPU.
struct GpuModel {
  /// "sm_90a"; see target::GpuTarget::find().
  std::string architecture = "sm_90a";
  /// Number of multiprocessors, for choosing launch sizes.
  int64_t multiprocessors = 132;
};

/// Steps that a run needs: a text of `rows` tokens, in as many steps as
/// necessary, or one step of `rows` rows for several sequences.
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
  /// Settings that override those of the model's text, in the format of
  /// `--configure`: "layers=6 rope_theta=1e6".
  std::string settings;
  /// Element type of matrices: F32, BF16 or F16. Vectors stay F32.
  bundle::ElementType weightType = bundle::ElementType::F32;
  /// Element type of the logits of score steps: F32, BF16 or F16. All others
  /// are F32, since they are used for sampling.
  bundle::ElementType logitType = bundle::ElementType::F32;
  /// Whether f32 dots may round their operands to TF32.
  bool tf32 = false;
  /// Launch fusion: "all", "off", or "list", which only emits remarks about
  /// possible fusions.
  std::string fusion = "all";
  /// S, capacity of the KV cache in tokens per sequence; 0 means the model's
  /// context.
  int64_t capacity = 0;
  /// Largest N of a prefill or score step; longer prompts run in several steps.
  int64_t stepRows = 512;
  /// Largest B of a decode step.
  int64_t sequences = 16;
  /// Largest B of a prefill or score step: a batch of prompts of one length.
  int64_t promptSequences = 1;
  /// Number of ranks for tensor parallelism (`--gpt-shard`).
  int64_t ranks = 1;
  /// Compiles only the plans of these steps, and the one that appends a token
  /// to a sequence; nothing compiles all plans.
  std::optional<std::vector<NeededSteps>> needed;
  /// Directory of `.mlir` kernels that override the built-in library by name;
  /// empty for none.
  std::string kernels;
  /// "native", or a processor supported by LLVM ("x86-64-v3").
  std::string cpu = "native";
  /// Compiles for a GPU; nothing compiles for the host. GPU kernels use the
  /// kernel cache (docs/GpuImages.md) and pass activations in `weightType`.
  std::optional<GpuModel> gpu;
  /// File of tuning records, applied if it is for this device; empty for none.
  /// Records that cannot be applied are warnings.
  std::string records;
  /// Whether launches without a record in the file use the records that ship
  /// with TileGPT for this device.
  bool shippedRecords = true;
  /// The device of records besides the target: the number of threads that will
  /// run the model, or the name of the GPU; empty means the device of the cost
  /// model.
  int64_t lanes = 1;
  std::string gpuName;
  /// Number of host threads that will run the model, for which tiles are
  /// chosen; 0: not known.
  unsigned hostThreads = 0;
  /// Receives what tuning may change.
  std::function<void(const runtime::TunableModel &)> tunable;
  /// Directory of the compilation cache; "off" disables it, empty means the
  /// default (docs/Running.md).
  std::string cacheFolder;
  /// Maximum size of the cache in bytes after the compilation; nothing means
  /// the default.
  std::optional<uint64_t> cacheBytes;
  /// Number of compilation threads; 0 uses every CPU.
  unsigned threads = 0;
  /// Directory for the IR after every phase, as `NN-phase.mlir`; empty for
  /// none.
  std::string dumpPhasesTo;
  /// Receives the weights of the model before its kernels are compiled; an
  /// error aborts the compilation.
  std::function<runtime::Result<void>(const std::vector<NeededWeight> &)>
      checkWeights;
  /// Receives the specialized kernels, as text.
  std::function<void(std::string_view)> specialized;
  /// Receives optimization remarks: the kernel (empty for decisions about
  /// launches) and the text. Cached kernels have none.
  std::function<void(std::string_view kernel, std::string_view remark)> remark;
  /// Receives the current activity ("compiling kernels"), for a progress line.
  std::function<void(std::string_view)> progress;
  /// Receives performance and cache warnings, one sentence per call.
  std::function<void(std::string_view)> warn;
};

/// The plans of a model whose cache holds `capacity` tokens, in the format of
/// `--gpt-make-plans`: all of them, or those of the needed steps.
/// \param ends  where plans are cut in addition.
std::vector<std::string>
plansOf(const CompileOptions &options, int64_t capacity,
        const std::vector<runtime::PlanEnd> &ends = {});

/// A capacity at which every step fits. Options with the same plans for it have
/// the same plans for the cache of any model, if their steps fit.
inline constexpr int64_t anyCapacity = int64_t(1) << 40;

/// Whether a cache of `capacity` tokens has room for the needed steps.
bool stepsFit(const CompileOptions &options, int64_t capacity);

} // namespace tilegpt::compiler

#endif
