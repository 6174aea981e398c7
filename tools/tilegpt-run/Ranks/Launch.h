// Starts the ranks of a run on this host, as torchrun and mpirun do.
#ifndef TILEGPT_TOOLS_RUN_RANKS_LAUNCH_H
#define TILEGPT_TOOLS_RUN_RANKS_LAUNCH_H

#include "TileGPT/Runtime/Error.h"

namespace tilegpt::run {

/// Starts this program once for each rank, with the variables of the contract
/// of launchers, and waits. When a rank fails, the others have a few seconds to
/// find out before they are ended.
/// \returns the exit code of rank 0 if that is not 0, else that of the first
/// rank that failed.
runtime::Result<int> launchRanks(unsigned ranks, char **argv);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_RANKS_LAUNCH_H
