// Layouts of tiles whose axes are split or that are cut into pieces.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_CUTLAYOUT_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_CUTLAYOUT_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

/// The layout of the result of a `tile.reshape` to `shape` that splits axes
/// (row-major), such that every thread holds the same elements as in `layout`.
/// Null if a digit of the layout crosses a split that does not divide it.
/// \param groups  the axes that each axis becomes.
LayoutAttr cutLayout(LayoutAttr layout,
                     llvm::ArrayRef<mlir::ReassociationIndices> groups,
                     llvm::ArrayRef<int64_t> shape);

/// The inverse: the layout of a tile once groups of its axes, of shape `shape`,
/// are merged to one axis each, with contiguous elements in consecutive
/// registers. Null if an axis other than a group's first is padded.
LayoutAttr joinAxes(LayoutAttr layout,
                    llvm::ArrayRef<mlir::ReassociationIndices> groups,
                    llvm::ArrayRef<int64_t> shape);

/// The layout of a tile of shape `to` in which every thread holds the same
/// elements, row-major, as in `layout` of a tile of shape `from`. Null if that
/// is padded, or a digit crosses a split that does not divide it.
LayoutAttr regroupAxes(LayoutAttr layout, llvm::ArrayRef<int64_t> from,
                       llvm::ArrayRef<int64_t> to);

/// The layout in which every thread holds the elements of each piece that it
/// holds of the whole, for pieces of `size` elements along `axis`. Null if a
/// thread does not hold the same elements of all pieces.
LayoutAttr pieceLayout(LayoutAttr layout, int64_t axis, int64_t size);

/// The layout of `count` such pieces, concatenated. Null if a piece is padded
/// along `axis`.
LayoutAttr joinedLayout(LayoutAttr piece, int64_t axis, int64_t size,
                        int64_t count);

} // namespace tilegpt::tilegpu

#endif
