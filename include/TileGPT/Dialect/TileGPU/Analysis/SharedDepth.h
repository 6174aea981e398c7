// Whether the blocks of a cluster can share out the depth of a product
// (cluster split-K): asked by the plan and by the pass that does it.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_SHAREDDEPTH_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_SHAREDDEPTH_H

#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"

namespace tilegpt::tilegpu {

/// A product that sums from zero on, one step after the other from the first,
/// and whose blocks have columns of their own, but all else like those beside
/// them.
struct SharedDepth {
  tile::DotOp dot;
  tile::LoadOp lhs, rhs;
  int64_t steps;
  /// The axis of the grid along which blocks have columns of their own.
  int64_t columnAxis;
};

/// Of a loop that can become a main loop.
std::optional<SharedDepth> findSharedDepth(const Mainloop &match);
/// Of the only main loop of a kernel.
std::optional<SharedDepth> findSharedDepth(MainloopOp loop);

} // namespace tilegpt::tilegpu

#endif
