// The command line of tilegpt-run cache.
#ifndef TILEGPT_TOOLS_RUN_CACHEFLAGS_H
#define TILEGPT_TOOLS_RUN_CACHEFLAGS_H

#include "TileGPT/Runtime/Error.h"
#include <optional>
#include <string>

namespace tilegpt::run {

struct CacheFlags {
  bool clears = false; ///< else lists
  std::string folder;  ///< "off" for none; empty: the default
};

/// \param argv from "cache" on.
/// \returns nothing after --help, which prints to stdout; Usage naming the
/// invalid argument.
runtime::Result<std::optional<CacheFlags>>
parseCacheFlags(int argc, const char *const *argv);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_CACHEFLAGS_H
