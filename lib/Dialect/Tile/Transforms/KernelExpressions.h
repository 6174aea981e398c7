// Declarations of a kernel: the expressions of its grid, parameters and
// conditions, and type variables.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_KERNELEXPRESSIONS_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_KERNELEXPRESSIONS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Replaces every source of these expressions: names of parameters, axes of
/// arguments and scalars, as in `ExprAttr`.
void mapExpressions(KernelOp kernel,
                    llvm::function_ref<mlir::Attribute(mlir::Attribute)> map);

/// Removes requirements for which `keep` is false, and those whose sides have
/// become equal.
void keepRequirements(KernelOp kernel,
                      llvm::function_ref<bool(ConditionAttr)> keep);

/// Whether a side of a requirement has a source for which `test` is true.
bool readsSource(ConditionAttr requirement,
                 llvm::function_ref<bool(mlir::Attribute)> test);

/// Binds the type variable of a view argument if no other argument determines
/// it, before the argument is removed.
void pinElement(KernelOp kernel, unsigned number, mlir::Type element);

/// New names for the parameters of a kernel.
struct NewNames {
  llvm::DenseMap<mlir::StringAttr, mlir::StringAttr> params;
  /// Element types that replace variables, whose parameters are dropped.
  llvm::DenseMap<mlir::StringAttr, mlir::Type> elements;
};

/// Names the parameters of `guest` apart from those of `host`, except for
/// variables that `names` replaces by element types.
void nameParametersApart(KernelOp guest, KernelOp host, NewNames &names);

/// Renames the parameters of a kernel; drops those without a new name.
void renameParameters(KernelOp kernel, const NewNames &names);

/// Calls `take` for each axis of a tile that a parameter sizes although the
/// type of the tile states a number.
void forEachDeclaredSize(
    KernelOp kernel,
    llvm::function_ref<void(mlir::Operation *op, unsigned axis,
                            mlir::StringAttr parameter, int64_t declared)>
        take);

} // namespace tilegpt::tile

#endif
