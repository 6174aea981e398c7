// Layouts of tiles whose axes are cut apart.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_CUTLAYOUT_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_CUTLAYOUT_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

/// The layout in which every thread holds the same elements as in `layout` of a
/// tile once its axes are cut apart (row-major): the result of a `tile.reshape`
/// of shape `shape`. Null where a digit of the layout reaches over a cut that
/// does not divide it.
/// \param groups  the axes that each axis becomes.
LayoutAttr cutLayout(LayoutAttr layout,
                     llvm::ArrayRef<mlir::ReassociationIndices> groups,
                     llvm::ArrayRef<int64_t> shape);

} // namespace tilegpt::tilegpu

#endif
