// Phases of compilation by name.
#ifndef TILEGPT_TOOLS_OPT_COMPILETO_H
#define TILEGPT_TOOLS_OPT_COMPILETO_H

#include "Flags.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace tilegpt::opt {

/// Prints the names of the GPUs code can be generated for, one a line.
void listTargets(llvm::raw_ostream &output);

/// Refuses flags of compilation where no phase is asked for.
runtime::Result<void> checkNoPhases(const Flags &flags);

/// Parses `source`, runs the phases asked for and prints the module, or the
/// code asked for. Diagnostics go to stderr.
/// \returns BadInput for text that does not parse, Failure for a phase that
/// fails, Usage for flags that make no sense.
runtime::Result<void> compileToPhase(const Flags &flags,
                                     const llvm::MemoryBuffer &source,
                                     mlir::DialectRegistry &registry,
                                     llvm::raw_ostream &output);

} // namespace tilegpt::opt

#endif
