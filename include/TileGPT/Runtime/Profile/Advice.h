// Predicts what would make a step faster, from its times and the limits of the
// device.
#ifndef TILEGPT_RUNTIME_PROFILE_ADVICE_H
#define TILEGPT_RUNTIME_PROFILE_ADVICE_H

#include "TileGPT/Runtime/Profile/StepProfile.h"

namespace tilegpt::runtime {

/// Two launches, the second of which is the only reader of the first one's
/// result.
struct LaunchPair {
  std::string first, second; ///< kernels
  int64_t count = 1;         ///< in the step
  double bytes = 0;          ///< of the tensor between them, of one pair
  std::string refusal;       ///< why the compiler did not fuse them
};

/// What is known about alternative ways to run a step.
struct Alternatives {
  /// Of the device with all of its threads; nothing where it has no more.
  std::optional<MachineRates> allThreads;
  std::vector<LaunchPair> pairs;
  /// Sequences the step decodes; 0 for other steps.
  int64_t decodedSequences = 0;
};

/// Each launch is predicted to keep its distance from its bound: what takes
/// twice its bound today will take twice the new one. Advice that saves less
/// than 3 % of a step is not given.
std::vector<Advice> adviseOn(const StepProfile &profile,
                             const std::vector<LaunchProfile> &launches,
                             const Alternatives &alternatives);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_PROFILE_ADVICE_H
