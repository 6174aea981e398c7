// The table of `tilegpt-run profile`: one line per kernel, in aligned columns.
#include "TileGPT/Runtime/Profile/StepProfile.h"
#include <algorithm>
#include <cstdarg>
#include <cstdio>

using namespace tilegpt;
using namespace tilegpt::runtime;

[[gnu::format(printf, 2, 3)]] static void append(std::string &text,
                                                 const char *pattern, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(line, sizeof(line), pattern, arguments);
  va_end(arguments);
  text += line;
}

/// The share of a step below which kernels are summed in one line.
static constexpr double leastShare = 0.002;

static void appendKernel(std::string &text, const KernelProfile &kernel,
                         double total, int nameWidth) {
  append(text, "%-*s %8lld %10.1f %5.1f", nameWidth, kernel.kernel.c_str(),
         (long long)kernel.launches, kernel.seconds * 1e6,
         total > 0 ? 100 * kernel.seconds / total : 0);
  if (!kernel.work) {
    append(text, " %10s %8s %8s %6s", "-", "-", "-", "-");
  } else {
    const LaunchWork &work = *kernel.work;
    const double ops = work.narrowOps + work.wideOps + work.elementOps;
    append(text, " %9.2f%s %8.1f %8.1f %5.0f%s", work.bytes() / 1e6,
           work.isEstimate ? "~" : " ",
           kernel.seconds > 0 ? work.bytes() / kernel.seconds / 1e9 : 0,
           kernel.seconds > 0 ? ops / kernel.seconds / 1e9 : 0,
           kernel.seconds > 0 ? 100 * kernel.boundSeconds / kernel.seconds : 0,
           kernel.isMemoryBound ? "m" : "a");
  }
  text += kernel.why.empty() ? "\n" : "  " + kernel.why + "\n";
}

static void appendBounds(std::string &text, const MachineRates &rates) {
  append(text, "bounds (%s): %.1f GB/s, %.0f GFLOP/s%s", rates.origin.c_str(),
         rates.bytesPerSec / 1e9, rates.wideOpsPerSec / 1e9,
         rates.narrowOpsPerSec == rates.wideOpsPerSec ? "" : " (f32)");
  if (rates.narrowOpsPerSec != rates.wideOpsPerSec)
    append(text, ", %.0f GFLOP/s (16 bits)", rates.narrowOpsPerSec / 1e9);
  append(text, ", %.2f us a launch\n", rates.launchSeconds * 1e6);
}

std::string runtime::formatProfile(const StepProfile &profile) {
  std::string text;
  const MachineRates &rates = profile.rates;
  append(text, "%s: %.1f us a step, %.1f us in launches\n",
         profile.name.c_str(), profile.stepSeconds * 1e6,
         profile.launchSeconds * 1e6);
  if (!rates.origin.empty())
    appendBounds(text, rates);
  int nameWidth = 6;
  for (const KernelProfile &kernel : profile.kernels)
    nameWidth = std::max(nameWidth, int(kernel.kernel.size()));
  append(text, "%-*s %8s %10s %5s %10s %8s %8s %6s  %s\n", nameWidth, "kernel",
         "launches", "us", "%", "MB", "GB/s", "GFLOP/s", "bound%",
         "why not faster");
  KernelProfile rest;
  size_t others = 0;
  rest.work.emplace();
  for (const KernelProfile &kernel : profile.kernels) {
    if (kernel.seconds >= leastShare * profile.launchSeconds) {
      appendKernel(text, kernel, profile.launchSeconds, nameWidth);
      continue;
    }
    ++others;
    rest.launches += kernel.launches;
    rest.seconds += kernel.seconds;
  }
  if (others != 0)
    append(text, "%-*s %8lld %10.1f %5.1f\n", nameWidth, "others",
           (long long)rest.launches, rest.seconds * 1e6,
           100 * rest.seconds / profile.launchSeconds);
  for (const Advice &advice : profile.advice)
    append(text, "  -%.1f us (%.0f %%)  %s: %s\n", advice.savedSeconds * 1e6,
           100 * advice.savedSeconds / profile.launchSeconds,
           advice.what.c_str(), advice.because.c_str());
  return text;
}
