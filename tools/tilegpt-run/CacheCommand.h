// tilegpt-run cache: what is kept of compilations for the next start.
#ifndef TILEGPT_TOOLS_RUN_CACHECOMMAND_H
#define TILEGPT_TOOLS_RUN_CACHECOMMAND_H

#include "TileGPT/Runtime/Error.h"

namespace tilegpt::run {

/// `cache list` prints the entries, the one used last first, and their sum;
/// `cache clear` removes them.
/// \param argv from "cache" on.
/// \returns the exit code; Usage for anything else, Failure when something
/// cannot be removed.
runtime::Result<int> runCacheCommand(int argc, const char *const *argv);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_CACHECOMMAND_H
