// Splits rows across the blocks of a cluster.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_CLUSTERROWS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_CLUSTERROWS_H

#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"

namespace tilegpt::tilegpu {

/// Makes a cluster process each row: each block keeps a part, and the blocks
/// exchange partial results for each reduction. The grid then counts clusters.
void stageRowsInCluster(tile::KernelOp kernel, const LongRows &rows);

} // namespace tilegpt::tilegpu

#endif
