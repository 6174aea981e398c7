// Runs a single kernel compiled for the host, on tensors of the reference
// interpreter: for trying and testing kernels without a model.
#ifndef TILEGPT_COMPILER_KERNELRUN_H
#define TILEGPT_COMPILER_KERNELRUN_H

#include "TileGPT/Reference/Interpreter.h"
#include "TileGPT/Runtime/Engine/Engine.h"

namespace tilegpt::compiler {

struct KernelRunOptions {
  /// Overrides of declared defaults; may be null.
  mlir::DictionaryAttr parameters = {};
  /// For a raw kernel only.
  std::optional<reference::Grid> grid = {};
  /// Elements of NaN (all ones for integers) before and after the memory of
  /// every view while the kernel runs.
  int64_t guard = 0;
  /// Compiles the first axis of every view with a dynamic size, like the rows
  /// of a step in a model, unless a parameter is computed from it; otherwise
  /// all sizes are those of the arguments.
  bool openSizes = false;
  /// Chooses sizes that `parameters` leaves open as for a model's launch with
  /// the same arguments; otherwise they are the declared defaults. Raw kernels
  /// have none.
  bool chooseSizes = false;
};

/// Compiles `kernel` for this machine and runs all blocks of its grid. Its
/// results are in the memory of its views.
/// \param arguments  as for Interpreter::runKernel; views must be dense.
/// \returns an error if it does not compile, an assertion fails, or the kernel
/// writes outside a view.
llvm::Error runKernelOnCpu(tile::KernelOp kernel,
                           llvm::ArrayRef<reference::Value> arguments,
                           const KernelRunOptions &options = {});

/// Compiles `kernel` once and runs all blocks of its grid `times` times, and
/// once more before, on one copy of its arguments; what it may write is
/// restored before each run.
/// \param threads  that share the blocks; 0: as many as this process may use.
/// \returns how long each run takes, without that; errors as
/// runKernelOnCpu(), but for writes outside of a view.
llvm::Expected<std::vector<runtime::StepTime>> measureKernelOnCpu(
    tile::KernelOp kernel, llvm::ArrayRef<reference::Value> arguments,
    const KernelRunOptions &options, unsigned threads, unsigned times);

} // namespace tilegpt::compiler

#endif // TILEGPT_COMPILER_KERNELRUN_H
