// Where the time of a step goes, by kernel, compared with the limits of the
// device.
#ifndef TILEGPT_RUNTIME_PROFILE_STEPPROFILE_H
#define TILEGPT_RUNTIME_PROFILE_STEPPROFILE_H

#include "TileGPT/Runtime/Profile/MachineRates.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilegpt::runtime {

/// The device-independent work of a launch.
struct LaunchWork {
  double readBytes = 0, writtenBytes = 0; ///< each byte counted once
  double weightBytes = 0;            ///< the part read from weight matrices, …
  double wideWeightBytes = 0;        ///< … and from those in f32
  double narrowOps = 0, wideOps = 0; ///< of dots, as in MachineRates
  double paddedOps = 0;              ///< of dots, including padding
  double elementOps = 0;             ///< outside of dots
  /// Whether the work depends on the data.
  bool isEstimate = false;

  double bytes() const { return readBytes + writtenBytes; }
};

/// A lower bound of a launch's time in seconds: what memory and what arithmetic
/// need. An elementwise operation takes as long as a multiply-add of a dot in
/// f32.
struct Bound {
  double memory = 0, arithmetic = 0;

  double seconds() const { return memory > arithmetic ? memory : arithmetic; }
  bool isOfMemory() const { return memory >= arithmetic; }
};
Bound boundOf(const LaunchWork &work, const MachineRates &rates);

/// A measured launch of a step.
struct LaunchProfile {
  std::string kernel; ///< the instance: "linear_0"
  std::string label;  ///< location in the model
  int64_t blocks = 0;
  double seconds = 0;
  std::optional<LaunchWork> work; ///< nullopt without the kernel's text
};

/// The launches of one kernel in a step.
struct KernelProfile {
  std::string kernel, label; ///< that of the first launch
  int64_t launches = 0;
  int64_t blocks = 0; ///< of one launch, the minimum
  double seconds = 0; ///< of all launches, like everything below
  std::optional<LaunchWork> work;
  double boundSeconds = 0; ///< the sum of the launches' bounds
  bool isMemoryBound = true;
  std::string why; ///< why it is not faster
};

/// A change that would make a step faster.
struct Advice {
  std::string what;        ///< flags to pass, or a change of the text
  std::string because;     ///< the figures it follows from
  double savedSeconds = 0; ///< of the step, predicted
};

struct StepProfile {
  std::string name;         ///< "decode:1x1@512"
  double stepSeconds = 0;   ///< from call to end, without observers
  double launchSeconds = 0; ///< the sum of all launches
  MachineRates rates;
  std::vector<KernelProfile> kernels; ///< most expensive first
  std::vector<Advice> advice;         ///< largest saving first
};

/// The planner's remarks on a kernel, most important first.
struct KernelRemark {
  std::string kernel; ///< the instance
  std::string text;
};

/// Sums launches by kernel, and reports the bottleneck of each.
StepProfile profileOf(std::string name, double stepSeconds,
                      const std::vector<LaunchProfile> &launches,
                      const MachineRates &rates,
                      const std::vector<KernelRemark> &remarks);

/// A table for a terminal, followed by the advice.
std::string formatProfile(const StepProfile &profile);

/// All data as one JSON object: times in ns, bytes, operations.
std::string profileAsJson(const StepProfile &profile);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_PROFILE_STEPPROFILE_H
