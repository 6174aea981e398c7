// Combines a list of scalars in a tree, or two at a time.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_SHAPE_FOLDTREE_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_SHAPE_FOLDTREE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilegpt::tilegpu {

/// Combines the elements of a list, of at least one, in a tree.
inline mlir::Value
foldTree(llvm::ArrayRef<mlir::Value> parts,
         llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine) {
  if (parts.size() == 1)
    return parts.front();
  size_t half = parts.size() / 2;
  return combine(foldTree(parts.take_front(half), combine),
                 foldTree(parts.drop_front(half), combine));
}

/// Combines 16-bit floats two at a time, by vectors of two elements. Returns
/// what is left: a few of them.
llvm::SmallVector<mlir::Value>
foldPairs(mlir::OpBuilder &builder, mlir::Location loc,
          llvm::ArrayRef<mlir::Value> parts,
          llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine);

} // namespace tilegpt::tilegpu

#endif
