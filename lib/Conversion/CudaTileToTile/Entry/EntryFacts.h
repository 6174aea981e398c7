// Facts about an entry that its kernel keeps besides its ops.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_ENTRY_ENTRYFACTS_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_ENTRY_ENTRYFACTS_H

#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::cuda_tile {

/// A class for each argument of an entry: pointers of different classes never
/// alias where tokens order the accesses. Class -1 stands for unknown memory.
/// Empty if there is nothing to add to the tile dialect's defaults
/// (`tile.alias_classes`).
llvm::SmallVector<int64_t> findTokenClasses(EntryOp entry);

/// Converts CUDA Tile IR's debug information of an entry to LLVM's, and to
/// builtin locations. Does nothing for an entry without debug information.
void convertLocations(EntryOp entry, tile::KernelOp kernel);

} // namespace tilegpt::cuda_tile

#endif
