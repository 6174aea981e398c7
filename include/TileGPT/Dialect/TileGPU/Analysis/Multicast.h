// Which tiles the blocks of a cluster stream together, so that one multicast
// copy serves all of them.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_MULTICAST_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_MULTICAST_H

#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"

namespace tilegpt::tilegpu {

/// Whether a scalar depends on the block id along an axis of the grid.
bool dependsOnBlock(mlir::Value value, int64_t axis);

/// Whether adjacent blocks along an axis of the grid run a main loop in
/// lockstep: all loops have the same trip count for each of them.
bool runsInStep(const Mainloop &match, int64_t axis);

/// Whether adjacent blocks along an axis of the grid stream the same tile,
/// which this many of them can copy in equal parts.
bool isSharedAlong(StreamLoad stream, int64_t axis, int64_t blocks);

/// The axis of the grid along which blocks of a cluster stream the same tile,
/// once they know their position in it (`tile_gpu.cluster_rank along`), and can
/// copy it in equal parts.
std::optional<int64_t> axisSharedInCluster(StreamLoad stream, PlanAttr plan);

} // namespace tilegpt::tilegpu

#endif
