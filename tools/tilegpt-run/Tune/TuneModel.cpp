// First decides which launches the model has, then races choices for them: a
// challenger has one choice for every kernel, and each kernel's launches are
// compared separately.
#include "Tune/TuneModel.h"
#include "Tune/LaunchChanges.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;
using runtime::TuningRecord;
using runtime::TuningRecords;

namespace {

/// Launches that run the same code, in all plans.
struct Group {
  std::string kernel;
  runtime::LaunchKey key;
  runtime::Race race;
};

/// A number for each group; 0 where none of its launches ran.
using GroupSeconds = std::vector<double>;

class Tuner {
public:
  Tuner(const Options &options, const TuneRequest &request, Progress &progress)
      : options(options), progress(progress),
        tuning(options, request, progress) {}

  Result<int> tune();
  Result<int> verify();

private:
  void makeGroups(size_t choices);
  Result<void> changeLaunches();
  std::vector<runtime::Choice> choicesOf(const runtime::TunableLaunch &launch,
                                         size_t most) const;
  GroupSeconds sumGroups(const std::vector<double> &seconds) const;
  Result<void> compare(CompiledTrial &challenger, unsigned rounds,
                       const std::vector<runtime::Entrant *> &entrants,
                       const std::string &what, double untilShare);
  Result<void> race(unsigned rounds, size_t most, double untilShare,
                    const std::string &what);
  Result<void> writeTimes() const;
  Result<int> finish();
  Result<void> verifyChanges(std::vector<LaunchChange> changes,
                             const TuningRecords &records);
  Result<void> verifyChoices(const TuningRecords &records);
  void report(const TuningRecord &record, const runtime::Entrant &entrant);

  static TuningRecord recordOf(const Group &group,
                               const runtime::Entrant &entrant) {
    return ModelTuning::recordOf(group.kernel, group.key, entrant);
  }

  const Options &options;
  Progress &progress;
  ModelTuning tuning;
  std::vector<LaunchChange> changes;
  std::vector<size_t> groupOf; ///< by launch of the standard
  std::vector<Group> groups;
  std::string text;              ///< of the report
  size_t measured = 0, kept = 0; ///< records that are verified
};

} // namespace

/// Choices for a launch, ranked for the number of rows that it is measured
/// with.
std::vector<runtime::Choice>
Tuner::choicesOf(const runtime::TunableLaunch &launch, size_t most) const {
  // The first one is the compiler's own choice.
  std::vector<runtime::Choice> ranked;
  for (size_t i = 1; i < launch.ranked.size() && ranked.size() < most; ++i)
    ranked.push_back(launch.ranked[i].choice);
  if (!ranked.empty())
    return ranked;
  if (options.usesGpu() && most > 0)
    ranked = runtime::withOtherWarps({});
  std::vector<runtime::TunableParameter> parameters = launch.parameters;
  for (const BenchTest &test : options.bench) {
    const int64_t rows = test.tokens * test.sequences;
    if (rows < launch.key.firstRows || rows > launch.key.lastRows)
      continue;
    for (runtime::TunableParameter &parameter : parameters)
      if (parameter.isOfRows)
        parameter.extent = rows;
  }
  for (runtime::Choice &choice :
       runtime::rankChoices(parameters, tuning.device().lanes,
                            most - std::min(most, ranked.size())))
    ranked.push_back(std::move(choice));
  return ranked;
}

/// Finds the launches of the standard that differ.
void Tuner::makeGroups(size_t choices) {
  groupOf.clear();
  groups.clear();
  for (const runtime::TunableLaunch &launch : tuning.tunable().launches) {
    const auto known = std::ranges::find(groups, launch.key, &Group::key);
    groupOf.push_back(size_t(known - groups.begin()));
    if (known == groups.end())
      groups.push_back({launch.kernel, launch.key,
                        runtime::Race(choicesOf(launch, choices))});
  }
}

/// Decides row ranges and fusions, within a quarter of the remaining budget.
Result<void> Tuner::changeLaunches() {
  constexpr double ofRanges = 0.1, ofBoth = 0.25;
  // More plans cost memory and compilation time.
  constexpr double leastGainOfRange = 0.05, leastGainOfFusion = 0.02;
  const double used = tuning.usedShare(), left = 1 - used;
  changes = rangeChanges(tuning.tunable(), options.bench);
  if (auto done = adoptFaster(tuning, changes, used + ofRanges * left,
                              leastGainOfRange);
      !done)
    return done;
  std::vector<LaunchChange> fusions =
      fusionChanges(tuning.tunable(), options.bench);
  if (auto done =
          adoptFaster(tuning, fusions, used + ofBoth * left, leastGainOfFusion);
      !done)
    return done;
  std::ranges::move(fusions, std::back_inserter(changes));
  return {};
}

GroupSeconds Tuner::sumGroups(const std::vector<double> &seconds) const {
  GroupSeconds sums(groups.size());
  for (size_t i = 0; i < seconds.size(); ++i)
    sums[groupOf[i]] += seconds[i];
  return sums;
}

