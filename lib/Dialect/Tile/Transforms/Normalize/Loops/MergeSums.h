// Makes one sum of products of several that are added behind a loop.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_LOOPS_MERGESUMS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_LOOPS_MERGESUMS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Sums of matrix products that a loop carries apart, as in loops unrolled by
/// hand, and that are only added up behind it, become one sum: the order of a
/// summation is unspecified, and several sums take as many times the
/// registers.
void mergeSums(KernelOp kernel);

} // namespace tilegpt::tile

#endif
