// The host branch as a pipeline: from specialized kernels to functions in the
// LLVM dialect, phase by phase.
#ifndef TILEGPT_PIPELINES_TILETOCPU_H
#define TILEGPT_PIPELINES_TILETOCPU_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilegpt::cpu {

/// The IR after each phase, in order.
enum class CpuPhase {
  Specialized, ///< `tile.kernel`s of static tiles: the input
  Linalg,      ///< functions of linalg ops on tensors, fused
  Bufferized,  ///< … on buffers that have a place
  Vector,      ///< loops over vectors
  LLVM,        ///< entry points in the LLVM dialect
};

/// The names in `--compile-to`, in the order of the phases.
llvm::ArrayRef<llvm::StringLiteral> cpuPhaseNames();

/// The phase of this name, or nothing.
std::optional<CpuPhase> parseCpuPhase(llvm::StringRef name);

struct CpuPipelineOptions {
  /// Width of the target's vector registers, in bits.
  unsigned vectorBits = 512;
  /// Number of vector registers of the target.
  unsigned vectorRegisters = 32;
  /// Matrix rows that the target reads concurrently at full memory bandwidth.
  unsigned rowStreams = 4;
  /// The first and the last phase to run.
  CpuPhase first = CpuPhase::Linalg, last = CpuPhase::LLVM;
};

/// Appends the passes that turn a module of specialized kernels into one of
/// entry points (docs/Cpu.md).
void populateTileToCpuPipeline(mlir::OpPassManager &pm,
                               const CpuPipelineOptions &options = {});

/// Registers the pipeline as `--tile-to-cpu`.
void registerTileToCpuPipeline();

} // namespace tilegpt::cpu

#endif
