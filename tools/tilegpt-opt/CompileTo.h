// The flags of tilegpt-opt that MlirOptMain does not know: phases by name, and
// the list of kernels.
#ifndef TILEGPT_TOOLS_OPT_COMPILETO_H
#define TILEGPT_TOOLS_OPT_COMPILETO_H

#include "TileGPT/Runtime/Error.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace tilegpt::opt {

/// Declares the flags; call before the command line is parsed.
void registerPhaseFlags();

/// `--list-kernels` was given.
bool wantsKernelList();

/// `--list-targets` was given.
bool wantsTargetList();

/// `--compile-to`, `--dump-phases-to` or `--emit` was given.
bool wantsPhases();

/// Prints the names of the GPUs code can be generated for, one a line.
void listTargets(llvm::raw_ostream &output);

/// Prints the kernel library.
runtime::Result<void> listKernels(llvm::raw_ostream &output);

/// Parses `source`, runs the phases asked for and prints the module, or the
/// code asked for. Diagnostics go to stderr.
/// \returns BadInput for text that does not parse, Failure for a phase that
/// fails, Usage for flags that make no sense.
runtime::Result<void> compileToPhase(std::unique_ptr<llvm::MemoryBuffer> source,
                                     mlir::DialectRegistry &registry,
                                     llvm::raw_ostream &output);

} // namespace tilegpt::opt

#endif
