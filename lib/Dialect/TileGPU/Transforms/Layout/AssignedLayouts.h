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

private:
  const LayoutClasses &classes;
  llvm::DenseMap<mlir::Value, LayoutAttr> layouts; // by leader
};

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_ASSIGNEDLAYOUTS_H
