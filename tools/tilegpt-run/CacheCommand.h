// tilegpt-run cache: the compilation cache.
#ifndef TILEGPT_TOOLS_RUN_CACHECOMMAND_H
#define TILEGPT_TOOLS_RUN_CACHECOMMAND_H

#include "TileGPT/Runtime/Error.h"

namespace tilegpt::run {

/// `cache list` prints the entries, most recently used first, and their total;
/// `cache clear` removes them.
/// \param argv from "cache" on.
/// \returns the exit code; Usage for a syntax error, Failure if an entry cannot
/// be removed.
runtime::Result<int> runCacheCommand(int argc, const char *const *argv);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_CACHECOMMAND_H
