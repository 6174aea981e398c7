// Tiles with fewer axes.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_AXES_MERGETILES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_AXES_MERGETILES_H

#include "Axes/AxisRange.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::tilegpu {

/// Merges axes of all tiles that are computed from, or with, those of some
/// loads and stores.
class TileMerging {
public:
  /// \param accesses  loads and stores of tiles that have the range
  TileMerging(tile::KernelOp kernel, AxisRange range,
              llvm::ArrayRef<mlir::Operation *> accesses)
      : kernel(kernel), range(std::move(range)),
        accesses(accesses.begin(), accesses.end()) {}

  /// Finds the tiles. False if some op treats the axes differently, so that
  /// more than unit axes would have to be reshaped; `obstacle` is that op.
  bool follow();
  mlir::Operation *obstacle = nullptr;

  /// Rewrites the tiles.
  /// \param moved  creates an access in its new form, given its new value and
  ///   type
  void
  rewrite(llvm::function_ref<mlir::Operation *(mlir::Operation *, mlir::Value,
                                               mlir::RankedTensorType)>
              moved);

private:
  bool hasRange(mlir::Value value) const;
  bool hasUnitsBeforeLast() const;
  void keepAxis(tile::ReduceOp reduce);
  bool isUniform(mlir::Operation *op);
  bool findChain(tile::ReduceOp head);
  bool mark(mlir::Value value);
  bool isSpread(mlir::Operation *op) const;
  bool mayReshape(mlir::Value value, mlir::Operation *where);
  mlir::RankedTensorType merged(mlir::Value value) const;
  void change(mlir::Operation *op);
  void reduceChain(tile::ReduceOp head, tile::ReduceOp tail);

  tile::KernelOp kernel;
  AxisRange range;
  llvm::SmallVector<mlir::Operation *> accesses;
  llvm::SetVector<mlir::Value> marked;
  llvm::SetVector<mlir::Operation *> uniform;
  /// Reductions of all axes of the range one after the other: first and last.
  llvm::MapVector<mlir::Operation *, tile::ReduceOp> chains;
};

} // namespace tilegpt::tilegpu

#endif
