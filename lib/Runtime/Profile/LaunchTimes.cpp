// One sample per launch and run; medians are computed on demand.
#include "TileGPT/Runtime/Profile/LaunchTimes.h"
#include "TileGPT/Runtime/Data/Median.h"

using namespace tilegpt;
using namespace tilegpt::runtime;

void LaunchTimes::launched(const bundle::Launch &launch, int64_t blocks,
                           Clock::time_point begin, Clock::time_point end) {
  times[&launch].push_back(std::chrono::duration<double>(end - begin).count());
  if (next)
    next->launched(launch, blocks, begin, end);
}

double LaunchTimes::secondsOf(const bundle::Launch &launch) const {
  const auto found = times.find(&launch);
  return found == times.end() ? 0 : medianOf(found->second);
}
