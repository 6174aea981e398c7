// Binds variables, parameters and sizes of kernels in place. The implementation
// of `--tile-bind-parameters` and `--tile-specialize`.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_BINDKERNEL_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_BINDKERNEL_H

#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace tilegpt::tile {

/// Binds a parameter in all kernels of a module that declare it; if it is the
/// size of a view, sets that size.
/// \param entry  "BM=32" or "X=bf16".
/// \returns an error that starts with `entry` and says what was expected.
llvm::Error bindParameter(mlir::ModuleOp module, llvm::StringRef entry);

/// Declares that a view argument is a tensor of this type: its sizes become as
/// static as the tensor's, and a variable element type is bound. On a mismatch
/// reports through `emitError` and fails.
mlir::LogicalResult
bindArgument(KernelOp kernel, unsigned number, mlir::RankedTensorType tensor,
             llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The parameters of a kernel that depend on a dynamic size.
llvm::SmallVector<ParamAttr> openParameters(KernelOp kernel);

/// Evaluates the defaults of all parameters that `binding` does not set and
/// adds them to it: types first, then sizes in declaration order. Fails with an
/// error on the kernel if a default depends on a dynamic size.
mlir::LogicalResult completeBinding(KernelOp kernel, LaunchBinding &binding);

/// Rewrites `kernel` for a complete binding: no variable, parameter name or
/// dynamic tile size remains. Bound sizes stay in `params` for readability,
/// without candidates. Fails with an error on an op whose tile would not be
/// static.
mlir::LogicalResult bindKernel(KernelOp kernel, const LaunchBinding &binding);

} // namespace tilegpt::tile

#endif
