// Computes sums and bottlenecks; other files generate text.
#include "TileGPT/Runtime/Profile/StepProfile.h"
#include <algorithm>
#include <cstdio>

using namespace tilegpt;
using namespace tilegpt::runtime;

Bound runtime::boundOf(const LaunchWork &work, const MachineRates &rates) {
  const auto at = [](double amount, double perSec) {
    return perSec > 0 ? amount / perSec : 0;
  };
  // A product counts as a multiplication and an addition, which are one
  // operation of an element.
  return {at(work.bytes(), rates.bytesPerSec),
          at(work.narrowOps, rates.narrowOpsPerSec) +
              at(work.wideOps + 2 * work.elementOps, rates.wideOpsPerSec)};
}

static void add(LaunchWork &sum, const LaunchWork &work) {
  sum.readBytes += work.readBytes;
  sum.writtenBytes += work.writtenBytes;
  sum.weightBytes += work.weightBytes;
  sum.wideWeightBytes += work.wideWeightBytes;
  sum.narrowOps += work.narrowOps;
  sum.wideOps += work.wideOps;
  sum.paddedOps += work.paddedOps;
  sum.elementOps += work.elementOps;
  sum.isEstimate |= work.isEstimate;
}

static std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof(text), "%.0f %%", 100 * share);
  return text;
}

static std::string microseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f us", 1e6 * seconds);
  return text;
}

/// The bottleneck of a kernel, from the measurements or, if they are
/// inconclusive, from the planner's remarks.
static std::string reasonFor(const KernelProfile &kernel,
                             const MachineRates &rates,
                             const std::vector<KernelRemark> &remarks) {
  const double each = kernel.seconds / double(kernel.launches);
  const double bound = kernel.boundSeconds / double(kernel.launches);
  const bool isKnown = kernel.work.has_value();
  constexpr double atBound = 0.8;
  if (isKnown && kernel.boundSeconds >= atBound * kernel.seconds)
    return kernel.isMemoryBound ? "at its bound: memory"
                                : "at its bound: arithmetic";
  // Short launches are dominated by startup and completion.
  if (each < rates.launchSeconds)
    return concat("short: ", microseconds(each), ", less than a launch on ",
                  rates.lanes, " lanes that does nothing (",
                  microseconds(rates.launchSeconds), ")");
  if (rates.launchSeconds > 0 && each < 2 * rates.launchSeconds + bound)
    return concat("short: ", microseconds(each), ", and a launch that does ",
                  "nothing takes ", microseconds(rates.launchSeconds));
  if (kernel.blocks < rates.lanes)
    return concat(kernel.blocks, kernel.blocks == 1 ? " block" : " blocks",
                  " for ", rates.lanes, " that can run at a time");
  if (isKnown) {
    const LaunchWork &work = *kernel.work;
    const double ops = work.narrowOps + work.wideOps;
    constexpr double muchPadding = 1.15;
    if (ops > 0 && work.paddedOps >= muchPadding * ops)
      return concat(
          "tiles beyond the data: ", percent(1 - ops / work.paddedOps),
          " of what is multiplied");
  }
  const auto remark =
      std::ranges::find(remarks, kernel.kernel, &KernelRemark::kernel);
  if (remark != remarks.end())
    return remark->text;
  const int64_t waves = (kernel.blocks + rates.lanes - 1) / rates.lanes;
  const double idle = 1 - double(kernel.blocks) / double(waves * rates.lanes);
  constexpr double muchIdle = 0.15;
  if (idle >= muchIdle)
    return concat(kernel.blocks, " blocks in waves of ", rates.lanes, ": ",
                  percent(idle), " idle in the last");
  return "";
}

StepProfile runtime::profileOf(std::string name, double stepSeconds,
                               const std::vector<LaunchProfile> &launches,
                               const MachineRates &rates,
                               const std::vector<KernelRemark> &remarks) {
  StepProfile profile;
  profile.name = std::move(name);
  profile.stepSeconds = stepSeconds;
  profile.rates = rates;
  std::vector<double> memory;
  for (const LaunchProfile &launch : launches) {
    auto kernel = std::ranges::find(profile.kernels, launch.kernel,
                                    &KernelProfile::kernel);
    if (kernel == profile.kernels.end()) {
      KernelProfile fresh;
      fresh.kernel = launch.kernel;
      fresh.label = launch.label;
      fresh.blocks = launch.blocks;
      if (launch.work)
        fresh.work.emplace();
      kernel = profile.kernels.insert(kernel, std::move(fresh));
      memory.push_back(0);
    }
    ++kernel->launches;
    kernel->blocks = std::min(kernel->blocks, launch.blocks);
    kernel->seconds += launch.seconds;
    profile.launchSeconds += launch.seconds;
    if (!launch.work || !kernel->work)
      continue;
    add(*kernel->work, *launch.work);
    const Bound bound = boundOf(*launch.work, rates);
    kernel->boundSeconds += bound.seconds();
    if (bound.isOfMemory())
      memory[size_t(kernel - profile.kernels.begin())] += bound.seconds();
  }
  for (size_t i = 0; i < memory.size(); ++i)
    profile.kernels[i].isMemoryBound =
        2 * memory[i] >= profile.kernels[i].boundSeconds;
  for (KernelProfile &kernel : profile.kernels)
    kernel.why = reasonFor(kernel, rates, remarks);
  std::ranges::sort(profile.kernels, std::ranges::greater(),
                    &KernelProfile::seconds);
  return profile;
}
