// Parses `list` or `clear` and the cache directory.
#include "Flags/CacheFlags.h"
#include "Flags/CommandLine.h"
#include <CLI/CLI.hpp>

using namespace tilegpt;

runtime::Result<std::optional<run::CacheFlags>>
run::parseCacheFlags(int argc, const char *const *argv) {
  CacheFlags flags;
  std::string verb;
  CLI::App app("Lists or clears the cache of compiled kernels.\n",
               "tilegpt-run cache");
  app.add_option("verb", verb, "list or clear")->type_name("list|clear");
  app.add_option(
         "--cache-dir", flags.folder,
         "cache directory; default: $TILEGPT_CACHE_DIR, else ~/.cache/tilegpt")
      ->type_name("DIR");
  if (auto parsed = parseCommandLine(app, argc, argv); !parsed)
    return tl::unexpected(parsed.error());
  else if (!*parsed)
    return std::nullopt;
  if (verb != "list" && verb != "clear")
    return runtime::makeError(runtime::ErrorCode::Usage,
                              "cache: expected list or clear, got '", verb,
                              "'");
  flags.clears = verb == "clear";
  return flags;
}
