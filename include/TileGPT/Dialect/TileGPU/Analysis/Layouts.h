// Preconditions of passes that run after --tile-gpu-assign-layouts, and tiles
// behind the conversions that it inserts.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_LAYOUTS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_LAYOUTS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Fails, with an error that names the required pass, unless every tile of the
/// kernel has a layout.
mlir::LogicalResult verifyLayouts(tile::KernelOp kernel);

/// The tile that a chain of layout conversions starts from; the tile itself if
/// it is not converted.
mlir::Value withoutConversions(mlir::Value tile);

} // namespace tilegpt::tilegpu

#endif // TILEGPT_DIALECT_TILEGPU_ANALYSIS_LAYOUTS_H
