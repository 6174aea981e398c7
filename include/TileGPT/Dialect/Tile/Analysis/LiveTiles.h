// How many elements of tiles a kernel holds at a time.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_LIVETILES_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_LIVETILES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// The maximum, over all ops of a specialized kernel, of the elements of tiles
/// that are live after the op; those of 64 bits count twice, as registers do.
/// Ignores tiles that repeat other values (constants, splats, iotas and
/// broadcasts) and values passed between elementwise ops, which need one
/// register at a time unless an op between them branches.
int64_t mostLiveElements(KernelOp kernel);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_ANALYSIS_LIVETILES_H