/// Runs a challenger with the launches of the standard.
/// \param entrants  by group; null where the challenger has the model's choice.
Result<void> Tuner::compare(CompiledTrial &challenger, unsigned rounds,
                            const std::vector<runtime::Entrant *> &entrants,
                            const std::string &what, double untilShare) {
  for (const BenchTest &test : options.bench) {
    auto done =
        tuning.alternate(challenger, test, rounds, untilShare, what,
                         [&](const auto &seconds, const auto &standardSeconds) {
                           const GroupSeconds mine = sumGroups(seconds),
                                              theirs =
                                                  sumGroups(standardSeconds);
                           for (size_t i = 0; i < groups.size(); ++i)
                             if (entrants[i] && mine[i] > 0 && theirs[i] > 0) {
                               entrants[i]->seconds.push_back(mine[i]);
                               entrants[i]->defaultSeconds.push_back(theirs[i]);
                             }
                           return true;
                         });
    if (!done)
      return done;
  }
  return {};
}

/// A heat: the best `most` choices of every kernel, `rounds` each.
/// \param untilShare  of the budget, when it is over.
Result<void> Tuner::race(unsigned rounds, size_t most, double untilShare,
                         const std::string &what) {
  std::vector<std::vector<runtime::Entrant *>> leaders;
  size_t longest = 0;
  for (Group &group : groups) {
    leaders.push_back(group.race.leaders(most));
    longest = std::max(longest, leaders.back().size());
  }
  for (size_t place = 0; place < longest && !tuning.isOver(untilShare);
       ++place) {
    std::vector<TuningRecord> records;
    std::vector<runtime::Entrant *> entrants(groups.size());
    for (size_t i = 0; i < groups.size(); ++i)
      if (place < leaders[i].size()) {
        entrants[i] = leaders[i][place];
        records.push_back(recordOf(groups[i], *entrants[i]));
      }
    auto challenger = tuning.challenge(
        records, runtime::concat(what, ", choice ", place + 1));
    if (!challenger)
      return tl::unexpected(challenger.error());
    if (!challenger->trial) {
      for (runtime::Entrant *entrant : entrants)
        if (entrant)
          entrant->isRefused = true;
      continue;
    }
    if (auto done = compare(
            *challenger, rounds, entrants,
            runtime::concat(what, ", choice ", place + 1, " of ", longest),
            untilShare);
        !done)
      return done;
  }
  return {};
}

/// Writes all measurements, whatever the outcome.
Result<void> Tuner::writeTimes() const {
  TuningRecords times{tuning.device(), {}};
  for (const LaunchChange &change : changes)
    if (!change.race.entrants().front().seconds.empty())
      times.records.push_back(change.record());
  for (const Group &group : groups)
    for (const runtime::Entrant &entrant : group.race.entrants())
      if (!entrant.seconds.empty())
        times.records.push_back(recordOf(group, entrant));
  return times.write(options.times);
}

Result<int> Tuner::finish() {
  progress.clear();
  TuningRecords records{tuning.device(), {}};
  size_t raced = 0, found = 0;
  for (const LaunchChange &change : changes)
    if (change.isAdopted) {
      records.records.push_back(change.record());
      text += runtime::describe(records.records.back(),
                                change.race.entrants().front().ratio());
    }
  const size_t adopted = records.records.size();
  for (const Group &group : groups) {
    raced += std::ranges::any_of(group.race.entrants(), [](const auto &each) {
      return !each.seconds.empty();
    });
    if (const runtime::Entrant *winner = group.race.winner()) {
      ++found;
      records.records.push_back(recordOf(group, *winner));
      text += runtime::describe(records.records.back(), winner->ratio());
    }
  }
  std::error_code ignored;
  if (std::filesystem::exists(options.records, ignored)) {
    auto known = TuningRecords::read(options.records);
    if (!known)
      return tl::unexpected(known.error());
    if (auto merged = records.merge(*known); !merged)
      return tl::unexpected(merged.error());
  }
  if (auto written = records.write(options.records); !written)
    return tl::unexpected(written.error());
  if (tuning.countWarnings() > 0)
    text += runtime::concat("choices that spill registers or whose plans do "
                            "not fit: ",
                            tuning.countWarnings(), "\n");
  if (!options.times.empty())
    if (auto written = writeTimes(); !written)
      return tl::unexpected(written.error());
  if (adopted > 0)
    text += runtime::concat(adopted, " of ", changes.size(),
                            " fusions and row ranges decided otherwise\n");
  text += runtime::concat("done: ", found, " of ", raced,
                          " kernels at least 2 % faster, in ",
                          options.records.string(), "\n");
  if (auto written = writeOutput(text); !written)
    return tl::unexpected(written.error());
  return tuning.exitCode();
}

