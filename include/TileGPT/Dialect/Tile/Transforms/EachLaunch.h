// Iterates over the launches whose parameters are to be chosen.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_EACHLAUNCH_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_EACHLAUNCH_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tilegpt::tile {

/// Calls `choose` with every launch of a module whose kernel is known, to set
/// its parameters. Candidates with which a launch would violate a requirement
/// of its kernel are dropped first.
///
/// In a module without launches, calls it with a launch of each kernel on
/// tensors as the kernel declares its views: dynamic sizes, default element
/// types. Parameters set there become the kernel's defaults.
void forEachLaunch(mlir::ModuleOp module,
                   llvm::function_ref<void(LaunchOp, KernelOp)> choose);

/// The tensors and scalars a kernel declares.
llvm::SmallVector<mlir::Type> declaredOperands(KernelOp kernel);

} // namespace tilegpt::tile

#endif
