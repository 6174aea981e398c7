// Which of several choices for a launch is the fastest, and whether it is known
// well enough to be written down.
#ifndef TILEGPT_RUNTIME_TUNING_RACE_H
#define TILEGPT_RUNTIME_TUNING_RACE_H

#include "TileGPT/Runtime/Tuning/Candidates.h"
#include <optional>

namespace tilegpt::runtime {

/// A choice and how it did beside the default, in the same rounds.
struct Entrant {
  Choice choice;
  std::vector<double> seconds, defaultSeconds; ///< by round
  bool isRefused = false; ///< it computes something else, or does not compile

  /// The median of the rounds' ratios: below 1 it is faster. 1 without rounds.
  double ratio() const;
  /// Part of the rounds in which it was faster.
  double wins() const;
};

/// The race of one launch. Rounds are run by others, in context.
class Race {
public:
  explicit Race(std::vector<Choice> choices);

  std::vector<Entrant> &entrants() { return all; }
  const std::vector<Entrant> &entrants() const { return all; }

  /// The best `most` that are not refused, best first; those that have not run
  /// yet count as good as the default.
  std::vector<Entrant *> leaders(size_t most);

  /// The best of those that may be written down: at least 20 rounds, 2 % better
  /// than the default, better in nine tenths of the rounds. Null if there is
  /// none.
  const Entrant *winner() const;

private:
  std::vector<Entrant> all;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_TUNING_RACE_H
