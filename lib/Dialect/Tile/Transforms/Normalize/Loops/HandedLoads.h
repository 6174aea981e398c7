// Loads tiles in the iteration that uses them.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_LOOPS_HANDEDLOADS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_LOOPS_HANDEDLOADS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Tiles that each iteration of a loop loads for the next one, as kernels do
/// that are pipelined by hand, are loaded by the iteration that uses them:
/// targets copy tiles ahead themselves. Requires a loop that only loads and
/// computes.
void loadWhereUsed(KernelOp kernel);

} // namespace tilegpt::tile

#endif
