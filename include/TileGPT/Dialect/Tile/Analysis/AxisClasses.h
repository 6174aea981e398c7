// Equivalence classes of tile axes that must have the same size. Works on
// kernels whose parameters are not bound.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_AXISCLASSES_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_AXISCLASSES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"

namespace tilegpt::tile {

/// The axes preserved by a reshape, as pairs of source and result axis, if it
/// only inserts and drops unit axes; otherwise nothing.
std::optional<llvm::SmallVector<std::pair<int64_t, int64_t>>>
keptAxes(ReshapeOp reshape);

/// The axes of all tiles of a kernel, in classes: elementwise ops, casts,
/// broadcasts along other axes, dots, permutations, reshapes that preserve
/// their axes, loops and branches map element i of an axis to element i of
/// another.
class AxisClasses {
public:
  explicit AxisClasses(KernelOp kernel);

  /// \param tile  a tile of the kernel.
  unsigned classOf(mlir::Value tile, int64_t axis) const;

  /// The size that ops and types give for the axes of a class: a parameter name
  /// or an integer. Null if they give none, or several.
  mlir::Attribute sizeOf(unsigned axisClass) const;
  mlir::Attribute sizeOf(mlir::Value tile, int64_t axis) const {
    return sizeOf(classOf(tile, axis));
  }

  /// Whether elements at different positions of such an axis interact or move:
  /// in a reduction, a scan, along K of a dot, in a reshape; or whether the
  /// axis must have one element because a reshape drops it.
  bool isMixed(unsigned axisClass) const { return mixed.contains(axisClass); }

private:
  void number(mlir::Value tile);
  void join(mlir::Value lhs, int64_t lhsAxis, mlir::Value rhs, int64_t rhsAxis);
  void joinAll(mlir::Value lhs, mlir::Value rhs);
  void mix(mlir::Value tile, int64_t axis);
  void mixAll(mlir::ValueRange values);
  void relate(mlir::Operation *op);
  void relateDot(DotOp dot);
  void relateReshape(ReshapeOp reshape);
  void spell(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, unsigned> firstAxis; ///< of a tile
  unsigned count = 0;
  llvm::IntEqClasses classes;
  llvm::SmallVector<unsigned> mixedAxes;
  llvm::SmallVector<std::pair<unsigned, mlir::Attribute>> spelled;

  llvm::DenseSet<unsigned> mixed;
  llvm::DenseMap<unsigned, llvm::SmallPtrSet<const void *, 2>> sizes;
};

} // namespace tilegpt::tile

#endif
