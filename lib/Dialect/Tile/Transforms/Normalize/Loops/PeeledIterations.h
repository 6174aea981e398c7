// Runs iterations that stand in front of a loop, or behind it, in the loop.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_LOOPS_PEELEDITERATIONS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_LOOPS_PEELEDITERATIONS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Runs the first and last iterations of a loop in it if they are written in
/// front of it and behind it, as in kernels that are pipelined by hand: targets
/// pipeline loops themselves. Requires a loop that only loads and computes, and
/// a known number of iterations.
void rollPeeled(KernelOp kernel);

} // namespace tilegpt::tile

#endif
