// Compilation phases by name.
#ifndef TILEGPT_TOOLS_OPT_COMPILETO_H
#define TILEGPT_TOOLS_OPT_COMPILETO_H

#include "Flags.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace tilegpt::opt {

/// Prints the names of the supported GPU targets, one per line.
void listTargets(llvm::raw_ostream &output);

/// Rejects compilation flags if no phase is requested.
runtime::Result<void> checkNoPhases(const Flags &flags);

/// Parses `source`, runs the requested phases and prints the module or the
/// generated code. Diagnostics go to stderr.
/// \returns BadInput for a parse error, Failure for a phase that fails, Usage
/// for inconsistent flags.
runtime::Result<void> compileToPhase(const Flags &flags,
                                     const llvm::MemoryBuffer &source,
                                     mlir::DialectRegistry &registry,
                                     llvm::raw_ostream &output);

} // namespace tilegpt::opt

#endif
