// Command-line declarations for kernels without a launch.
#ifndef TILEGPT_TOOLS_TILEGPT_OPT_DECLAREKERNELS_H
#define TILEGPT_TOOLS_TILEGPT_OPT_DECLAREKERNELS_H

#include "Flags.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tilegpt::opt {

/// Keeps the kernel or the entry of CUDA Tile IR that --function names, and
/// binds its parameters with --bind and its shapes with --arg.
/// \param source the parsed text, which contains the names of arguments.
/// \returns Usage for undeclared names and invalid values.
runtime::Result<void> declareKernels(mlir::ModuleOp module,
                                     const llvm::MemoryBuffer &source,
                                     const Flags &flags);

/// Checks that kernels without a launch have the sizes that their parameters
/// depend on.
/// \returns Usage with the missing flag.
runtime::Result<void> checkSizes(mlir::ModuleOp module,
                                 const llvm::MemoryBuffer &source);

} // namespace tilegpt::opt

#endif // TILEGPT_TOOLS_TILEGPT_OPT_DECLAREKERNELS_H