Result<int> Tuner::tune() {
  constexpr size_t mostChoices = 24;
  if (auto started = tuning.start(); !started)
    return tl::unexpected(started.error());
  makeGroups(mostChoices);
  char line[160];
  std::snprintf(
      line, sizeof(line),
      "tune: %s, %zu kernels, %zu fusions, %zu row ranges, budget %.0f s\n",
      tuning.device().describe().c_str(), groups.size(),
      fusionChanges(tuning.tunable(), options.bench).size(),
      rangeChanges(tuning.tunable(), options.bench).size(), options.budget);
  if (auto written = writeOutput(line); !written)
    return tl::unexpected(written.error());
  if (auto changed = changeLaunches(); !changed)
    return tl::unexpected(changed.error());
  makeGroups(mostChoices);
  struct Heat {
    unsigned rounds;
    size_t choices;
    double share; ///< of the remaining budget, when it is over
  };
  // Half of the time to find who is worth more of it.
  constexpr Heat heats[] = {{3, mostChoices, 0.5}, {7, 6, 0.75}, {20, 2, 1}};
  const double used = tuning.usedShare();
  for (size_t i = 0; i < std::size(heats); ++i)
    if (auto raced =
            race(heats[i].rounds, heats[i].choices,
                 used + heats[i].share * (1 - used),
                 runtime::concat("heat ", i + 1, " of ", std::size(heats)));
        !raced)
      return tl::unexpected(raced.error());
  return finish();
}

/// Adds a record that was measured again to the report.
void Tuner::report(const TuningRecord &record,
                   const runtime::Entrant &entrant) {
  if (entrant.seconds.empty())
    return;
  text += runtime::describe(record, entrant.ratio());
  ++measured;
  kept += entrant.ratio() < 1;
}

constexpr unsigned verifiedRounds = 40;

/// Measures the changes for which there are records, each by itself, and adopts
/// them: the other records are for the launches that they make.
Result<void> Tuner::verifyChanges(std::vector<LaunchChange> found,
                                  const TuningRecords &records) {
  std::vector<TuningRecord> made;
  for (LaunchChange &change : found) {
    const auto isRecord = [&](const TuningRecord &record) {
      return record.key == change.key &&
             record.choice == change.entrant().choice;
    };
    if (std::ranges::none_of(records.records, isRecord))
      continue;
    if (auto raced = raceChange(tuning, change, verifiedRounds, verifiedRounds);
        !raced)
      return raced;
    made.push_back(change.record());
    report(made.back(), change.entrant());
  }
  return tuning.adopt(made);
}

Result<void> Tuner::verifyChoices(const TuningRecords &records) {
  makeGroups(0);
  std::vector<runtime::Entrant> all(groups.size());
  std::vector<runtime::Entrant *> entrants(groups.size());
  for (size_t i = 0; i < groups.size(); ++i)
    if (const TuningRecord *record = records.find(groups[i].key)) {
      all[i].choice = record->choice;
      entrants[i] = &all[i];
    }
  // The others are adopted, if they apply.
  std::vector<TuningRecord> ofLaunches = records.records;
  std::erase_if(ofLaunches, [](const TuningRecord &record) {
    return record.choice.isFused || record.choice.isRange;
  });
  auto challenger = tuning.compile(ofLaunches);
  if (!challenger)
    return tl::unexpected(challenger.error());
  const auto same = tuning.computesTheSame(*challenger->trial);
  if (!same)
    return tl::unexpected(same.error());
  if (!*same)
    return makeError(ErrorCode::Mismatch, "tune: with the records of '",
                     options.verify.string(), "' the model's results differ");
  if (auto done =
          compare(*challenger, verifiedRounds, entrants, "verifying", 1);
      !done)
    return done;
  for (size_t i = 0; i < groups.size(); ++i)
    report(recordOf(groups[i], all[i]), all[i]);
  return {};
}

Result<int> Tuner::verify() {
  const auto records = TuningRecords::read(options.verify);
  if (!records)
    return tl::unexpected(records.error());
  if (auto started = tuning.start(); !started)
    return tl::unexpected(started.error());
  if (records->device != tuning.device())
    return makeError(ErrorCode::Usage, "tune: '", options.verify.string(),
                     "' is for ", records->device.describe(), ", not for ",
                     tuning.device().describe());
  auto done =
      verifyChanges(rangeChanges(tuning.tunable(), options.bench), *records);
  if (done)
    done =
        verifyChanges(fusionChanges(tuning.tunable(), options.bench), *records);
  if (done)
    done = verifyChoices(*records);
  if (!done)
    return tl::unexpected(done.error());
  progress.clear();
  text += runtime::concat("kept ", kept, " of ", measured, " records\n");
  if (auto written = writeOutput(text); !written)
    return tl::unexpected(written.error());
  if (10 * kept < 9 * measured)
    return makeError(ErrorCode::Mismatch, "tune: ", measured - kept, " of ",
                     measured, " records of '", options.verify.string(),
                     "' are no faster than the default");
  return tuning.exitCode();
}

Result<int> run::runTune(const Options &options, const TuneRequest &request,
                         Progress &progress) {
  Tuner tuner(options, request, progress);
  return options.verify.empty() ? tuner.tune() : tuner.verify();
}
