// Tuning records: parameters of launches that were measured to be faster than
// those of the cost model, for one device, in a JSON file.
#ifndef TILEGPT_RUNTIME_TUNING_RECORDS_H
#define TILEGPT_RUNTIME_TUNING_RECORDS_H

#include "TileGPT/Runtime/Error.h"
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::runtime {

/// The device of a record. Work is distributed differently with another number
/// of lanes.
struct TuningDevice {
  std::string architecture; ///< "x86_64", "sm_90a"
  std::string name;  ///< LLVM's name of a processor, the driver's name of a GPU
  int64_t lanes = 1; ///< threads, multiprocessors

  /// "x86_64 znver4 with 4 lanes".
  std::string describe() const;
  friend bool operator==(const TuningDevice &, const TuningDevice &) = default;
};

/// What identifies a launch: the text of the kernel before specialization, the
/// types of the operands, and the rows of the plan. The key of a pair of
/// launches that may be fused combines the keys of both.
struct LaunchKey {
  std::string digest; ///< SHA-256 of the text without names, 64 digits
  std::vector<std::string> operands;   ///< "?x768xbf16", "f32"
  int64_t firstRows = 0, lastRows = 0; ///< both 0 outside of plans

  friend auto operator<=>(const LaunchKey &, const LaunchKey &) = default;
};

/// The choices for a launch: tile sizes, and on a GPU overrides of the
/// compiler's plan for them ("stages", "parts": the integers of
/// `#tile_gpu.plan`). Cost models choose the rest. For a pair of launches:
/// whether they are fused. For a plan of a model: that it ends at the rows of
/// the key.
struct Choice {
  std::map<std::string, int64_t> parameters, plan;
  std::optional<bool> isFused = std::nullopt;
  bool isRange = false;

  friend auto operator<=>(const Choice &, const Choice &) = default;
};

/// " BM=128 BN=96 plan.parts=2", " fused", " apart", " range".
std::string describe(const Choice &choice);

/// The measurements behind a choice.
struct TuningMeasurement {
  double microseconds = 0, defaultMicroseconds = 0;
  double wins = 0; ///< fraction of the paired samples that the choice won
  int64_t samples = 0;
};

struct TuningRecord {
  std::string kernel; ///< for people
  LaunchKey key;
  Choice choice;
  TuningMeasurement measured;
  std::string tool; ///< version that measured
};

/// A line of text: kernel, rows, times, parameters.
/// \param ratio  of the times, compared round by round.
std::string describe(const TuningRecord &record, double ratio);

/// The records of one file.
struct TuningRecords {
  TuningDevice device;
  std::vector<TuningRecord> records;

  /// The record of a launch: same text and operands, for a range of rows that
  /// includes the plan's; the narrowest of several. Null if there is none.
  const TuningRecord *find(const LaunchKey &key) const;

  /// Merges the records of another file. Of two with the same key the one with
  /// more samples is kept, then the one that saves more, then the one with
  /// smaller numbers, so the order of files does not matter.
  /// \returns Usage if they are for another device.
  Result<void> merge(const TuningRecords &other);

  /// The text of a file, one record per line, in a canonical order: equal
  /// records have equal texts.
  std::string format() const;

  /// \param where  starts every message: "tuning: 'h200.json'".
  /// \returns BadInput; for invalid JSON with line and column.
  static Result<TuningRecords> parse(std::string_view text,
                                     std::string_view where);
  static Result<TuningRecords> read(const std::filesystem::path &path);
  /// Replaces a file atomically.
  Result<void> write(const std::filesystem::path &path) const;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_TUNING_RECORDS_H
