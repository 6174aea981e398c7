// Measures launch after launch, with compilation a few launches ahead.
#include "TileGPT/Compiler/TuneLaunches.h"
#include "DeviceCode.h"
#include "HostCode.h"
#include "LaunchTuning/LaunchRace.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include "TileGPT/Runtime/Profile/LaunchTimes.h"
#include <cmath>
#include <cstdio>

using namespace tilegpt;
using namespace tilegpt::compiler;
using runtime::Entrant;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;
using runtime::TuningRecord;
using runtime::TuningRecords;

namespace {

using Clock = RaceContext::Clock;

class Tuner {
public:
  explicit Tuner(const LaunchTuning &tuning)
      : tuning(tuning), begin(Clock::now()) {}

  Result<void> start();
  Result<void> tune();
  Result<void> verify();

private:
  Result<void> chooseTarget();
  Result<void> checkRecords() const;
  std::vector<runtime::Choice>
  choicesOf(const runtime::TunableLaunch &launch) const;
  Result<void> raceAll(std::vector<LaunchRace> &races);
  Result<void> raceAhead(std::vector<LaunchRace> &races, size_t i);
  Result<void> raceAlone(std::vector<LaunchRace> &races, size_t i);
  TuningRecord recordOf(const LaunchRace &race, const Entrant &entrant) const {
    return runtime::recordOf(race.launch().kernel, race.launch().key, entrant,
                             tuning.tool);
  }
  Result<void> write(const std::vector<LaunchRace> &races);
  Result<void> writeTimes(const std::vector<LaunchRace> &races) const;
  RaceContext makeContext(CompilePool &pool) const;

  /// The time at which this share of the budget is used.
  LaunchRace::Time at(double share) const {
    return begin + std::chrono::duration_cast<Clock::duration>(
                       std::chrono::duration<double>(share * tuning.budget));
  }
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  const LaunchTuning &tuning;
  const Clock::time_point begin;
  std::shared_ptr<cuda::Device> gpu; ///< null: the CPU
  std::optional<DeviceTarget> gpuTarget;
  std::optional<target::CodeCache> cache;
  runtime::TuningDevice device;
  LaunchCompiler compiler;
  unsigned threads = 1;
  std::vector<LaunchText> launches;
  size_t unreached = 0; ///< launches that the budget had no time for
};

} // namespace

/// Opens the device and determines the compilation target.
Result<void> Tuner::chooseTarget() {
  PhaseOptions &phases = compiler.phases;
  phases.kernels = tuning.kernels;
  phases.tf32 = tuning.tf32;
  threads = cpu::ThreadPool(tuning.threads).threads();
  if (!tuning.usesGpu) {
    auto host = target::HostTarget::create();
    if (!host)
      return makeError(ErrorCode::Device, llvm::toString(host.takeError()));
    compileForHost(phases, *host, threads);
    device = {target::HostTarget::architecture.str(), host->cpu().str(),
              threads};
    return {};
  }
  auto driver = cuda::Driver::load();
  if (!driver)
    return tl::unexpected(driver.error());
  auto opened = cuda::Device::open(*driver, tuning.ordinal);
  if (!opened)
    return tl::unexpected(opened.error());
  gpu = std::move(*opened);
  const cuda::DeviceInfo &info = gpu->info();
  std::string architecture = tuning.architecture;
  if (architecture.empty()) {
    auto suits =
        target::GpuTarget::forDevice(unsigned(10 * info.major + info.minor));
    if (!suits)
      return makeError(ErrorCode::Device, llvm::toString(suits.takeError()));
    architecture = suits->name.str();
  }
  auto found = findDeviceTarget(architecture);
  if (!found)
    return tl::unexpected(found.error());
  gpuTarget.emplace(std::move(*found));
  if (!cuda::canRun(info, architecture, /*isPtx=*/!gpuTarget->ptxas))
    return makeError(ErrorCode::Device, "cuda: ", info.describe(), " is ",
                     info.architecture(), ", which does not run code for ",
                     architecture);
  phases.compileForGpu(architecture);
  phases.multiprocessors = info.multiprocessors;
  compiler.gpu = &gpuTarget->gpu;
  if (gpuTarget->ptxas)
    compiler.ptxas = &*gpuTarget->ptxas;
  if (auto folder = target::CodeCache::folderOf(tuning.cacheFolder))
    compiler.cache = &cache.emplace(*folder);
  device = {architecture, info.name, info.multiprocessors};
  return {};
}

