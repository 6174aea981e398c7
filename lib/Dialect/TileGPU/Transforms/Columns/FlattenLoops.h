// Loops over whole rows whose tiles are processed as runs of memory.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COLUMNS_FLATTENLOOPS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COLUMNS_FLATTENLOOPS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Flattens the tiles of elementwise reduction loops that load whole rows, if
/// the rows are unaligned and the tiles are not. Results are reshaped to rows
/// after the loop.
/// \returns the number of loops.
unsigned flattenLoops(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
