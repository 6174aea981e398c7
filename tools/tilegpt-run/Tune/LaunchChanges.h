// Changes of which launches a model has, raced one at a time: a fusion decided
// otherwise, a plan cut in two.
#ifndef TILEGPT_TOOLS_RUN_TUNE_LAUNCHCHANGES_H
#define TILEGPT_TOOLS_RUN_TUNE_LAUNCHCHANGES_H

#include "Tune/ModelTuning.h"

namespace tilegpt::run {

/// A change and its times. They are those of the launches that only one of the
/// two models has.
struct LaunchChange {
  std::string name; ///< of the kernels, or of the model
  runtime::LaunchKey key;
  runtime::Race race; ///< with one choice
  bool isAdopted = false;

  runtime::Entrant &entrant() { return race.entrants().front(); }
  runtime::TuningRecord record() const {
    return ModelTuning::recordOf(name, key, race.entrants().front());
  }
};

/// The legal fusions of launches in the steps of `bench`, each decided
/// otherwise.
std::vector<LaunchChange> fusionChanges(const runtime::TunableModel &model,
                                        const std::vector<BenchTest> &bench);

/// Plans that end at the rows of a step in `bench`, whereas the standard's plan
/// continues.
std::vector<LaunchChange> rangeChanges(const runtime::TunableModel &model,
                                       const std::vector<BenchTest> &bench);

/// Races one change, on the steps within its rows.
/// \param least  rounds of each step; more only as long as it is faster.
runtime::Result<void> raceChange(ModelTuning &tuning, LaunchChange &change,
                                 unsigned least, unsigned most);

/// Races changes in order and adopts those that save at least `leastGain`.
/// \param untilShare  of the budget, after which no other change is tried.
runtime::Result<void> adoptFaster(ModelTuning &tuning,
                                  std::vector<LaunchChange> &changes,
                                  double untilShare, double leastGain);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_TUNE_LAUNCHCHANGES_H
