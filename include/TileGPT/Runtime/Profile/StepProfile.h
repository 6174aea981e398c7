// Where the time of a step goes: kernel by kernel, against the bounds of the
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
  double weightBytes = 0;            ///< of those read: matrices of weights, …
  double wideWeightBytes = 0;        ///< … and those in f32
  double narrowOps = 0, wideOps = 0; ///< of products, as in MachineRates
  double paddedOps = 0;              ///< all of products, with those on no data
  double elementOps = 0;             ///< of elements, outside of products
  /// It depends on data how much it is.
  bool isEstimate = false;

  double bytes() const { return readBytes + writtenBytes; }
};

/// Seconds a launch takes at least: what memory and what arithmetic need. An
/// operation on an element counts like one of a product that is no
/// multiply-add.
struct Bound {
  double memory = 0, arithmetic = 0;

  double seconds() const { return memory > arithmetic ? memory : arithmetic; }
  bool isOfMemory() const { return memory >= arithmetic; }
};
Bound boundOf(const LaunchWork &work, const MachineRates &rates);

/// A launch of a step as it was measured.
struct LaunchProfile {
  std::string kernel; ///< the instance: "linear_0"
  std::string label;  ///< where in the model
  int64_t blocks = 0;
  double seconds = 0;
  std::optional<LaunchWork> work; ///< nothing where the text is not there
};

/// The launches of one kernel in a step.
struct KernelProfile {
  std::string kernel, label; ///< the label is that of the first launch
  int64_t launches = 0;
  int64_t blocks = 0; ///< of one launch, the fewest
  double seconds = 0; ///< of all launches, like everything below
  std::optional<LaunchWork> work;
  double boundSeconds = 0; ///< the sum of the launches' bounds
  bool isMemoryBound = true;
  std::string why; ///< it is not faster
};

/// What would make a step faster.
struct Advice {
  std::string what;        ///< flags to pass or text to change
  std::string because;     ///< the figures it follows from
  double savedSeconds = 0; ///< of the step, predicted
};

struct StepProfile {
  std::string name;         ///< "decode:1x1@512"
  double stepSeconds = 0;   ///< from call to end, with nothing observed
  double launchSeconds = 0; ///< the sum of all launches
  MachineRates rates;
  std::vector<KernelProfile> kernels; ///< the most expensive first
  std::vector<Advice> advice;         ///< what saves most first
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

/// A table for a terminal, with the advice below.
std::string formatProfile(const StepProfile &profile);

/// All of it as one JSON object: times in ns, bytes, operations.
std::string profileAsJson(const StepProfile &profile);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_PROFILE_STEPPROFILE_H
