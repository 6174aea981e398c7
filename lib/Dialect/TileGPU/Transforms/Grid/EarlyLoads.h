// Loads to registers around the wait for the launch before.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_EARLYLOADS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_EARLYLOADS_H

#include "Grid/EarlyAccesses.h"

namespace tilegpt::tilegpu {

/// Starts the first accesses of loads that are too large to be copies, so that
/// a block has something on its way while it waits and makes what comes in
/// front of its products. Only of what no two threads hold: each of these
/// accesses goes to L2.
void beginLargeLoads(AwaitLaunchOp wait, EarlyAccesses &accesses);

/// Starts loads that are too small to be copies, and stand far behind the wait,
/// at once: those of what is launch-invariant in front of it, the others behind
/// the loads that stand there. Loaded behind a product and its sums, a bias or
/// a residual would be waited for by itself. Loads pass nothing that writes to
/// memory or lets others do so.
void bringSmallLoadsForward(AwaitLaunchOp wait, EarlyAccesses &accesses);

} // namespace tilegpt::tilegpu

#endif
