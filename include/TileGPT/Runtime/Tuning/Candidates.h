// What a launch could be given instead, and in which order to try it.
#ifndef TILEGPT_RUNTIME_TUNING_CANDIDATES_H
#define TILEGPT_RUNTIME_TUNING_CANDIDATES_H

#include "TileGPT/Runtime/Tuning/Records.h"

namespace tilegpt::runtime {

/// A size that a kernel declares candidates for.
struct TunableParameter {
  std::string name;
  std::vector<int64_t> candidates;
  /// Most elements of the axes that it cuts into tiles; 0 where not known.
  int64_t extent = 0;
  bool isOfGrid = false; ///< each tile along the axis is a block
  bool isOfRows = false; ///< the extent is the most rows of the plan
};

struct TunableLaunch {
  std::string plan;   ///< the function it is in
  std::string kernel; ///< its name before it is specialized
  LaunchKey key;
  std::vector<TunableParameter> parameters; ///< with two candidates and more
  /// Choices that a model of the device ranks, best first; empty where it does
  /// not know the kernel.
  std::vector<Choice> ranked;
};

/// The choices that are expected to be fastest, best first. Expected is the
/// padding of tiles beyond the data, times the idle lanes of the last wave of
/// blocks, times the loads that a tile needs for what it computes. Of choices
/// that differ in one parameter only, 6 at most are taken, so that not all are
/// neighbours.
/// \param lanes  blocks that run at a time.
std::vector<Choice> rankChoices(const std::vector<TunableParameter> &parameters,
                                int64_t lanes, size_t most);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_TUNING_CANDIDATES_H
