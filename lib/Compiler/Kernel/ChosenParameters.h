// Parameters of a single kernel: those that a model's launch with the same
// arguments would get.
#ifndef TILEGPT_LIB_COMPILER_CHOSENPARAMETERS_H
#define TILEGPT_LIB_COMPILER_CHOSENPARAMETERS_H

#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Reference/KernelBinding.h"

namespace tilegpt::compiler {

/// Runs the passes that choose parameters on a launch of `kernel`.
/// \param given overrides of declared defaults, which are kept; may be null.
/// \param phases  how a model with the launch would be compiled.
/// \returns `given` and the chosen parameters, or an error that states what
/// does not fit; the reason is a diagnostic.
llvm::Expected<mlir::DictionaryAttr>
chooseParameters(tile::KernelOp kernel,
                 llvm::ArrayRef<reference::Value> arguments,
                 mlir::DictionaryAttr given, const PhaseOptions &phases);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_CHOSENPARAMETERS_H
