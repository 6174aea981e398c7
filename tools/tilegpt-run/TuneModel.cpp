// A challenger is the whole model compiled with one choice for every kernel; it
// and the model's own choices run in turns, and each kernel's launches are
// compared by themselves.
#include "TuneModel.h"
#include "Measure/Bench.h"
#include "Terminal/Interrupt.h"
#include "TileGPT/Runtime/Profile/LaunchTimes.h"
#include "TileGPT/Runtime/Tuning/Race.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;
using runtime::TuningRecord;
using runtime::TuningRecords;

using Clock = std::chrono::steady_clock;

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
      : options(options), request(request), progress(progress),
        begin(Clock::now()) {}

  Result<int> tune();
  Result<int> verify();

private:
  Result<void> start(size_t choices);
  void makeGroups(size_t choices);
  std::vector<runtime::Choice> choicesOf(const runtime::TunableLaunch &launch,
                                         size_t most) const;
  Result<GroupSeconds> time(Trial &trial, const BenchTest &test);
  Result<void> compare(Trial &challenger, unsigned rounds,
                       const std::vector<runtime::Entrant *> &entrants,
                       const std::string &what, double untilShare);
  Result<bool> computesTheSame(Trial &challenger);
  Result<void> race(unsigned rounds, size_t most, double untilShare,
                    const std::string &what);
  TuningRecord recordOf(const Group &group,
                        const runtime::Entrant &entrant) const;
  Result<int> finish();

  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }
  bool isOver(double share) const {
    return interrupt.requested() || seconds() > share * options.budget;
  }

  const Options &options;
  const TuneRequest &request;
  Progress &progress;
  Clock::time_point begin;
  InterruptGuard interrupt;
  std::unique_ptr<Trial> standard; ///< with the models' choices
  runtime::TuningDevice device;
  std::vector<runtime::TunableLaunch> launches; ///< plan after plan
  std::vector<size_t> groupOf;                  ///< by launch
  std::vector<Group> groups;
  std::vector<int32_t> ids;
  size_t warnings = 0; ///< of challengers
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
  std::vector<runtime::TunableParameter> parameters = launch.parameters;
  for (const BenchTest &test : options.bench) {
    const int64_t rows = test.tokens * test.sequences;
    if (rows < launch.key.firstRows || rows > launch.key.lastRows)
      continue;
    for (runtime::TunableParameter &parameter : parameters)
      if (parameter.isOfRows)
        parameter.extent = rows;
  }
  return runtime::rankChoices(parameters, device.lanes, most);
}

/// Finds the launches of the model that differ.
void Tuner::makeGroups(size_t choices) {
  for (const runtime::TunableLaunch &launch : launches) {
    const auto known = std::ranges::find(groups, launch.key, &Group::key);
    groupOf.push_back(size_t(known - groups.begin()));
    if (known == groups.end())
      groups.push_back({launch.kernel, launch.key,
                        runtime::Race(choicesOf(launch, choices))});
  }
}

Result<void> Tuner::start(size_t choices) {
  auto trial = Trial::create(options, request, progress, nullptr,
                             [this](const auto &forDevice, const auto &found) {
                               device = forDevice;
                               launches = found;
                             });
  if (!trial)
    return tl::unexpected(trial.error());
  standard = std::move(*trial);
  makeGroups(choices);
  ids = benchIds(options, standard->model().vocabulary);
  for (const BenchTest &test : options.bench)
    if (test.tokens + test.depth > standard->model().capacity)
      return makeError(ErrorCode::OutOfRange, "tune: ", test.name(),
                       " does not fit in a context of ",
                       standard->model().capacity);
  return {};
}

/// Runs a step; its sequences stay as they were.
Result<GroupSeconds> Tuner::time(Trial &trial, const BenchTest &test) {
  const auto seconds = trial.time(test, ids, launches);
  if (!seconds)
    return tl::unexpected(seconds.error());
  GroupSeconds sums(groups.size());
  for (size_t i = 0; i < launches.size(); ++i)
    sums[groupOf[i]] += (*seconds)[i];
  return sums;
}

