// Runs each step twice: without instrumentation for its total time, and launch
// by launch.
#include "Measure/ProfileModel.h"
#include "Measure/Bench.h"
#include "Measure/LaunchPairs.h"
#include "Terminal/Console.h"
#include "TileGPT/Runtime/Data/Json.h"
#include "TileGPT/Runtime/Data/Median.h"
#include "TileGPT/Runtime/Data/OutputFile.h"
#include "TileGPT/Runtime/Profile/LaunchTimes.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::Result;

namespace {

/// The measurements of a step.
struct Measured {
  const bundle::Plan *plan = nullptr;
  int64_t rows = 0, sequences = 0;
  double stepSeconds = 0;
  std::vector<runtime::LaunchProfile> launches;
};

class Profiler {
public:
  Profiler(const Options &options, runtime::Session &session,
           const bundle::Bundle &bundle, const ProfileFacts &facts,
           runtime::LaunchObserver *next)
      : options(options), session(session), bundle(bundle), facts(facts),
        next(next) {}

  Result<runtime::StepProfile> profile(const BenchTest &test,
                                       std::span<const int32_t> ids);

private:
  Result<Measured> measure(const BenchTest &test, std::span<const int32_t> ids);
  Result<runtime::MachineRates> ratesOf(unsigned threads,
                                        const Measured &measured) const;
  Result<runtime::Alternatives>
  alternativesTo(const BenchTest &test, const Measured &measured,
                 const runtime::MachineRates &rates) const;
  bool onGpu() const {
    return bundle.target().kind == bundle::TargetKind::Cuda;
  }

  const Options &options;
  runtime::Session &session;
  const bundle::Bundle &bundle;
  const ProfileFacts &facts;
  runtime::LaunchObserver *next;
};

} // namespace

Result<Measured> Profiler::measure(const BenchTest &test,
                                   std::span<const int32_t> ids) {
  const auto step = measureTest(test, session, ids, options.repetitions);
  if (!step)
    return tl::unexpected(step.error());
  std::vector<double> seconds;
  for (const runtime::StepTime &time : step->times)
    seconds.push_back(
        std::chrono::duration<double>(time.device.value_or(time.host)).count());
  Measured measured;
  measured.rows = test.tokens * test.sequences;
  measured.sequences = test.sequences;
  measured.stepSeconds = runtime::medianOf(seconds);

  runtime::LaunchTimes launchTimes(next);
  for (unsigned i = 0; i < options.repetitions; ++i) {
    session.setObserver(&launchTimes);
    const auto done = runStep(test, session, step->tokens);
    session.setObserver(nullptr);
    if (!done)
      return tl::unexpected(done.error());
  }

  for (const bundle::Plan &plan : bundle.plans())
    if (std::ranges::any_of(bundle.launches(plan), [&](const auto &launch) {
          return launchTimes.hasSeen(launch);
        }))
      measured.plan = &plan;
  if (!measured.plan)
    return measured;
  runtime::ResolvedPlan resolved;
  if (auto done = runtime::resolve(bundle, *measured.plan, measured.rows,
                                   measured.sequences, "profile", resolved);
      !done)
    return tl::unexpected(done.error());
  for (const runtime::ResolvedLaunch &launch : resolved.launches) {
    runtime::LaunchProfile &each = measured.launches.emplace_back();
    each.kernel = bundle.string(bundle.kernel(*launch.launch).name);
    each.label = bundle.string(launch.launch->label);
    each.blocks = launch.blocks;
    each.seconds = launchTimes.secondsOf(*launch.launch);
    if (facts.workOf)
      each.work = facts.workOf(bundle, resolved, launch, test.depth);
  }
  return measured;
}

/// \param threads  of a CPU; 0: all.
Result<runtime::MachineRates>
Profiler::ratesOf(unsigned threads, const Measured &measured) const {
  if (onGpu())
    return facts.gpuRates.value_or(runtime::MachineRates());
  double workingSet = 0;
  for (const runtime::LaunchProfile &launch : measured.launches)
    if (launch.work)
      workingSet += launch.work->bytes();
  cpu::ThreadPool pool(threads);
  return runtime::measureHost(pool, int64_t(workingSet));
}

Result<runtime::Alternatives>
Profiler::alternativesTo(const BenchTest &test, const Measured &measured,
                         const runtime::MachineRates &rates) const {
  runtime::Alternatives alternatives;
  if (test.kind == bundle::PlanKind::Decode)
    alternatives.decodedSequences = test.sequences;
  if (measured.plan) {
    alternatives.pairs = findPairs(bundle, *measured.plan, measured.rows,
                                   measured.sequences, facts.remarks);
    alternatives.plan = {test.name(), measured.plan->minRows,
                         measured.plan->maxRows, measured.rows};
  }
  if (onGpu() || options.threads == 0 ||
      rates.lanes >= int64_t(cpu::ThreadPool().threads()))
    return alternatives;
  auto all = ratesOf(0, measured);
  if (!all)
    return tl::unexpected(all.error());
  alternatives.allThreads = std::move(*all);
  return alternatives;
}

Result<runtime::StepProfile> Profiler::profile(const BenchTest &test,
                                               std::span<const int32_t> ids) {
  const auto measured = measure(test, ids);
  if (!measured)
    return tl::unexpected(measured.error());
  const auto rates = ratesOf(options.threads, *measured);
  if (!rates)
    return tl::unexpected(rates.error());
  const auto alternatives = alternativesTo(test, *measured, *rates);
  if (!alternatives)
    return tl::unexpected(alternatives.error());
  runtime::StepProfile profile =
      runtime::profileOf(test.name(), measured->stepSeconds, measured->launches,
                         *rates, facts.remarks);
  profile.advice =
      runtime::adviseOn(profile, measured->launches, *alternatives);
  return profile;
}

static Result<void> writeJson(const std::string &steps, std::string_view engine,
                              const std::filesystem::path &path) {
  runtime::OutputFile file(path);
  const std::string text =
      runtime::concat("{\"engine\": ", runtime::quoteJson(engine),
                      ", \"steps\": [\n", steps, "\n]}\n");
  file.write(std::as_bytes(std::span(text)));
  return file.finish("profile");
}

Result<int> run::runProfile(const Options &options, runtime::Session &session,
                            const bundle::Bundle &bundle,
                            const ProfileFacts &facts,
                            std::span<const int32_t> ids,
                            runtime::LaunchObserver *next,
                            runtime::Group *group) {
  Profiler profiler(options, session, bundle, facts, next);
  std::string json;
  for (const BenchTest &test : options.bench) {
    const auto profile = profiler.profile(test, ids);
    if (!profile)
      return tl::unexpected(profile.error());
    const bool isFirst = json.empty() && (!group || group->rank().number == 0);
    std::string table = isFirst ? "" : "\n";
    if (group)
      table += runtime::concat("rank ", group->rank().number, "\n");
    const auto tables =
        textOfRanks(table + runtime::formatProfile(*profile), group);
    if (!tables)
      return tl::unexpected(tables.error());
    if (auto written = writeOutput(*tables); !written)
      return tl::unexpected(written.error());
    json += (json.empty() ? "" : ",\n") + runtime::profileAsJson(*profile);
  }
  if (!options.json.empty())
    if (auto written = writeJson(json, session.describeEngine(), options.json);
        !written)
      return tl::unexpected(written.error());
  return 0;
}
