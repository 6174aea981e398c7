// Whether the blocks of a cluster can split K of a dot (cluster split-K): used
// by the plan and by the pass that does it.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_SHAREDDEPTH_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_SHAREDDEPTH_H

#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"

namespace tilegpt::tilegpu {

/// A dot that accumulates from zero over consecutive K steps, starting at the
/// first, and whose adjacent blocks differ only in their columns.
struct SharedDepth {
  tile::DotOp dot;
  tile::LoadOp lhs, rhs;
  int64_t steps;
  /// The axis of the grid along which blocks have separate columns.
  int64_t columnAxis;
};

/// For a loop that can become a main loop.
std::optional<SharedDepth> findSharedDepth(const Mainloop &match);
/// For the only main loop of a kernel.
std::optional<SharedDepth> findSharedDepth(MainloopOp loop);

} // namespace tilegpt::tilegpu

#endif