/// Whether a challenger's results are those of the standard, but for the order
/// of sums.
Result<bool> Tuner::computesTheSame(Trial &challenger) {
  const double tolerance =
      options.dtype.value_or(Dtype::F32) == Dtype::F32 ? 1e-3 : 5e-2;
  for (const BenchTest &test : options.bench) {
    std::vector<float> logits[2];
    for (const bool isChallenger : {false, true}) {
      Trial &trial = isChallenger ? challenger : *standard;
      if (auto prepared = trial.prepare(test, ids); !prepared)
        return tl::unexpected(prepared.error());
      auto ran = trial.run(test, ids);
      if (!ran)
        return tl::unexpected(ran.error());
      logits[isChallenger] = std::move(*ran);
    }
    double largest = 0;
    for (const float logit : logits[0])
      largest = std::max(largest, std::abs(double(logit)));
    // A NaN is not within any bound.
    for (size_t i = 0; i < logits[0].size(); ++i)
      if (!(std::abs(double(logits[0][i]) - logits[1][i]) <=
            tolerance * largest))
        return false;
  }
  return true;
}

/// Runs a challenger and the standard in turns.
/// \param entrants  by group; null where the challenger has the model's choice.
Result<void> Tuner::compare(Trial &challenger, unsigned rounds,
                            const std::vector<runtime::Entrant *> &entrants,
                            const std::string &what, double untilShare) {
  for (const BenchTest &test : options.bench) {
    for (Trial *trial : {standard.get(), &challenger})
      if (auto prepared = trial->prepare(test, ids); !prepared)
        return prepared;
    for (unsigned round = 0; round < rounds && !isOver(untilShare); ++round) {
      char line[160];
      std::snprintf(line, sizeof(line), "tuning: %s, %.0f of %.0f s",
                    what.c_str(), seconds(), options.budget);
      progress.show(line);
      GroupSeconds mine, theirs;
      // Who goes first changes from round to round.
      for (const bool isChallenger : {round % 2 == 0, round % 2 != 0}) {
        auto ran = time(isChallenger ? challenger : *standard, test);
        if (!ran)
          return tl::unexpected(ran.error());
        (isChallenger ? mine : theirs) = std::move(*ran);
      }
      for (size_t i = 0; i < groups.size(); ++i)
        if (entrants[i] && mine[i] > 0 && theirs[i] > 0) {
          entrants[i]->seconds.push_back(mine[i]);
          entrants[i]->defaultSeconds.push_back(theirs[i]);
        }
    }
  }
  return {};
}

TuningRecord Tuner::recordOf(const Group &group,
                             const runtime::Entrant &entrant) const {
  TuningRecord record;
  record.kernel = group.kernel;
  record.key = group.key;
  record.choice = entrant.choice;
  record.measured = {1e6 * runtime::medianOf(entrant.seconds),
                     1e6 * runtime::medianOf(entrant.defaultSeconds),
                     entrant.wins(), int64_t(entrant.seconds.size())};
  record.tool = TILEGPT_VERSION;
  return record;
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
  for (size_t place = 0; place < longest && !isOver(untilShare); ++place) {
    TuningRecords records{device, {}};
    std::vector<runtime::Entrant *> entrants(groups.size());
    for (size_t i = 0; i < groups.size(); ++i)
      if (place < leaders[i].size()) {
        entrants[i] = leaders[i][place];
        records.records.push_back(recordOf(groups[i], *entrants[i]));
      }
    // What spills registers is slower or not, as measured.
    auto challenger =
        Trial::create(options, request, progress, &records, nullptr,
                      [this](std::string_view) { ++warnings; });
    auto same = challenger ? computesTheSame(**challenger)
                           : Result<bool>(tl::unexpected(challenger.error()));
    if (!same || !*same) {
      progress.clear();
      std::fprintf(stderr, "tilegpt-run: warning: tune: %s, choice %zu: %s\n",
                   what.c_str(), place + 1,
                   same ? "the model's results differ"
                        : same.error().message.c_str());
      for (runtime::Entrant *entrant : entrants)
        if (entrant)
          entrant->isRefused = true;
      continue;
    }
    if (auto done = compare(
            **challenger, rounds, entrants,
            runtime::concat(what, ", choice ", place + 1, " of ", longest),
            untilShare);
        !done)
      return done;
  }
  return {};
}

