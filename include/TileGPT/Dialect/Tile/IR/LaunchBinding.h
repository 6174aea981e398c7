// What a launch tells a kernel: the types its variables stand for, the sizes
// its views have, the parameters it overrides.
#ifndef TILEGPT_DIALECT_TILE_IR_LAUNCHBINDING_H
#define TILEGPT_DIALECT_TILE_IR_LAUNCHBINDING_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// The result of deducing a launch, the way a C++ template deduces its
/// arguments.
struct LaunchBinding {
  /// Type parameters by name.
  llvm::MapVector<mlir::StringAttr, mlir::Type> types;
  /// Size parameters that the launch overrides, by name.
  llvm::MapVector<mlir::StringAttr, int64_t> sizes;
  /// The kernel's argument types with variables replaced and sizes as static as
  /// the operands'.
  llvm::SmallVector<mlir::Type> arguments;
};

/// Deduces the binding of `kernel` launched on operands of these types (tensors
/// for views, scalars for scalars), with `overrides` (may be null) in place of
/// defaults. On a mismatch emits through `emitError` what was expected of which
/// argument and fails.
mlir::FailureOr<LaunchBinding>
deduceLaunch(KernelOp kernel, mlir::TypeRange operands,
             mlir::DictionaryAttr overrides,
             llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The kernel called `name` that is visible from `op`: in the nearest symbol
/// table that has one. Null when there is none. Takes the time of a walk over
/// the tables; with a collection of them, that of a look-up.
KernelOp lookupKernel(mlir::Operation *op, mlir::StringAttr name);
KernelOp lookupKernel(mlir::SymbolTableCollection &tables, mlir::Operation *op,
                      mlir::StringAttr name);

} // namespace tilegpt::tile

#endif
