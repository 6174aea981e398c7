// Loops over whole rows whose tiles are processed as runs of memory.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COLUMNS_FLATTENLOOPS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COLUMNS_FLATTENLOOPS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Turns the tiles of reduction loops that load whole rows, and compute element
/// by element, into tiles of one axis, if the rows are unaligned and the tiles
/// are not. Results are cut into rows after the loop.
/// \returns the number of loops.
unsigned flattenLoops(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
