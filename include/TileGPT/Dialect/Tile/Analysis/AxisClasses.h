// Which axes of the tiles of a kernel run together: whoever changes the size of
// one changes that of all. Holds for kernels whose parameters are not bound.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_AXISCLASSES_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_AXISCLASSES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"

namespace tilegpt::tile {

/// The axes that a reshape keeps, each as its number in the source and in the
/// result, where it only inserts and drops axes of size 1; else nothing.
std::optional<llvm::SmallVector<std::pair<int64_t, int64_t>>>
keptAxes(ReshapeOp reshape);

/// The axes of all tiles of a kernel, in classes: elementwise ops, casts,
/// broadcasts along other axes, products, permutations, reshapes that keep
/// their axes and what loops and branches carry keep element i of an axis at
/// element i of another.
class AxisClasses {
public:
  explicit AxisClasses(KernelOp kernel);

  /// \param tile  a tile of the kernel.
  unsigned classOf(mlir::Value tile, int64_t axis) const;

  /// The one size that ops and types spell for the axes of a class: a name of
  /// a parameter or an integer. Null where they spell none, or several.
  mlir::Attribute sizeOf(unsigned axisClass) const;
  mlir::Attribute sizeOf(mlir::Value tile, int64_t axis) const {
    return sizeOf(classOf(tile, axis));
  }

  /// Whether elements at different places of such an axis meet or change
  /// places: in a reduction, a scan, the depth of a product, a reshape; or
  /// whether the axis must have one element, as a reshape drops it.
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
