// How many elements of tiles a kernel holds at a time.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_LIVETILES_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_LIVETILES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// The elements of all tiles that are live behind the op of a specialized
/// kernel where these are the most. Not counted are tiles that repeat what
/// others hold (constants, splats, numbers of elements and broadcasts) and what
/// passes between elementwise ops, which takes a register at a time.
int64_t mostLiveElements(KernelOp kernel);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_ANALYSIS_LIVETILES_H
