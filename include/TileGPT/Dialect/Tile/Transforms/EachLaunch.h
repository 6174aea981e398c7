// Launches to choose parameters for, where there are some and where there are
// none.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_EACHLAUNCH_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_EACHLAUNCH_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tilegpt::tile {

/// Calls `choose` with every launch of a module whose kernel is known, to write
/// parameters into it.
///
/// In a module without launches, with one of each kernel, on tensors as the
/// kernel declares its views: open sizes are open, element types the default
/// ones. What is written there becomes the default of the kernel's parameter.
void forEachLaunch(mlir::ModuleOp module,
                   llvm::function_ref<void(LaunchOp, KernelOp)> choose);

/// The tensors and scalars a kernel declares.
llvm::SmallVector<mlir::Type> declaredOperands(KernelOp kernel);

} // namespace tilegpt::tile

#endif
