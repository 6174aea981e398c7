// Preconditions of passes that run after --tile-gpu-assign-layouts.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_LAYOUTS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_LAYOUTS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Fails, with an error that names the required pass, unless every tile of the
/// kernel has a layout.
mlir::LogicalResult verifyLayouts(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif // TILEGPT_DIALECT_TILEGPU_ANALYSIS_LAYOUTS_H
