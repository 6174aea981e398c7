// Ops on tiles of one row in the place of tiles of many.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_ONEROW_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_ONEROW_H

#include "TileGPT/Dialect/Tile/Analysis/AxisClasses.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::tile {

/// Clones ops with one element along the axes of some sizes.
class OneRow {
public:
  /// \param axes   of the kernel that ops are cloned from
  /// \param sizes  names of parameters
  OneRow(const AxisClasses &axes, llvm::DenseSet<mlir::Attribute> sizes)
      : axes(axes), sizes(std::move(sizes)) {}

  /// Whether an axis of a tile becomes one element long.
  bool isCut(mlir::Value tile, int64_t axis) const {
    return sizes.contains(axes.sizeOf(tile, axis));
  }
  /// Whether an axis of a value does; it may be no tile.
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
