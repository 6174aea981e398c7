// Hoists copies to shared memory above the wait for the previous launch.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_EARLYCOPIES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_EARLYCOPIES_H

#include "Grid/EarlyAccesses.h"

namespace tilegpt::tilegpu {

/// Hoists the first groups of a loop's async copies (`tile_gpu.copy`) above the
/// wait, as long as they read launch-invariant memory. Once a group also has
/// other copies, further invariant copies join that group.
void bringCopiesForward(AwaitLaunchOp wait, EarlyAccesses &accesses);

/// Turns loads of launch-invariant memory after the wait into copies to shared
/// memory before it: ptxas would sink loads to registers below the wait.
void copyLoadsForward(AwaitLaunchOp wait, EarlyAccesses &accesses);

} // namespace tilegpt::tilegpu

#endif
