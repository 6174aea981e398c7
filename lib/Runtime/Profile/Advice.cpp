// Five rules: narrower weights, more threads, more sequences, fewer launches,
// fewer rows of padding.
#include "TileGPT/Runtime/Profile/Advice.h"
#include <algorithm>
#include <cstdio>
#include <functional>

using namespace tilegpt;
using namespace tilegpt::runtime;

/// The share of a step below which no advice is given.
static constexpr double leastGain = 0.03;

namespace {
/// A change of the launches or of the machine that runs them.
struct Change {
  std::function<LaunchWork(LaunchWork)> work;
  const MachineRates *rates;
};
} // namespace

/// Seconds of all launches after a change. The overhead of an empty launch does
/// not change.
static double predict(const std::vector<LaunchProfile> &launches,
                      const MachineRates &rates, const Change &change) {
  double seconds = 0;
  for (const LaunchProfile &launch : launches) {
    const double now = launch.work ? boundOf(*launch.work, rates).seconds() : 0;
    if (now <= 0) {
      seconds += launch.seconds;
      continue;
    }
    const double then =
        boundOf(change.work(*launch.work), *change.rates).seconds();
    const double fixed = std::min(launch.seconds, rates.launchSeconds);
    seconds += fixed + (launch.seconds - fixed) * then / now;
  }
  return seconds;
}

static std::string megabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f MB", bytes < 1e7 ? 2 : 0,
                bytes / 1e6);
  return text;
}

static LaunchWork asItIs(LaunchWork work) { return work; }

static LaunchWork withNarrowWeights(LaunchWork work) {
  work.readBytes -= work.wideWeightBytes / 2;
  work.weightBytes -= work.wideWeightBytes / 2;
  work.wideWeightBytes = 0;
  return work;
}

/// Twice as many sequences: weights are read once, all other work doubles.
static LaunchWork withTwiceTheSequences(LaunchWork work) {
  work.readBytes = 2 * work.readBytes - work.weightBytes;
  work.writtenBytes *= 2;
  work.narrowOps *= 2;
  work.wideOps *= 2;
  work.elementOps *= 2;
  return work;
}

/// Seconds that launches bound by arithmetic spend on padding.
static double secondsOfPadding(const std::vector<LaunchProfile> &launches,
                               const MachineRates &rates) {
  double seconds = 0;
  for (const LaunchProfile &launch : launches) {
    if (!launch.work || boundOf(*launch.work, rates).isOfMemory())
      continue;
    const double ops = launch.work->narrowOps + launch.work->wideOps;
    if (ops > 0 && launch.work->paddedOps > ops)
      seconds += std::max(0.0, launch.seconds - rates.launchSeconds) *
                 (1 - ops / launch.work->paddedOps);
  }
  return seconds;
}

std::vector<Advice>
runtime::adviseOn(const StepProfile &profile,
                  const std::vector<LaunchProfile> &launches,
                  const Alternatives &alternatives) {
  std::vector<Advice> advice;
  const double now = profile.launchSeconds;
  const auto propose = [&](double saved, std::string what,
                           std::string because) {
    if (saved >= leastGain * now)
      advice.push_back({std::move(what), std::move(because), saved});
  };

  double wideBytes = 0, weightBytes = 0;
  for (const LaunchProfile &launch : launches)
    if (launch.work) {
      wideBytes += launch.work->wideWeightBytes;
      weightBytes += launch.work->weightBytes;
    }
  if (wideBytes > 0)
    propose(now - predict(launches, profile.rates,
                          {withNarrowWeights, &profile.rates}),
            "--dtype bf16",
            concat("reads ", megabytes(wideBytes / 2), " instead of ",
                   megabytes(wideBytes), " of f32 weights"));

  if (alternatives.allThreads)
    propose(now - predict(launches, profile.rates,
                          {asItIs, &*alternatives.allThreads}),
            concat("--threads ", alternatives.allThreads->lanes),
            concat("memory and arithmetic are faster with ",
                   alternatives.allThreads->lanes, " than with ",
                   profile.rates.lanes));

  if (alternatives.decodedSequences > 0 && weightBytes > 0) {
    const double both = predict(launches, profile.rates,
                                {withTwiceTheSequences, &profile.rates});
    propose(now - both / 2,
            concat("decode ", 2 * alternatives.decodedSequences,
                   " sequences in a step"),
            concat("for as many tokens, ", megabytes(weightBytes),
                   " of weights are read half as often"));
  }

  if (const auto &plan = alternatives.plan; plan && plan->rows < plan->last)
    propose(secondsOfPadding(launches, profile.rates),
            concat("tilegpt-run tune --bench ", plan->step),
            concat("finds out whether a plan for at most ", plan->rows,
                   " rows has less padding; this one is for ", plan->first,
                   " to ", plan->last));

  for (const LaunchPair &pair : alternatives.pairs) {
    const double perByte =
        profile.rates.bytesPerSec > 0 ? 2 / profile.rates.bytesPerSec : 0;
    propose(double(pair.count) *
                (profile.rates.launchSeconds + pair.bytes * perByte),
            concat("fuse ", pair.first, " and ", pair.second, " (", pair.count,
                   "x)"),
            concat("a launch and ", megabytes(pair.bytes),
                   " between them go; not fused: ", pair.refusal));
  }
  std::ranges::sort(advice, std::ranges::greater(), &Advice::savedSeconds);
  return advice;
}
