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

namespace tilegpt {

/// What the IR is once the phase has run. A module of kernels without a model
/// passes the first two unchanged. Behind `Specialized` the way parts: four
/// phases for the host, four for a GPU.
enum class Phase {
  Tile,     ///< CUDA Tile IR turned into kernels, and what is known of their
            ///< arguments; modules without either skip this
  Graph,    ///< `gpt` ops: sizes set, one function a plan, layers written out,
            ///< fused
  Launches, ///< `tile.launch` of library kernels
  Specialized, ///< … of instances with static tiles

  Linalg,     ///< host functions: linalg ops on tensors
  Bufferized, ///< … on buffers that have a place
  Vector,     ///< … as loops over vectors
  LLVM,       ///< entry points in the LLVM dialect

  Planned, ///< GPU kernels that say how they run
  Layouts, ///< … whose tiles have layouts and whose buffers have a place
  Threads, ///< … as the code of one thread
  NVVM,    ///< kernels in the LLVM and NVVM dialects
};

/// Where the way parts.
enum class Branch { Host, Gpu };

/// The phases of a branch, in order, from the first.
llvm::ArrayRef<Phase> phasesOf(Branch branch);

/// The word of `--compile-to`.
llvm::StringRef nameOf(Phase phase);

/// The words of a branch, for a message: "graph, launches, …".
std::string phaseList(Branch branch);

/// The phase of a word, or nothing when there is none of that name.
std::optional<Phase> parsePhase(llvm::StringRef name);

struct PhaseOptions {
  /// Options of `--gpt-configure`, e.g. "layers=6 heads=4"; empty keeps the
  /// model's sizes.
  std::string configure;
  /// Plans as `--gpt-make-plans` spells them: "decode:1-1"; empty keeps the
  /// functions as they are written.
  std::vector<std::string> plans;
  /// Largest B of a prefill or score step.
  int64_t sequences = 1;
  /// Ranks that run the model together, each on its part of the weights.
  int64_t ranks = 1;
  /// Element type of matrices: "f32", "bf16" or "f16".
  std::string weights = "f32";
  /// Element type of rows that products multiply and of the KV cache; sums of
  /// residuals are f32.
  std::string activations = "f32";
  /// Element type of the logits of plans that score.
  std::string logits = "f32";
  /// Whether dots of f32 tiles may round their operands to tf32.
  bool tf32 = false;
  /// Whether sums of f8 products may lose digits: `precision(fast)`.
  bool fastF8 = false;
  /// Whether what the text says is computed to the last digit but for the order
  /// of sums: fused launches round to the type of the tensor between them, and
  /// a GPU goes without the passes that relax what is rounded anyway.
  bool exact = false;
  /// What becomes of launches of which one reads what another makes: "off",
  /// "list" (remarks say what could be fused), or "all".
  std::string fusion = "all";
  /// Whether remarks say which launches were fused, which were not, and why.
  bool explainFusion = false;
  /// Whether a launch of few blocks on a host may become two, of parts of a
  /// loop and of what puts them together; never where `exact` is asked for.
  bool splitLoops = true;
  /// S, tokens the KV cache holds for a sequence; 0 takes the model's context.
  int64_t capacity = 0;
  /// Folder of kernels that override the built-in library by name; empty for
  /// none.
  std::string kernels;
  /// File of records of tuning, and the device that launches are for as
  /// `--tile-apply-records` spells it; empty for none.
  std::string records, recordDevice;
  /// The device whose records that come with TileGPT are applied where the file
  /// has none; empty for none.
  std::string shippedRecords;
  /// The host's vector registers.
  unsigned vectorBits = 512, vectorRegisters = 32;
  /// Bytes of the second-level cache of one of its cores.
  uint64_t l2Bytes = 1 << 20;
  /// Rows of a matrix the host reads at once at the speed of memory.
  unsigned rowStreams = 4;
  /// NVIDIA architecture kernels are compiled for: "sm_90a". Empty for the
  /// host.
  std::string gpu;
  /// What every launch of raw kernels has in common, as
  /// `--tile-assume-arguments` spells it: "16", "3:8", "5=1".
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

/// Runs the passes of one phase on a module that has been through the phases
/// before it. Those of the GPU branch first split it (DeviceModules.h) and run
/// on several device modules at the same time.
mlir::LogicalResult runPhase(mlir::ModuleOp module, Phase phase,
                             const PhaseOptions &options);

/// Whether a module holds CUDA Tile IR, which `Phase::Tile` turns into kernels.
bool hasCudaTile(mlir::ModuleOp module);

/// Runs the phases first … last of the branch `options` ask for, calling
/// `after` (may be null) behind each.
mlir::LogicalResult
runPhases(mlir::ModuleOp module, Phase first, Phase last,
          const PhaseOptions &options,
          llvm::function_ref<mlir::LogicalResult(Phase)> after);

/// Writes the IR to `directory/N-phase.mlir`, N counted along the phase's
/// branch, `tile` being 0, making the folder when there is none.
mlir::LogicalResult dumpPhase(mlir::ModuleOp module, Phase phase,
                              llvm::StringRef directory);

} // namespace tilegpt

#endif
