// Alternative choices for a launch, and the order in which to try them.
#ifndef TILEGPT_RUNTIME_TUNING_CANDIDATES_H
#define TILEGPT_RUNTIME_TUNING_CANDIDATES_H

#include "TileGPT/Runtime/Tuning/Records.h"

namespace tilegpt::runtime {

/// A size that a kernel declares candidates for.
struct TunableParameter {
  std::string name;
  std::vector<int64_t> candidates;
  /// The largest extent of the axes that it tiles; 0 if unknown.
  int64_t extent = 0;
  bool isOfGrid = false; ///< each tile along the axis is a block
  bool isOfRows = false; ///< the extent is the plan's maximum number of rows
};

/// A choice and its estimated cycles on a multiprocessor.
struct RankedChoice {
  Choice choice;
  double cycles = 0;
  /// Values of `raster`, other than its own, whose orders of tiles may be
  /// faster.
  std::vector<int64_t> rasters = {};
};

struct TunableLaunch {
  std::string plan;   ///< the function that contains the launch
  std::string kernel; ///< its name before specialization
  LaunchKey key;
  std::vector<TunableParameter> parameters; ///< with at least two candidates
  /// Choices in the order of the device's cost model, best first; empty if the
  /// model does not cover the kernel.
  std::vector<RankedChoice> ranked;
};

/// Two launches of a plan that may be fused.
struct TunableFusion {
  std::string plan; ///< the function they are in
  std::string name; ///< of their kernels: "linear+gelu"
  LaunchKey key;
  bool isFused = false; ///< what the cost model decides
};

/// The number of rows at which a plan has to end.
struct PlanEnd {
  std::string kind; ///< "prefill"
  int64_t rows = 0;
};

/// A plan of a model, which may end at fewer rows.
struct TunablePlan {
  std::string model; ///< its name
  /// The digest of the model's text; the operands are the kind of step
  /// ("prefill") and the element type of the weights.
  LaunchKey key;

  const std::string &kind() const { return key.operands.front(); }
};

/// What tuning may change about a model.
struct TunableModel {
  TuningDevice device;
  std::vector<TunablePlan> plans;
  std::vector<TunableLaunch> launches; ///< of all plans, in order
  std::vector<TunableFusion> fusions;
};

/// The same with another number of warps in its plan (GPUs), for 2, 4, 8 and 16
/// except the number that it has.
std::vector<Choice> withOtherWarps(const Choice &choice);

/// The choices with the lowest expected time, best first. The estimate is the
/// padding of tiles beyond the data, times the idle lanes of the last wave of
/// blocks, times the loads per computation of a tile. Takes at most 6 choices
/// that differ in one parameter only, for variety.
/// \param lanes  blocks that run at a time.
std::vector<Choice> rankChoices(const std::vector<TunableParameter> &parameters,
                                int64_t lanes, size_t most);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_TUNING_CANDIDATES_H
