// Row and sequence counts in a function of a model.
#ifndef TILEGPT_LIB_CONVERSION_GPTTOTILE_ROWS_H
#define TILEGPT_LIB_CONVERSION_GPTTOTILE_ROWS_H

#include "TileGPT/Dialect/Tile/IR/ExprRange.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::gpt {

/// Traces sizes of axis 0 to the function's arguments: the size of ids is N,
/// that of positions B. In a decode plan they are equal.
class Rows {
public:
  /// Derives the roles of the arguments from the gpt ops, so it must be
  /// constructed before they are lowered, and the ranges from the function's
  /// attributes.
  explicit Rows(mlir::func::FuncOp function);

  /// The size of an axis as a constant or as one of unknowns(); null if
  /// unknown.
  mlir::AffineExpr sizeOf(mlir::Value tensor, unsigned axis) const;

  /// The ranges of N and of B, in this order.
  llvm::ArrayRef<tile::Interval> unknowns() const { return ranges; }

  /// An index value: the size of axis 0 of `tensor`, computed from the
  /// function's argument it comes from.
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Value tensor);

private:
  mlir::func::FuncOp function;
  llvm::SmallDenseMap<mlir::Value, unsigned> roles;
  llvm::SmallVector<tile::Interval, 2> ranges;
  bool oneRowPerSequence;
  llvm::SmallDenseMap<mlir::Value, mlir::Value> sizes;
};

} // namespace tilegpt::gpt

#endif
