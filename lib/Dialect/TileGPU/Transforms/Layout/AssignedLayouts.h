// The layouts assigned to classes of tiles so far.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_ASSIGNEDLAYOUTS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_ASSIGNEDLAYOUTS_H

#include "Layout/LayoutClasses.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

class AssignedLayouts {
public:
  explicit AssignedLayouts(const LayoutClasses &classes) : classes(classes) {}

  /// The layout of a tile's class; null while it is undecided.
  LayoutAttr of(mlir::Value tile) const {
    return layouts.lookup(classes.leaderOf(tile));
  }
  bool isOpen(mlir::Value tile) const { return !of(tile); }
  void assign(mlir::Value tile, LayoutAttr layout) {
    layouts[classes.leaderOf(tile)] = layout;
  }
  /// The tiles of a tile's class.
  llvm::SmallVector<mlir::Value> alike(mlir::Value tile) const {
    return llvm::filter_to_vector(classes.getTiles(), [&](mlir::Value other) {
      return classes.leaderOf(other) == classes.leaderOf(tile);
    });
  }

private:
  const LayoutClasses &classes;
  llvm::DenseMap<mlir::Value, LayoutAttr> layouts; // by leader
};

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_ASSIGNEDLAYOUTS_H
