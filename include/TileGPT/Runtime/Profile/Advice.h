// Predicts what would make a step faster, from its times and the limits of the
// device.
#ifndef TILEGPT_RUNTIME_PROFILE_ADVICE_H
#define TILEGPT_RUNTIME_PROFILE_ADVICE_H

#include "TileGPT/Runtime/Profile/StepProfile.h"

namespace tilegpt::runtime {

/// Two launches, the second of which is the only reader of a result of the
/// first.
struct LaunchPair {
  std::string first, second; ///< kernels
  int64_t count = 1;         ///< pairs in the step
  double bytes = 0;    ///< of the tensor between the two launches of a pair
  std::string refusal; ///< why the compiler did not fuse them
};

/// The plan of a step.
struct PlanRows {
  std::string step;            ///< as for --bench: "prefill:20x1@0"
  int64_t first = 0, last = 0; ///< rows it is compiled for
  int64_t rows = 0;            ///< of the step
};

/// Alternative ways to run a step.
struct Alternatives {
  /// With all threads of the device; nullopt if all are used.
  std::optional<MachineRates> allThreads;
  std::vector<LaunchPair> pairs;
  /// Sequences that the step decodes; 0 for other steps.
  int64_t decodedSequences = 0;
  std::optional<PlanRows> plan;
};

/// Predicts that each launch keeps its ratio to its bound: a launch that takes
/// twice its bound now will take twice the new bound. Omits advice that saves
/// less than 3 % of a step.
std::vector<Advice> adviseOn(const StepProfile &profile,
                             const std::vector<LaunchProfile> &launches,
                             const Alternatives &alternatives);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_PROFILE_ADVICE_H
