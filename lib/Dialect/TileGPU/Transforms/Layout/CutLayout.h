// Layouts of tiles whose axes are cut apart, or into pieces.
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

/// The reverse: the layout of a tile once groups of its axes, of shape `shape`,
/// are joined to one each, with contiguous elements in consecutive registers.
/// Null where an axis that others follow is padded.
LayoutAttr joinAxes(LayoutAttr layout,
                    llvm::ArrayRef<mlir::ReassociationIndices> groups,
                    llvm::ArrayRef<int64_t> shape);

/// The layout in which every thread holds the elements of each piece that it
/// holds of the whole: pieces of `size` elements along `axis`. Null where
/// threads do not hold the same of all pieces.
LayoutAttr pieceLayout(LayoutAttr layout, int64_t axis, int64_t size);

/// The layout of `count` such pieces, one behind the other. Null where a piece
/// is padded along `axis`.
LayoutAttr joinedLayout(LayoutAttr piece, int64_t axis, int64_t size,
                        int64_t count);

} // namespace tilegpt::tilegpu

#endif
