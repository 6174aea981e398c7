// CPU code generation for a model: an object for every kernel, cached or newly
// compiled, linked to a shared object.
#ifndef TILEGPT_LIB_COMPILER_HOSTCODE_H
#define TILEGPT_LIB_COMPILER_HOSTCODE_H

#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Pipelines/TileToCpu.h"
#include "TileGPT/Target/Cache/CodeCache.h"
#include "TileGPT/Target/Host/HostImage.h"
#include <functional>

namespace tilegpt::compiler {

struct HostCodeOptions {
  const target::HostTarget &target;
  /// If null, compiles every kernel.
  target::CodeCache *cache = nullptr;
  /// Called after each phase with the newly compiled kernels, each in its own
  /// module; null lets a kernel run through all phases without waiting for the
  /// others.
  std::function<mlir::LogicalResult(mlir::ModuleOp, Phase)> afterPhase;
};

/// The options of the host pipeline for code that runs on `target`.
cpu::CpuPipelineOptions pipelineOptionsFor(const target::HostTarget &target);

/// Has phases compile for `target`.
/// \param threads  of the host that will run the kernels; 0: not known.
void compileForHost(PhaseOptions &phases, const target::HostTarget &target,
                    unsigned threads);

/// Compiles the kernels of a specialized module in parallel and links them.
/// Consumes the module.
/// \returns failure after a diagnostic.
mlir::FailureOr<target::HostImage>
compileHostCode(mlir::ModuleOp module, const HostCodeOptions &options);

} // namespace tilegpt::compiler

#endif
