// The time of every launch of a plan, over several runs.
#ifndef TILEGPT_RUNTIME_PROFILE_LAUNCHTIMES_H
#define TILEGPT_RUNTIME_PROFILE_LAUNCHTIMES_H

#include "TileGPT/Runtime/Engine/LaunchObserver.h"
#include <map>
#include <vector>

namespace tilegpt::runtime {

class LaunchTimes : public LaunchObserver {
public:
  /// \param next  also observes the launches; may be null.
  explicit LaunchTimes(LaunchObserver *next = nullptr) : next(next) {}

  void launched(const bundle::Launch &launch, int64_t blocks,
                Clock::time_point begin, Clock::time_point end) override;

  /// The median over all runs, in seconds; 0 for a launch that never ran.
  double secondsOf(const bundle::Launch &launch) const;

  bool hasSeen(const bundle::Launch &launch) const {
    return times.contains(&launch);
  }

private:
  LaunchObserver *next;
  std::map<const bundle::Launch *, std::vector<double>> times;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_PROFILE_LAUNCHTIMES_H
