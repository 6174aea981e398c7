// `--emit`: prints GPU code of specialized kernels.
#ifndef TILEGPT_TOOLS_OPT_EMIT_H
#define TILEGPT_TOOLS_OPT_EMIT_H

#include "Report.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Runtime/Error.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace tilegpt::opt {

/// What `--emit` prints: text for every kernel of the file one after the other,
/// but for a cubin
/// and the facts of a launch, of which there can be one.
enum class EmitKind {
  LlvmIr,
  Ptx,
  Cubin,
  Report, ///< the output of ptxas, for users
  Launch, ///< launch facts as JSON, for use with the cubin
};

/// The kind with this name, or nothing.
std::optional<EmitKind> parseEmitKind(llvm::StringRef word);

/// Compiles the kernels of a specialized module, without the cache, and prints
/// them. Diagnostics go to stderr.
/// \param exact as `PhaseOptions::exact`.
/// \param dump called after each phase.
/// \param remarks printed in a report after the output of ptxas; otherwise
/// null.
/// \returns Usage if a single-kernel output is requested for another number of
/// kernels, Failure for a compilation error or a missing ptxas.
runtime::Result<void>
emitCode(mlir::ModuleOp module, EmitKind kind, const target::GpuTarget &target,
         bool exact,
         llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp, Phase)> dump,
         const RemarkCollector *remarks, llvm::raw_ostream &output);

} // namespace tilegpt::opt

#endif
