// Lists and clears the compilation cache.
#include "CacheCommand.h"
#include "Flags/CacheFlags.h"
#include "Terminal/Console.h"
#include "TileGPT/Target/Cache/CodeCache.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilegpt;
using namespace tilegpt::run;
using llvm::formatv;
using runtime::ErrorCode;
using runtime::makeError;
using target::CodeCache;

/// "3 entries, 0.4 MB".
static std::string summaryOf(const std::vector<CodeCache::Entry> &entries) {
  uint64_t bytes = 0;
  for (const CodeCache::Entry &entry : entries)
    bytes += entry.bytes;
  return formatv("{0} {1}, {2:F1} MB", entries.size(),
                 entries.size() == 1 ? "entry" : "entries", double(bytes) / 1e6)
      .str();
}

static std::string list(const CodeCache &cache) {
  const auto entries = cache.entries();
  std::string text;
  for (const CodeCache::Entry &entry : entries)
    text += formatv("{0,-6} {1,9:F1} kB  used {2:%Y-%m-%d %H:%M}  {3}\n",
                    target::nameOf(entry.kind), double(entry.bytes) / 1e3,
                    entry.used, entry.name.empty() ? "?" : entry.name)
                .str();
  return text + formatv("{0} of at most {1:F0} MB in {2}\n", summaryOf(entries),
                        double(CodeCache::defaultLimit) / 1e6,
                        cache.getFolder())
                    .str();
}

runtime::Result<int> run::runCacheCommand(int argc, const char *const *argv) {
  const auto flags = parseCacheFlags(argc, argv);
  if (!flags)
    return tl::unexpected(flags.error());
  if (!*flags)
    return 0;
  const auto chosen = CodeCache::folderOf((*flags)->folder);
  if (!chosen)
    return makeError(ErrorCode::Usage, "cache: disabled; pass --cache-dir");
  CodeCache cache(*chosen);
  std::string text;
  if ((*flags)->clears) {
    const auto before = cache.entries();
    if (const auto left = cache.clear(); !left.empty())
      return makeError(ErrorCode::Failure, "cache: cannot remove '",
                       left.front().path, "'");
    text = formatv("removed {0} from {1}\n", summaryOf(before), *chosen).str();
  } else {
    text = list(cache);
  }
  if (auto written = writeOutput(text); !written)
    return tl::unexpected(written.error());
  return 0;
}
