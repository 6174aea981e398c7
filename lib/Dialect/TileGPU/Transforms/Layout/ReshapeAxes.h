// How a reshape maps the axes of its source.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_RESHAPEAXES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_RESHAPEAXES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include <optional>

namespace tilegpt::tilegpu {

/// How a reshape splits the axes of its source; nullopt for other reshapes.
std::optional<llvm::SmallVector<mlir::ReassociationIndices>>
cutAxes(tile::ReshapeOp op);

/// Whether a reshape drops unit axes, and nothing else.
bool dropsUnitAxes(tile::ReshapeOp op);

/// Whether a reshape drops unit axes of a tile with at most one element per
/// eight threads: any layout loads and stores it with few instructions.
bool movesFewElements(tile::ReshapeOp op);

/// The axes of its source that a reshape merges to one each; nullopt for other
/// reshapes.
std::optional<llvm::SmallVector<mlir::ReassociationIndices>>
joinedAxes(tile::ReshapeOp op);

} // namespace tilegpt::tilegpu

#endif
