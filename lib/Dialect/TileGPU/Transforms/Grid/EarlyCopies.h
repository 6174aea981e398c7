// Copies to shared memory in front of the wait for the launch before.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_EARLYCOPIES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_EARLYCOPIES_H

#include "Grid/EarlyAccesses.h"

namespace tilegpt::tilegpu {

/// Moves the first groups of a loop's copies ahead (`tile_gpu.copy`) to the
/// front of the wait, as long as they read what is launch-invariant. Behind a
/// group that also has others, those that do become part of that one.
void bringCopiesForward(AwaitLaunchOp wait, EarlyAccesses &accesses);

/// Starts the loads of what is launch-invariant in front of the wait instead of
/// behind it, as copies to shared memory: loads to registers ptxas moves back.
void copyLoadsForward(AwaitLaunchOp wait, EarlyAccesses &accesses);

} // namespace tilegpt::tilegpu

#endif
