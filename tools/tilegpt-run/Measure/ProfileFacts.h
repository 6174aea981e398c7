// Facts of the compiler about a profiled model. A compiled model (.tgb) has
// none.
#ifndef TILEGPT_TOOLS_RUN_MEASURE_PROFILEFACTS_H
#define TILEGPT_TOOLS_RUN_MEASURE_PROFILEFACTS_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Engine/ResolvedPlan.h"
#include "TileGPT/Runtime/Profile/StepProfile.h"
#include <functional>
#include <optional>
#include <vector>

namespace tilegpt::run {

struct ProfileFacts {
  /// The work of a launch of sequences that hold `position` tokens each; null
  /// without the model's text.
  std::function<std::optional<runtime::LaunchWork>(
      const bundle::Bundle &, const runtime::ResolvedPlan &,
      const runtime::ResolvedLaunch &, int64_t position)>
      workOf;
  /// Of kernels, and with an empty kernel of pairs of launches: "@a and @b: …".
  std::vector<runtime::KernelRemark> remarks;
  std::optional<runtime::MachineRates> gpuRates;
};

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_MEASURE_PROFILEFACTS_H
