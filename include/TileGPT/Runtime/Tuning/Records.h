// What measuring has found out: parameters of launches that are faster than
// those a model chooses, for one device, in a file of JSON.
#ifndef TILEGPT_RUNTIME_TUNING_RECORDS_H
#define TILEGPT_RUNTIME_TUNING_RECORDS_H

#include "TileGPT/Runtime/Error.h"
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::runtime {

/// The device of a record. With another number of lanes work is distributed
/// differently.
struct TuningDevice {
  std::string architecture; ///< "x86_64", "sm_90a"
  std::string name;  ///< LLVM's name of a processor, the driver's of a GPU
  int64_t lanes = 1; ///< threads, multiprocessors

  /// "x86_64 znver4 with 4 lanes".
  std::string describe() const;
  friend bool operator==(const TuningDevice &, const TuningDevice &) = default;
};

/// What two launches have in common that run the same code: the text of the
/// kernel before it is specialized, types of operands, rows of the plan.
struct LaunchKey {
  std::string digest; ///< SHA-256 of the text without names, 64 digits
  std::vector<std::string> operands;   ///< "?x768xbf16", "f32"
  int64_t firstRows = 0, lastRows = 0; ///< both 0 outside of plans

  friend auto operator<=>(const LaunchKey &, const LaunchKey &) = default;
};

/// The choices for a launch: tile sizes, and overrides of the plan that the
/// compiler would make for them on a GPU ("stages", "parts": the integers of
/// `#tile_gpu.plan`). Models choose the rest.
struct Choice {
  std::map<std::string, int64_t> parameters, plan;

  friend auto operator<=>(const Choice &, const Choice &) = default;
};

/// " BM=128 BN=96 plan.parts=2".
std::string describe(const Choice &choice);

/// How a choice was found to be better.
struct TuningMeasurement {
  double microseconds = 0, defaultMicroseconds = 0;
  double wins = 0; ///< part of the paired samples that the choice won
  int64_t samples = 0;
};

struct TuningRecord {
  std::string kernel; ///< for people
  LaunchKey key;
  Choice choice;
  TuningMeasurement measured;
  std::string tool; ///< version that measured
};

/// A line for people: kernel, rows, times, parameters.
/// \param ratio  of the times, as they were compared round by round.
std::string describe(const TuningRecord &record, double ratio);

/// The records of one file.
struct TuningRecords {
  TuningDevice device;
  std::vector<TuningRecord> records;

  /// The record of a launch: of the same text and operands, for rows that
  /// include those of the plan; the one for the fewest. Null if there is none.
  const TuningRecord *find(const LaunchKey &key) const;

  /// Takes another file's records in. Of two with one key the one of more
  /// samples stays, then the one that saves more, then the one of smaller
  /// numbers: the order of files makes no difference.
  /// \returns Usage if they are for another device.
  Result<void> merge(const TuningRecords &other);

  /// The text of a file, a line a record, in an order of its own: the same
  /// records are the same text.
  std::string format() const;

  /// \param where  starts every message: "tuning: 'h200.json'".
  /// \returns BadInput, for text that is no JSON with line and column.
  static Result<TuningRecords> parse(std::string_view text,
                                     std::string_view where);
  static Result<TuningRecords> read(const std::filesystem::path &path);
  /// Replaces a file as a whole or not at all.
  Result<void> write(const std::filesystem::path &path) const;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_TUNING_RECORDS_H
