// Finds loads that read rows of any alignment in aligned vectors.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_REALIGNLOADS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_REALIGNLOADS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Marks (`tile_gpu.realigned`) the loads that only dots use and whose rows may
/// begin within a word, where no asynchronous copy can: two aligned vectors and
/// a shift take a fraction of the instructions of loading every element.
void markRealignedLoads(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
