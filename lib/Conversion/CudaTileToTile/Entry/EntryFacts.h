// What a kernel keeps of an entry besides its ops.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_ENTRY_ENTRYFACTS_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_ENTRY_ENTRYFACTS_H

#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::cuda_tile {

/// For each argument of an entry a class: pointers of different classes never
/// lead to the same memory where tokens order the accesses. Class -1 is that of
/// memory nobody knows. Empty where nothing but what the tile dialect takes for
/// granted is to be said (`tile.alias_classes`).
llvm::SmallVector<int64_t> findTokenClasses(EntryOp entry);

/// What CUDA Tile IR says of an entry's source, in terms of LLVM and of builtin
/// locations; does nothing for an entry without debug information.
void convertLocations(EntryOp entry, tile::KernelOp kernel);

} // namespace tilegpt::cuda_tile

#endif
