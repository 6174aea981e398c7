// The phases of compilation, from a model or kernels in `.mlir` to functions in
// the LLVM dialect, and the passes of each.
#ifndef TILEGPT_PIPELINES_PHASES_H
#define TILEGPT_PIPELINES_PHASES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilegpt {

/// The IR after a phase. A module of kernels without a model passes the first
/// two unchanged. After `Specialized` the pipeline branches: four phases for
/// the host, four for a GPU.
enum class Phase {
  Tile,     ///< CUDA Tile IR converted to kernels, facts about arguments added;
            ///< skipped for modules without either
  Graph,    ///< `gpt` ops: sizes set, one function per plan, layers unrolled,
            ///< fused
  Launches, ///< `tile.launch` of library kernels
  Specialized, ///< … of instances with static tiles

  Linalg,     ///< host functions: linalg ops on tensors
  Bufferized, ///< … on allocated buffers
  Vector,     ///< … as loops over vectors
  LLVM,       ///< entry points in the LLVM dialect

  Planned, ///< GPU kernels that say how they run
  Layouts, ///< … whose tiles have layouts and whose buffers have a place
  Threads, ///< … as the code of one thread
  NVVM,    ///< kernels in the LLVM and NVVM dialects
};

/// The branches of the pipeline.
enum class Branch { Host, Gpu };

/// The phases of a branch, in order.
llvm::ArrayRef<Phase> phasesOf(Branch branch);

/// The name in `--compile-to`.
llvm::StringRef nameOf(Phase phase);

/// The names of a branch's phases, for a message: "graph, launches, …".
std::string phaseList(Branch branch);

/// The phase of this name, or nothing.
std::optional<Phase> parsePhase(llvm::StringRef name);

struct PhaseOptions {
  /// Options of `--gpt-configure`, e.g. "layers=6 heads=4"; empty keeps the
  /// model's sizes.
  std::string configure;
  /// Plans in the format of `--gpt-make-plans`: "decode:1-1"; empty keeps the
  /// existing functions.
  std::vector<std::string> plans;
  /// Maximum B of a prefill or score step.
  int64_t sequences = 1;
  /// Number of ranks for tensor parallelism.
  int64_t ranks = 1;
  /// Element type of weight matrices: "f32", "bf16" or "f16".
  std::string weights = "f32";
  /// Element type of matmul inputs and of the KV cache; the residual stream is
  /// f32.
  std::string activations = "f32";
  /// Element type of the logits of plans that score.
  std::string logits = "f32";
  /// Whether f32 dots may round their operands to TF32.
  bool tf32 = false;
  /// Whether f8 dots may accumulate with reduced precision: `precision(fast)`.
  bool fastF8 = false;
  /// Whether to compute exactly what the kernels say, up to the order of sums:
  /// fused launches round to the type of the intermediate tensor, and GPU
  /// passes that relax precision are disabled.
  bool exact = false;
  /// What becomes of launches of which one reads what another makes: "off",
  /// "list" (remarks say what could be fused), or "all".
  std::string fusion = "all";
  /// Whether functions say in `tile.fusions` what was decided.
  bool showsFusions = false;
  /// Whether remarks report which launches were fused, which were not, and why.
  bool explainFusion = false;
  /// Whether a launch of few blocks on a host may be split into two, one for
  /// parts of a loop and one that combines them; never with `exact`.
  bool splitLoops = true;
  /// S, capacity of the KV cache in tokens per sequence; 0 means the model's
  /// context.
  int64_t capacity = 0;
  /// Directory of kernels that override the built-in library by name; empty for
  /// none.
  std::string kernels;
  /// File of tuning records, and the device of the launches in the format of
  /// `--tile-apply-records`; empty for none.
  std::string records, recordDevice;
  /// The device whose shipped records apply if the file has none; empty for
  /// none.
  std::string shippedRecords;
  /// The host's vector registers.
  unsigned vectorBits = 512, vectorRegisters = 32;
  /// Bytes of the second-level cache of one of its cores.
  uint64_t l2Bytes = 1 << 20;
  /// Threads of the host that will run the kernels; 0: not known.
  unsigned hostThreads = 0;
  /// Rows of a matrix the host reads at once at the speed of memory.
  unsigned rowStreams = 4;
  /// Target NVIDIA architecture: "sm_90a". Empty for the host.
  std::string gpu;
  /// Assumptions about all launches of raw kernels, in the format of
  /// `--tile-assume-arguments`: "16", "3:8", "5=1".
  std::vector<std::string> assume;
  /// Whether raw kernels get versions for aligned arguments, as
  /// `--tile-gpu-version-kernels` makes them.
  bool versions = false;
  /// Multiprocessors of that GPU.
  int64_t multiprocessors = 132;

  /// Has a model compiled for a GPU, as it runs there: kernels hand each other
  /// the type of the weights.
  void compileForGpu(std::string architecture) {
    gpu = std::move(architecture);
    activations = weights;
  }

  Branch branch() const { return gpu.empty() ? Branch::Host : Branch::Gpu; }
};

/// Runs the passes of one phase on a module that has been through the previous
/// phases. GPU phases first split it (DeviceModules.h) and run on several
/// device modules in parallel.
mlir::LogicalResult runPhase(mlir::ModuleOp module, Phase phase,
                             const PhaseOptions &options);

/// Adds the passes that choose the open parameters of launches for the target
/// of `options`.
void populateParameterChoices(mlir::OpPassManager &pm,
                              const PhaseOptions &options);

/// Whether a module holds CUDA Tile IR, which `Phase::Tile` turns into kernels.
bool hasCudaTile(mlir::ModuleOp module);

/// Runs the phases first … last of the branch selected by `options`, calling
/// `after` (may be null) after each.
mlir::LogicalResult
runPhases(mlir::ModuleOp module, Phase first, Phase last,
          const PhaseOptions &options,
          llvm::function_ref<mlir::LogicalResult(Phase)> after);

/// Writes the IR to `directory/N-phase.mlir`, creating the directory if needed.
/// N is the index in the phase's branch; `tile` is 0.
mlir::LogicalResult dumpPhase(mlir::ModuleOp module, Phase phase,
                              llvm::StringRef directory);

} // namespace tilegpt

#endif
