// Adjacent axes of tiles and views as one.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_AXES_AXISRANGE_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_AXES_AXISRANGE_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// `sizes.size()` axes from `first` on, and the sizes of tiles along them.
struct AxisRange {
  int64_t first = 0;
  llvm::SmallVector<int64_t> sizes;
  /// Whether they become two axes: one of size 1, and one for all elements.
  bool addsUnit = false;

  int64_t count() const { return int64_t(sizes.size()); }
  int64_t end() const { return first + count(); }
  /// The axis that they become.
  int64_t place() const { return first + addsUnit; }
  bool contains(int64_t axis) const { return axis >= first && axis < end(); }
  /// A shape with one axis instead of these.
  llvm::SmallVector<int64_t> merge(llvm::ArrayRef<int64_t> shape) const;
};

/// A dense view of the same elements.
mlir::Value viewAs(mlir::OpBuilder &builder, mlir::Value view,
                   llvm::ArrayRef<int64_t> shape);

} // namespace tilegpt::tilegpu

#endif