/// Existing records must be for the same device, which is checked before any
/// measurement.
Result<void> Tuner::checkRecords() const {
  std::error_code ignored;
  if (tuning.records.empty() ||
      !std::filesystem::exists(tuning.records, ignored))
    return {};
  auto known = TuningRecords::read(tuning.records);
  if (!known)
    return tl::unexpected(known.error());
  return TuningRecords{device, {}}.merge(*known);
}

Result<void> Tuner::start() {
  if (auto chosen = chooseTarget(); !chosen)
    return chosen;
  if (auto checked = checkRecords(); !checked)
    return checked;
  auto read = readLaunches(tuning.path, compiler.phases);
  if (!read)
    return tl::unexpected(read.error());
  launches = std::move(*read);
  return {};
}

RaceContext Tuner::makeContext(CompilePool &pool) const {
  return {pool,
          [this](const std::vector<LaunchOperand> &operands) {
            return gpu ? makeGpuBench(gpu, operands)
                       : makeCpuBench(tuning.threads, operands);
          },
          /*compilesApart=*/!gpu, tuning.warn, tuning.interrupted};
}

std::vector<runtime::Choice>
Tuner::choicesOf(const runtime::TunableLaunch &launch) const {
  constexpr size_t most = 96, few = 8;
  // The first is the compiler's default.
  std::vector<runtime::Choice> choices;
  for (size_t i = 1; i < launch.ranked.size() && choices.size() < most; ++i)
    choices.push_back(launch.ranked[i].choice);
  if (choices.size() >= few)
    return choices;
  if (gpu && choices.empty())
    choices = runtime::withOtherWarps({});
  for (runtime::Choice &choice : runtime::rankChoices(
           launch.parameters, device.lanes, most - choices.size()))
    choices.push_back(std::move(choice));
  return choices;
}

/// On a GPU the next launch is measured while the variants of a launch are
/// compiled; on the CPU launches are processed one by one.
Result<void> Tuner::raceAll(std::vector<LaunchRace> &races) {
  const size_t ahead = gpu ? 3 : 0;
  size_t submitted = 0;
  for (size_t i = 0; i < races.size() && !tuning.interrupted(); ++i) {
    // Earlier ones may have exceeded their share.
    if (Clock::now() >= at(1)) {
      unreached = races.size() - i;
      break;
    }
    for (; submitted < races.size() && submitted <= i + ahead; ++submitted)
      races[submitted].submit(choicesOf(races[submitted].launch()));
    tuning.progress(runtime::concat("tuning: launch ", i + 1, " of ",
                                    races.size(), ", ", int(seconds()), " of ",
                                    int(tuning.budget), " s"));
    auto done = gpu ? raceAhead(races, i) : raceAlone(races, i);
    if (!done)
      return done;
  }
  return {};
}

Result<void> Tuner::raceAhead(std::vector<LaunchRace> &races, size_t i) {
  // One more part of the budget than there are launches, as the last one
  // finishes after all trials.
  const auto parts = double(races.size() + 1);
  constexpr double tried = 0.6;
  if (auto done = races[i].tryAll(at((double(i) + tried) / parts)); !done)
    return done;
  races[i].submitVariants();
  const bool isLast = i + 1 == races.size();
  for (size_t ready = i > 0 ? i - 1 : i; ready <= i; ++ready)
    if (ready < i || isLast)
      if (auto done = races[ready].finish(at((double(ready) + 2) / parts));
          !done)
        return done;
  return {};
}

/// Divides the remaining budget evenly among the remaining launches.
Result<void> Tuner::raceAlone(std::vector<LaunchRace> &races, size_t i) {
  constexpr double tried = 0.8;
  const double now = seconds() / tuning.budget,
               part = (1 - now) / double(races.size() - i);
  if (auto done = races[i].tryAll(at(now + tried * part)); !done)
    return done;
  races[i].submitVariants();
  return races[i].finish(at(now + part));
}

/// Writes all measurements, whatever the outcome: the device's model is fitted
/// to them (`tilegpt-opt tune --fit`).
Result<void> Tuner::writeTimes(const std::vector<LaunchRace> &races) const {
  TuningRecords times{device, {}};
  for (const LaunchRace &race : races) {
    for (const Entrant &entrant : race.entrants())
      if (!entrant.seconds.empty())
        times.records.push_back(recordOf(race, entrant));
    if (times.records.empty() || race.launch().ranked.empty() ||
        times.records.back().key != race.launch().key)
      continue;
    // The compiler's own choice.
    TuningRecord standard = times.records.back();
    standard.choice = race.launch().ranked.front().choice;
    standard.measured.microseconds = standard.measured.defaultMicroseconds;
    times.records.push_back(std::move(standard));
  }
  return times.write(tuning.times);
}

