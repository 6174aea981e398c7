// Parameters of a single kernel: those that a model's launch with the same
// arguments would get.
#ifndef TILEGPT_LIB_COMPILER_CHOSENPARAMETERS_H
#define TILEGPT_LIB_COMPILER_CHOSENPARAMETERS_H

#include "TileGPT/Compiler/GpuKernels.h"
#include "TileGPT/Reference/KernelBinding.h"
#include "TileGPT/Target/Host/HostTarget.h"

namespace tilegpt::compiler {

/// Runs the passes that choose tile sizes for a GPU on a launch of `kernel`.
/// \param given overrides of declared defaults, which are kept; may be null.
/// \returns `given` and the chosen parameters, or an error that states what
/// does not fit; the reason is a diagnostic.
llvm::Expected<mlir::DictionaryAttr>
chooseParameters(tile::KernelOp kernel,
                 llvm::ArrayRef<reference::Value> arguments,
                 mlir::DictionaryAttr given, const GpuCompilation &compilation);

/// The same for a host.
/// \param threads  that run the launch.
llvm::Expected<mlir::DictionaryAttr>
chooseParameters(tile::KernelOp kernel,
                 llvm::ArrayRef<reference::Value> arguments,
                 mlir::DictionaryAttr given, const target::HostTarget &target,
                 unsigned threads);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_CHOSENPARAMETERS_H
