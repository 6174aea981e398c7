// Timeout of a step for ranks that have disappeared.
#ifndef TILEGPT_LIB_RUNTIME_CUDA_ABSENCE_H
#define TILEGPT_LIB_RUNTIME_CUDA_ABSENCE_H

#include "TileGPT/Runtime/Engine/Communicator.h"
#include <chrono>
#include <optional>

namespace tilegpt::cuda {

class Absence {
public:
  explicit Absence(const runtime::Communicator &ranks) : ranks(ranks) {}

  /// Whether a rank has been absent for longer than the timeout of a step. A
  /// rank that exited normally has completed its part of every step.
  bool isTooLong() {
    constexpr std::chrono::seconds graceTime{3};
    if (!ranks.someHaveLeft()) {
      left.reset();
      return false;
    }
    if (!left)
      left = Clock::now();
    return Clock::now() - *left > graceTime;
  }

private:
  using Clock = std::chrono::steady_clock;

  const runtime::Communicator &ranks;
  std::optional<Clock::time_point> left;
};

} // namespace tilegpt::cuda

#endif // TILEGPT_LIB_RUNTIME_CUDA_ABSENCE_H
