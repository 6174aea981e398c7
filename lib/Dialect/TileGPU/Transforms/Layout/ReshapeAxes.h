// How a reshape maps the axes of its source.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_RESHAPEAXES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_RESHAPEAXES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include <optional>

namespace tilegpt::tilegpu {

/// How a reshape splits the axes of its source; nullopt for other reshapes.
std::optional<llvm::SmallVector<mlir::ReassociationIndices>>
cutAxes(tile::ReshapeOp op);

/// Whether a reshape drops unit axes, and nothing else.
bool dropsUnitAxes(tile::ReshapeOp op);

/// Whether a loaded or stored tile follows a layout through a reshape that only
/// drops or inserts unit axes: if threads then access it with few instructions,
/// as it has at most one element per eight threads, or at most one per thread
/// and four per thread in the layout.
bool followsUnitAxes(tile::ReshapeOp op, LayoutAttr layout);

/// The axes of its source that a reshape merges to one each; nullopt for other
/// reshapes.
std::optional<llvm::SmallVector<mlir::ReassociationIndices>>
joinedAxes(tile::ReshapeOp op);

} // namespace tilegpt::tilegpu

#endif
