// How many warps share the largest tile of a kernel.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_TILEWARPS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_TILEWARPS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Elements of the largest tile of a specialized kernel; 0 if it has none.
int64_t mostTileElements(tile::KernelOp kernel);

/// An upper bound on the warps of a kernel with many blocks and a largest tile
/// of `elements`. A thread gets 16 bytes, or 16 elements if that reduces
/// exchanges between warps (LU decompositions of 32768 x 16 x 16 in f32 on an
/// H200: 300 us with four warps, 102 with one), or 8 if each iteration also
/// loads and stores (softmax of f32 32768 x 781 in 2112 blocks: 77 us with two
/// warps, 55 with four). Smaller blocks leave room for more of them, which hide
/// each other's latency, unless shared memory limits their number.
int64_t mostWarpsForTile(tile::KernelOp kernel, int64_t elements);

} // namespace tilegpt::tilegpu

#endif
