// What the command line says of the data of kernels that nothing launches.
#ifndef TILEGPT_TOOLS_TILEGPT_OPT_DECLAREKERNELS_H
#define TILEGPT_TOOLS_TILEGPT_OPT_DECLAREKERNELS_H

#include "Flags.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tilegpt::opt {

/// Leaves of a module the kernel that --function names, and gives its kernels
/// the parameters of --bind and the shapes of --arg.
/// \param source what was parsed: the names of arguments are in it.
/// \returns Usage for what no kernel declares or does not fit.
runtime::Result<void> declareKernels(mlir::ModuleOp module,
                                     const llvm::MemoryBuffer &source,
                                     const Flags &flags);

/// Checks that kernels which nothing launches know the sizes their parameters
/// follow from.
/// \returns Usage with the flag to add.
runtime::Result<void> checkSizes(mlir::ModuleOp module,
                                 const llvm::MemoryBuffer &source);

} // namespace tilegpt::opt

#endif // TILEGPT_TOOLS_TILEGPT_OPT_DECLAREKERNELS_H
