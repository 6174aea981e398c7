// The hook for traces and benchmarks, called for every kernel launch of a step.
#ifndef TILEGPT_RUNTIME_ENGINE_LAUNCHOBSERVER_H
#define TILEGPT_RUNTIME_ENGINE_LAUNCHOBSERVER_H

#include "TileGPT/Bundle/Format.h"
#include <chrono>

namespace tilegpt::runtime {

class LaunchObserver {
public:
  using Clock = std::chrono::steady_clock;
  virtual ~LaunchObserver() = default;
  /// Called for the launches of a step in their order, on the thread that runs
  /// the step: on a CPU after each launch, on a GPU after the step.
  virtual void launched(const bundle::Launch &launch, int64_t blocks,
                        Clock::time_point begin, Clock::time_point end) = 0;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_ENGINE_LAUNCHOBSERVER_H
