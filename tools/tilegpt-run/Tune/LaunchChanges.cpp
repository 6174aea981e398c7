// Matches launches by plan and key. Launches that both models have equally
// often are no change.
#include "Tune/LaunchChanges.h"
#include <algorithm>
#include <map>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::Choice;
using runtime::Result;
using runtime::TunableLaunch;

static void addChange(std::vector<LaunchChange> &changes, std::string name,
                      runtime::LaunchKey key, Choice choice) {
  if (std::ranges::find(changes, key, &LaunchChange::key) == changes.end())
    changes.push_back(
        {std::move(name), std::move(key), runtime::Race({std::move(choice)})});
}

static int64_t rowsOf(const BenchTest &test) {
  return test.tokens * test.sequences;
}

/// Whether a step may have the rows of a key.
static bool covers(const runtime::LaunchKey &key, const BenchTest &test) {
  return key.firstRows <= rowsOf(test) && rowsOf(test) <= key.lastRows;
}

std::vector<LaunchChange>
run::fusionChanges(const runtime::TunableModel &model,
                   const std::vector<BenchTest> &bench) {
  std::vector<LaunchChange> changes;
  for (const runtime::TunableFusion &fusion : model.fusions) {
    if (std::ranges::none_of(bench, [&](const BenchTest &test) {
          return covers(fusion.key, test);
        }))
      continue;
    Choice otherwise;
    otherwise.isFused = !fusion.isFused;
    addChange(changes, fusion.name, fusion.key, std::move(otherwise));
  }
  return changes;
}

std::vector<LaunchChange>
run::rangeChanges(const runtime::TunableModel &model,
                  const std::vector<BenchTest> &bench) {
  std::vector<LaunchChange> changes;
  for (const runtime::TunablePlan &plan : model.plans)
    for (const BenchTest &test : bench) {
      const int64_t rows = rowsOf(test);
      if (plan.kind() != test.kindName() || !covers(plan.key, test) ||
          rows == plan.key.lastRows)
        continue;
      runtime::LaunchKey key = plan.key;
      key.lastRows = rows;
      Choice own;
      own.isRange = true;
      addChange(changes, plan.model, std::move(key), std::move(own));
    }
  return changes;
}

/// Which of some launches another model does not have as often in a plan.
static std::vector<bool>
differencesOf(const std::vector<TunableLaunch> &launches,
              const std::vector<TunableLaunch> &others) {
  std::map<std::pair<std::string, runtime::LaunchKey>, int64_t> more;
  for (const TunableLaunch &launch : launches)
    ++more[{launch.plan, launch.key}];
  for (const TunableLaunch &other : others)
    --more[{other.plan, other.key}];
  std::vector<bool> differences;
  for (const TunableLaunch &launch : launches)
    differences.push_back(more.at({launch.plan, launch.key}) != 0);
  return differences;
}

static double sumOf(const std::vector<double> &seconds,
                    const std::vector<bool> &counts) {
  double sum = 0;
  for (size_t i = 0; i < seconds.size(); ++i)
    sum += counts[i] ? seconds[i] : 0;
  return sum;
}

Result<void> run::raceChange(ModelTuning &tuning, LaunchChange &change,
                             unsigned least, unsigned most) {
  constexpr double untilShare = 1;
  runtime::Entrant &entrant = change.entrant();
  const std::string what = change.name + runtime::describe(entrant.choice);
  auto challenger = tuning.challenge({change.record()}, what);
  if (!challenger)
    return tl::unexpected(challenger.error());
  if (!challenger->trial) {
    entrant.isRefused = true;
    return {};
  }
  const auto &mine = challenger->tunable.launches,
             &theirs = tuning.tunable().launches;
  const std::vector<bool> onlyMine = differencesOf(mine, theirs),
                          onlyTheirs = differencesOf(theirs, mine);
  for (const BenchTest &test : tuning.options.bench) {
    if (!covers(change.key, test))
      continue;
    unsigned rounds = 0;
    auto done =
        tuning.alternate(*challenger, test, most, untilShare, what,
                         [&](const auto &seconds, const auto &standardSeconds) {
                           const double changed = sumOf(seconds, onlyMine),
                                        standard =
                                            sumOf(standardSeconds, onlyTheirs);
                           // Zero in the steps of other plans.
                           if (changed == 0 || standard == 0)
                             return false;
                           entrant.seconds.push_back(changed);
                           entrant.defaultSeconds.push_back(standard);
                           return ++rounds < least || entrant.ratio() < 1;
                         });
    if (!done)
      return done;
  }
  return {};
}

Result<void> run::adoptFaster(ModelTuning &tuning,
                              std::vector<LaunchChange> &changes,
                              double untilShare, double leastGain) {
  constexpr unsigned least = 3, most = 30;
  std::vector<runtime::TuningRecord> records;
  for (LaunchChange &change : changes) {
    // Compilation takes longer than the rounds.
    if (tuning.isOver(untilShare))
      break;
    if (auto raced = raceChange(tuning, change, least, most); !raced)
      return raced;
    change.isAdopted = change.race.winner(leastGain) != nullptr;
    if (change.isAdopted)
      records.push_back(change.record());
  }
  return tuning.adopt(records);
}
