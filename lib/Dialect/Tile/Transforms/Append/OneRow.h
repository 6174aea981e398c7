// Clones ops for tiles of one row instead of many.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_ONEROW_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_ONEROW_H

#include "TileGPT/Dialect/Tile/Analysis/AxisClasses.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::tile {

/// Clones ops with one element along the axes of certain sizes.
class OneRow {
public:
  /// \param axes   of the original kernel
  /// \param sizes  names of parameters
  OneRow(const AxisClasses &axes, llvm::DenseSet<mlir::Attribute> sizes)
      : axes(axes), sizes(std::move(sizes)) {}

  /// Whether an axis of a tile shrinks to one element.
  bool isCut(mlir::Value tile, int64_t axis) const {
    return sizes.contains(axes.sizeOf(tile, axis));
  }
  /// Whether any axis of a value does; false for values that are no tiles.
  bool isCut(mlir::Value value) const;

  mlir::Operation *clone(mlir::OpBuilder &builder, mlir::Operation *op,
                         mlir::IRMapping &mapping) const;

private:
  void cut(mlir::Value copy, mlir::Value original) const;

  const AxisClasses &axes;
  llvm::DenseSet<mlir::Attribute> sizes;
};

} // namespace tilegpt::tile

#endif
