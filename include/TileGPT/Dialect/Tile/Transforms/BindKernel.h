// Binds kernels in place: their variables, parameters and sizes. The mechanism
// behind `--tile-bind-parameters` and `--tile-specialize`.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_BINDKERNEL_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_BINDKERNEL_H

#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace tilegpt::tile {

/// Gives a parameter, in all kernels of a module that declare it, one value;
/// the views the size that it is, where it is one.
/// \param entry  "BM=32" or "X=bf16".
/// \returns an error that begins with `entry` and says what was expected.
llvm::Error bindParameter(mlir::ModuleOp module, llvm::StringRef entry);

/// Declares that a view argument is a tensor of this type: its sizes become as
/// static as the tensor's, and a variable of its elements gets their type. On a
/// mismatch emits through `emitError` and fails.
mlir::LogicalResult
bindArgument(KernelOp kernel, unsigned number, mlir::RankedTensorType tensor,
             llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The parameters of a kernel that follow from a size which is not static.
llvm::SmallVector<ParamAttr> openParameters(KernelOp kernel);

/// Evaluates the defaults of all parameters that `binding` leaves open and adds
/// them to it: types first, then sizes in the order of their declaration. Fails
/// with an error on the kernel when a default needs a size that is not static.
mlir::LogicalResult completeBinding(KernelOp kernel, LaunchBinding &binding);

/// Rewrites `kernel` to a complete binding: no variable, parameter name or tile
/// of unknown size remains. Bound sizes stay in `params` for the reader,
/// without candidates. Fails with an error on the op whose tile would not be
/// static.
mlir::LogicalResult bindKernel(KernelOp kernel, const LaunchBinding &binding);

} // namespace tilegpt::tile

#endif
