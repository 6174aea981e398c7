// Alternative choices for a launch, and the order in which to try them.
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

/// A choice and the cycles of a multiprocessor that a model of the device
/// expects it to take.
struct RankedChoice {
  Choice choice;
  double cycles = 0;
};

struct TunableLaunch {
  std::string plan;   ///< the function it is in
  std::string kernel; ///< its name before it is specialized
  LaunchKey key;
  std::vector<TunableParameter> parameters; ///< with two candidates and more
  /// Choices that a model of the device ranks, best first; empty where it does
  /// not know the kernel.
  std::vector<RankedChoice> ranked;
};

/// The choices with the lowest expected time, best first. The estimate is the
/// padding of tiles beyond the data, times the idle lanes of the last wave of
/// blocks, times the loads per computation of a tile. Takes at most 6 choices
/// that differ in one parameter only, for variety.
/// \param lanes  blocks that run at a time.
std::vector<Choice> rankChoices(const std::vector<TunableParameter> &parameters,
                                int64_t lanes, size_t most);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_TUNING_CANDIDATES_H
