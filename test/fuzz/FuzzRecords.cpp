// Any text is either tuning records or an error, and records survive a round
// trip through text.
#include "TileGPT/Runtime/Tuning/Records.h"
#include <cstdlib>

using namespace tilegpt::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const auto records = TuningRecords::parse(text, "fuzz");
  if (!records)
    return 0;
  const std::string written = records->format();
  const auto again = TuningRecords::parse(written, "fuzz");
  if (!again || again->format() != written)
    std::abort();
  auto merged = *records;
  if (!merged.merge(*again))
    std::abort();
  for (const TuningRecord &record : merged.records)
    if (!merged.find(record.key) || describe(record, 1).empty())
      std::abort();
  return 0;
}
