// What a kernel declares: the expressions of its grid, its parameters and its
// conditions, and type variables.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_KERNELEXPRESSIONS_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_KERNELEXPRESSIONS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Replaces every source of these expressions: names of parameters, axes of
/// arguments and scalars, as `ExprAttr` has them.
void mapExpressions(KernelOp kernel,
                    llvm::function_ref<mlir::Attribute(mlir::Attribute)> map);

/// Leaves those requirements that `keep`; one whose sides have become the same
/// holds, and goes.
void keepRequirements(KernelOp kernel,
                      llvm::function_ref<bool(ConditionAttr)> keep);

/// Whether a side of a requirement reads a source for which `test`.
bool readsSource(ConditionAttr requirement,
                 llvm::function_ref<bool(mlir::Attribute)> test);

/// Gives the type variable of a view argument this value, where no other
/// argument says what it stands for: the argument is about to go.
void pinElement(KernelOp kernel, unsigned number, mlir::Type element);

/// What the parameters of a kernel are to be called.
struct NewNames {
  llvm::DenseMap<mlir::StringAttr, mlir::StringAttr> params;
  /// Element types that variables stand for: those have no parameter any more.
  llvm::DenseMap<mlir::StringAttr, mlir::Type> elements;
};

/// Renames the parameters of a kernel; one without a new name goes.
void renameParameters(KernelOp kernel, const NewNames &names);

} // namespace tilegpt::tile

#endif