Result<int> Tuner::finish() {
  progress.clear();
  TuningRecords records{device, {}};
  std::string text;
  size_t raced = 0;
  for (const Group &group : groups) {
    raced += std::ranges::any_of(group.race.entrants(), [](const auto &each) {
      return !each.seconds.empty();
    });
    if (const runtime::Entrant *winner = group.race.winner()) {
      records.records.push_back(recordOf(group, *winner));
      text += runtime::describe(records.records.back(), winner->ratio());
    }
  }
  const size_t found = records.records.size();
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
  if (warnings > 0)
    text += runtime::concat("choices that spill registers or whose plans do "
                            "not fit: ",
                            warnings, "\n");
  text += runtime::concat("done: ", found, " of ", raced,
                          " kernels at least 2 % faster, in ",
                          options.records.string(), "\n");
  if (auto written = writeOutput(text); !written)
    return tl::unexpected(written.error());
  return interrupt.exitCode();
}

Result<int> Tuner::tune() {
  constexpr size_t mostChoices = 24;
  if (auto started = start(mostChoices); !started)
    return tl::unexpected(started.error());
  char line[160];
  std::snprintf(line, sizeof(line), "tune: %s, %zu kernels, budget %.0f s\n",
                device.describe().c_str(), groups.size(), options.budget);
  if (auto written = writeOutput(line); !written)
    return tl::unexpected(written.error());
  struct Heat {
    unsigned rounds;
    size_t choices;
    double untilShare;
  };
  // Half of the time to find who is worth more of it.
  constexpr Heat heats[] = {{3, mostChoices, 0.5}, {7, 6, 0.75}, {20, 2, 1}};
  for (size_t i = 0; i < std::size(heats); ++i)
    if (auto raced =
            race(heats[i].rounds, heats[i].choices, heats[i].untilShare,
                 runtime::concat("heat ", i + 1, " of ", std::size(heats)));
        !raced)
      return tl::unexpected(raced.error());
  return finish();
}

Result<int> Tuner::verify() {
  const auto records = TuningRecords::read(options.verify);
  if (!records)
    return tl::unexpected(records.error());
  if (auto started = start(0); !started)
    return tl::unexpected(started.error());
  if (records->device != device)
    return makeError(ErrorCode::Usage, "tune: '", options.verify.string(),
                     "' is for ", records->device.describe(), ", not for ",
                     device.describe());
  std::vector<runtime::Entrant> all(groups.size());
  std::vector<runtime::Entrant *> entrants(groups.size());
  for (size_t i = 0; i < groups.size(); ++i)
    if (const TuningRecord *record = records->find(groups[i].key)) {
      all[i].choice = record->choice;
      entrants[i] = &all[i];
    }
  auto challenger = Trial::create(options, request, progress, &*records);
  if (!challenger)
    return tl::unexpected(challenger.error());
  const auto same = computesTheSame(**challenger);
  if (!same)
    return tl::unexpected(same.error());
  if (!*same)
    return makeError(ErrorCode::Mismatch, "tune: with the records of '",
                     options.verify.string(), "' the model's results differ");
  constexpr unsigned rounds = 40;
  if (auto done = compare(**challenger, rounds, entrants, "verifying", 1);
      !done)
    return tl::unexpected(done.error());
  progress.clear();
  std::string text;
  size_t measured = 0, kept = 0;
  for (size_t i = 0; i < groups.size(); ++i)
    if (!all[i].seconds.empty()) {
      text += runtime::describe(recordOf(groups[i], all[i]), all[i].ratio());
      ++measured;
      kept += all[i].ratio() < 1;
    }
  text += runtime::concat("kept ", kept, " of ", measured, " records\n");
  if (auto written = writeOutput(text); !written)
    return tl::unexpected(written.error());
  if (10 * kept < 9 * measured)
    return makeError(ErrorCode::Mismatch, "tune: ", measured - kept, " of ",
                     measured, " records of '", options.verify.string(),
                     "' are no faster than the default");
  return interrupt.exitCode();
}

Result<int> run::runTune(const Options &options, const TuneRequest &request,
                         Progress &progress) {
  Tuner tuner(options, request, progress);
  return options.verify.empty() ? tuner.tune() : tuner.verify();
}
