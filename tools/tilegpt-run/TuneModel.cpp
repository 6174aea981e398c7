// A challenger is the whole model compiled with one choice for every kernel; it
// and the model's own choices run in turns, and each kernel's launches are
// compared by themselves.
#include "TuneModel.h"
#include "ChooseEngine.h"
#include "Measure/Bench.h"
#include "Measure/TemporaryFile.h"
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

/// The model compiled with some records, ready to run.
struct Trial {
  explicit Trial(bundle::Bundle model) : model(std::move(model)) {}

  bundle::Bundle model;
  std::optional<runtime::Session> session;
};

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
  Result<std::unique_ptr<Trial>> makeTrial(const TuningRecords *records);
  Result<void> start(size_t choices);
  void makeGroups(size_t choices);
  std::vector<runtime::Choice> choicesOf(const runtime::TunableLaunch &launch,
                                         size_t most) const;
  Result<GroupSeconds> runOnce(Trial &trial, const BenchTest &test);
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
  std::unique_ptr<Trial> standard; ///< with what the models choose
  runtime::TuningDevice device;
  std::vector<runtime::TunableLaunch> launches; ///< plan after plan
  std::vector<size_t> groupOf;                  ///< by launch
  std::vector<Group> groups;
  std::vector<int32_t> ids;
};

} // namespace

/// \param records  to apply; null: none.
Result<std::unique_ptr<Trial>> Tuner::makeTrial(const TuningRecords *records) {
  const TemporaryFile file("tilegpt-tune");
  Options compile = options;
  compile.tuning.clear();
  LoadRequest load = request.load;
  if (records) {
    if (auto written = records->write(file.path()); !written)
      return tl::unexpected(written.error());
    compile.tuning = file.path();
  } else {
    load.tunable = [this](const auto &forDevice, const auto &found) {
      device = forDevice;
      launches = found;
    };
  }
  auto image = compileSource(compile, request.source, load, progress);
  if (!image)
    return tl::unexpected(image.error());
  auto bundle = bundle::Bundle::fromBytes(std::move(*image));
  if (!bundle)
    return tl::unexpected(bundle.error());
  auto trial = std::make_unique<Trial>(std::move(*bundle));
  if (auto resolved = request.resolveWeights(trial->model); !resolved)
    return tl::unexpected(resolved.error());
  auto engine = makeEngine(options, trial->model, request.gpu);
  if (!engine)
    return tl::unexpected(engine.error());
  auto session = runtime::Session::create(
      trial->model, request.weights, std::move(*engine), sequencesOf(options));
  if (!session)
    return tl::unexpected(session.error());
  trial->session.emplace(std::move(*session));
  return trial;
}

/// What a launch may be given, ranked for the rows that it will be measured
/// with.
std::vector<runtime::Choice>
Tuner::choicesOf(const runtime::TunableLaunch &launch, size_t most) const {
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
  auto trial = makeTrial(nullptr);
  if (!trial)
    return tl::unexpected(trial.error());
  standard = std::move(*trial);
  makeGroups(choices);
  ids = benchIds(options, standard->model.model().vocabulary);
  for (const BenchTest &test : options.bench)
    if (test.tokens + test.depth > standard->model.model().capacity)
      return makeError(ErrorCode::OutOfRange, "tune: ", test.name(),
                       " does not fit in a context of ",
                       standard->model.model().capacity);
  return {};
}

/// Runs a step; its sequences stay as they were.
Result<GroupSeconds> Tuner::runOnce(Trial &trial, const BenchTest &test) {
  runtime::Session &session = *trial.session;
  std::vector<int32_t> step;
  for (int64_t i = 0; i < test.tokens * test.sequences; ++i)
    step.push_back(ids[size_t(i) % ids.size()]);
  runtime::LaunchTimes times;
  session.setObserver(&times);
  const auto done = session.append({test.kind, test.sequences, step});
  session.setObserver(nullptr);
  if (!done)
    return tl::unexpected(done.error());
  for (int64_t b = 0; b < test.sequences; ++b)
    session.truncate(b, test.depth);

  GroupSeconds sums(groups.size());
  for (const bundle::Plan &plan : trial.model.plans()) {
    const auto planLaunches = trial.model.launches(plan);
    const auto first = std::ranges::find(
        launches, trial.model.string(plan.name), &runtime::TunableLaunch::plan);
    const auto place = size_t(first - launches.begin());
    for (size_t i = 0; i < planLaunches.size(); ++i)
      if (times.hasSeen(planLaunches[i]) && place + i < launches.size())
        sums[groupOf[place + i]] += times.secondsOf(planLaunches[i]);
  }
  return sums;
}

/// Whether a challenger's results are those of the standard, but for the order
/// of sums.
Result<bool> Tuner::computesTheSame(Trial &challenger) {
  const double tolerance =
      options.dtype.value_or(Dtype::F32) == Dtype::F32 ? 1e-3 : 5e-2;
  for (const BenchTest &test : options.bench) {
    std::vector<float> expected;
    for (Trial *trial : {standard.get(), &challenger}) {
      const auto step = prepareTest(test, *trial->session, ids);
      if (!step)
        return tl::unexpected(step.error());
      const auto logits =
          trial->session->append({test.kind, test.sequences, *step});
      if (!logits)
        return tl::unexpected(logits.error());
      for (int64_t b = 0; b < test.sequences; ++b)
        trial->session->truncate(b, test.depth);
      if (trial == standard.get()) {
        expected.assign(logits->begin(), logits->end());
        continue;
      }
      double largest = 0, difference = 0;
      for (size_t i = 0; i < expected.size(); ++i) {
        largest = std::max(largest, std::abs(double(expected[i])));
        const double each = std::abs(double(expected[i]) - (*logits)[i]);
        difference = each <= difference ? difference : each; // NaN stays
      }
      if (!(difference <= tolerance * largest))
        return false;
    }
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
      if (const auto step = prepareTest(test, *trial->session, ids); !step)
        return tl::unexpected(step.error());
    for (unsigned round = 0; round < rounds && !isOver(untilShare); ++round) {
      char line[160];
      std::snprintf(line, sizeof(line), "tuning: %s, %.0f of %.0f s",
                    what.c_str(), seconds(), options.budget);
      progress.show(line);
      GroupSeconds mine, theirs;
      // Who goes first changes from round to round.
      for (const bool isChallenger : {round % 2 == 0, round % 2 != 0}) {
        auto ran = runOnce(isChallenger ? challenger : *standard, test);
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
  record.parameters = entrant.choice;
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
    auto challenger = makeTrial(&records);
    auto same = challenger ? computesTheSame(**challenger)
                           : Result<bool>(tl::unexpected(challenger.error()));
    if (!same || !*same) {
      progress.clear();
      std::fprintf(stderr, "tilegpt-run: warning: tune: %s, choice %zu: %s\n",
                   what.c_str(), place + 1,
                   same ? "the model computes something else"
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
  text += runtime::concat("done: ", found, " of ", raced,
                          " kernels better by 2 % and more, in ",
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
      all[i].choice = record->parameters;
      entrants[i] = &all[i];
    }
  auto challenger = makeTrial(&*records);
  if (!challenger)
    return tl::unexpected(challenger.error());
  const auto same = computesTheSame(**challenger);
  if (!same)
    return tl::unexpected(same.error());
  if (!*same)
    return makeError(ErrorCode::Mismatch, "tune: with the records of '",
                     options.verify.string(),
                     "' the model computes something else");
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
