// Computes what a loop adds up evenly from the number of the iteration.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_LOOPS_COUNTPROGRESSIONS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_LOOPS_COUNTPROGRESSIONS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Integers, and tiles of them, that loops over an index carry and advance by
/// the same number in every iteration, such as the offsets of a matrix product
/// that walks along K, become sums of their first value and a multiple of the
/// iteration: analyses of offsets and masks then know them.
void countProgressions(KernelOp kernel);

} // namespace tilegpt::tile

#endif
