// The CPU half of compiling a model: an object for every kernel, from the cache
// or made now, and the shared object they are linked to.
#ifndef TILEGPT_LIB_COMPILER_HOSTCODE_H
#define TILEGPT_LIB_COMPILER_HOSTCODE_H

#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Target/Cache/CodeCache.h"
#include "TileGPT/Target/Host/HostImage.h"
#include <functional>

namespace tilegpt::compiler {

struct HostCodeOptions {
  const target::HostTarget &target;
  /// Null compiles every kernel anew.
  target::CodeCache *cache = nullptr;
  /// Called behind each phase with the kernels that are compiled anew, each in
  /// a module of its own; null lets a kernel go through all phases without
  /// waiting for the others.
  std::function<mlir::LogicalResult(mlir::ModuleOp, Phase)> afterPhase;
};

/// Compiles the kernels of a specialized module, several at the same time, and
/// links them. The module is of no use afterwards.
/// \returns failure after a diagnostic.
mlir::FailureOr<target::HostImage>
compileHostCode(mlir::ModuleOp module, const HostCodeOptions &options);

} // namespace tilegpt::compiler

#endif
