// Starts the ranks of a run on this host, like torchrun and mpirun.
#ifndef TILEGPT_TOOLS_RUN_RANKS_LAUNCH_H
#define TILEGPT_TOOLS_RUN_RANKS_LAUNCH_H

#include "TileGPT/Runtime/Error.h"

namespace tilegpt::run {

/// Starts this program once per rank, with the environment variables of
/// launchers, and waits. If a rank fails, the others are terminated after a few
/// seconds in which they can detect it.
/// \returns the exit code of rank 0 if that is not 0, otherwise that of the
/// first rank that failed.
runtime::Result<int> launchRanks(unsigned ranks, char **argv);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_RANKS_LAUNCH_H
