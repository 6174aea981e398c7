// Lookup and merging of records; RecordsText.cpp handles the text.
#include "TileGPT/Runtime/Tuning/Records.h"
#include <algorithm>
#include <tuple>

using namespace tilegpt;
using namespace tilegpt::runtime;

std::string TuningDevice::describe() const {
  return concat(architecture, " ", name, " with ", lanes,
                lanes == 1 ? " lane" : " lanes");
}

static bool covers(const LaunchKey &record, const LaunchKey &launch) {
  return record.digest == launch.digest && record.operands == launch.operands &&
         record.firstRows <= launch.firstRows &&
         launch.lastRows <= record.lastRows;
}

const TuningRecord *TuningRecords::find(const LaunchKey &key) const {
  const TuningRecord *best = nullptr;
  const auto rowsOf = [](const TuningRecord &record) {
    return record.key.lastRows - record.key.firstRows;
  };
  for (const TuningRecord &record : records)
    if (covers(record.key, key) && (!best || rowsOf(record) < rowsOf(*best)))
      best = &record;
  return best;
}

/// The order of records with the same key; the greater is better.
static std::tuple<int64_t, double> worth(const TuningRecord &record) {
  const TuningMeasurement &measured = record.measured;
  return {measured.samples,
          measured.defaultMicroseconds > 0
              ? 1 - measured.microseconds / measured.defaultMicroseconds
              : 0};
}

Result<void> TuningRecords::merge(const TuningRecords &other) {
  if (device != other.device)
    return makeError(ErrorCode::Usage, "tuning: expected records for ",
                     device.describe(), ", got some for ",
                     other.device.describe());
  for (const TuningRecord &record : other.records) {
    const auto known =
        std::ranges::find(records, record.key, &TuningRecord::key);
    if (known == records.end())
      records.push_back(record);
    else if (std::pair(worth(*known), record.choice) <
             std::pair(worth(record), known->choice))
      *known = record;
  }
  return {};
}
