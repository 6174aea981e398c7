// Finds the fastest of several choices for a launch, and whether the
// measurements suffice for a record.
#ifndef TILEGPT_RUNTIME_TUNING_RACE_H
#define TILEGPT_RUNTIME_TUNING_RACE_H

#include "TileGPT/Runtime/Tuning/Candidates.h"
#include <optional>

namespace tilegpt::runtime {

/// A choice and its times, with those of the default in the same rounds.
struct Entrant {
  Choice choice;
  std::vector<double> seconds, defaultSeconds; ///< by round
  bool isRefused = false; ///< its results differ, or it does not compile

  /// The median of the rounds' ratios: below 1 it is faster. 1 without rounds.
  double ratio() const;
  /// The fraction of rounds in which it was faster.
  double wins() const;
};

/// The record of an entrant, independent of its times.
/// \param tool  the version that measured.
TuningRecord recordOf(std::string kernel, LaunchKey key, const Entrant &entrant,
                      std::string tool);

/// The race of one launch. The caller runs the rounds.
class Race {
public:
  explicit Race(std::vector<Choice> choices);

  std::vector<Entrant> &entrants() { return all; }
  const std::vector<Entrant> &entrants() const { return all; }

  /// The best `most` choices that are not refused, best first; a choice without
  /// rounds ranks like the default.
  std::vector<Entrant *> leaders(size_t most);

  /// The best choice that qualifies for a record: at least 20 rounds,
  /// `leastGain` of the default's time saved in the median, and faster in nine
  /// tenths of the rounds. Null if there is none.
  const Entrant *winner(double leastGain = 0.02) const;

private:
  std::vector<Entrant> all;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_TUNING_RACE_H
