// Rows that the blocks of a cluster share.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_CLUSTERROWS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_CLUSTERROWS_H

#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"

namespace tilegpt::tilegpu {

/// Has a cluster make each row: its blocks keep a part each, and meet for each
/// reduction. The grid counts clusters then.
void stageRowsInCluster(tile::KernelOp kernel, const LongRows &rows);

} // namespace tilegpt::tilegpu

#endif
