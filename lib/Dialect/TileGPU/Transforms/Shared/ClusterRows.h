// Rows that are too long for the shared memory of a block.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_CLUSTERROWS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_CLUSTERROWS_H

#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"

namespace tilegpt::tilegpu {

/// Has the blocks of a cluster keep a part each of the rows of all of them, one
/// row after the other; they meet for each reduction.
void stageRowsInCluster(tile::KernelOp kernel, const LongRows &rows);

} // namespace tilegpt::tilegpu

#endif