/// Writes and prints the results.
Result<void> Tuner::write(const std::vector<LaunchRace> &races) {
  TuningRecords records{device, {}};
  double logarithms = 0;
  size_t raced = 0;
  for (const LaunchRace &race : races) {
    raced += llvm::any_of(race.entrants(), [](const Entrant &entrant) {
      return !entrant.seconds.empty();
    });
    if (const Entrant *winner = race.winner()) {
      records.records.push_back(recordOf(race, *winner));
      logarithms += std::log(winner->ratio());
      tuning.print(runtime::describe(records.records.back(), winner->ratio()));
    }
  }
  const size_t found = records.records.size();
  std::error_code ignored;
  if (std::filesystem::exists(tuning.records, ignored)) {
    auto known = TuningRecords::read(tuning.records);
    if (!known)
      return tl::unexpected(known.error());
    if (auto merged = records.merge(*known); !merged)
      return merged;
  }
  if (auto written = records.write(tuning.records); !written)
    return written;
  char line[160];
  std::snprintf(line, sizeof(line),
                "done in %.0f s: %zu of %zu launches at least 2 %% faster, "
                "all %zu in %.3f of their time, in ",
                seconds(), found, raced, raced,
                raced ? std::exp(logarithms / double(raced)) : 1.0);
  tuning.print(runtime::concat(line, tuning.records.string(), "\n"));
  return {};
}

Result<void> Tuner::tune() {
  char line[160];
  std::snprintf(line, sizeof(line), "tune: %s, %zu launches, budget %.0f s\n",
                device.describe().c_str(), launches.size(), tuning.budget);
  tuning.print(line);
  CompilePool pool(compiler, threads);
  RaceContext context = makeContext(pool);
  std::vector<LaunchRace> races;
  races.reserve(launches.size());
  for (const LaunchText &launch : launches)
    races.emplace_back(launch, context);
  auto raced = raceAll(races);
  const RaceCounts &counts = context.counts;
  tuning.print(runtime::concat(
      "choices: ", counts.raced, " raced, ", counts.slow, " spill registers, ",
      counts.misfits, " do not fit, ", counts.broken, " do not compile, ",
      counts.wrong, " compute something else\n"));
  if (!tuning.interrupted() && (counts.late > 0 || unreached > 0))
    tuning.print(runtime::concat("the budget ended before ", counts.late,
                                 " choices and ", unreached,
                                 " launches; --budget SECONDS gives more\n"));
  // Keep the results so far, even after an error.
  auto written = write(races);
  if (written && !tuning.times.empty())
    written = writeTimes(races);
  return raced ? written : raced;
}

Result<void> Tuner::verify() {
  const auto records = TuningRecords::read(tuning.verify);
  if (!records)
    return tl::unexpected(records.error());
  if (records->device != device)
    return makeError(ErrorCode::Usage, "tune: '", tuning.verify.string(),
                     "' is for ", records->device.describe(), ", not for ",
                     device.describe());
  CompilePool pool(compiler, threads);
  RaceContext context = makeContext(pool);
  std::vector<LaunchRace> races;
  for (const LaunchText &launch : launches)
    if (const TuningRecord *record = records->find(launch.tunable.key)) {
      races.emplace_back(launch, context);
      races.back().submit({record->choice});
    }
  size_t kept = 0;
  for (LaunchRace &race : races) {
    constexpr unsigned rounds = 40;
    if (auto done = race.verify(rounds, LaunchRace::Time::max()); !done)
      return done;
    if (tuning.interrupted())
      return {};
    const Entrant &entrant = race.entrants().front();
    kept += !entrant.isRefused && entrant.ratio() < 1;
    tuning.print(runtime::describe(recordOf(race, entrant), entrant.ratio()));
  }
  tuning.print(
      runtime::concat("kept ", kept, " of ", races.size(), " records\n"));
  if (10 * kept < 9 * races.size())
    return makeError(ErrorCode::Mismatch, "tune: ", races.size() - kept, " of ",
                     races.size(), " records of '", tuning.verify.string(),
                     "' are no faster than the default");
  return {};
}

Result<void> compiler::tuneLaunches(const LaunchTuning &tuning) {
  Tuner tuner(tuning);
  if (auto started = tuner.start(); !started)
    return started;
  return tuning.verify.empty() ? tuner.tune() : tuner.verify();
}
