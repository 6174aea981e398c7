// Schedules loads to registers around the wait for the previous launch.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_EARLYLOADS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_EARLYLOADS_H

#include "Grid/EarlyAccesses.h"

namespace tilegpt::tilegpu {

/// Issues the first accesses of loads that are too large to become copies
/// before the wait, so that a block has loads in flight while it waits, and
/// while it computes what precedes its products. Only loads without replicated
/// elements: each of these accesses goes to L2.
void beginLargeLoads(AwaitLaunchOp wait, EarlyAccesses &accesses);

/// Hoists loads that come long after the wait and are too small to become
/// copies: loads of launch-invariant memory above the wait, others below the
/// loads that follow it. A bias or residual that is loaded after a product and
/// its reductions would expose its full latency. So would a second row that is
/// loaded after a sum of the first: if nothing but arithmetic and reductions
/// precedes it, it is hoisted, too, as far as threads have registers for it.
/// Loads are not moved across ops that write memory or synchronize.
void bringLateLoadsForward(AwaitLaunchOp wait, EarlyAccesses &accesses);

} // namespace tilegpt::tilegpu

#endif
