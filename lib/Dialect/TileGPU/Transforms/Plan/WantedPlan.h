// Plan parameters requested by a tuning record or by the user.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WANTEDPLAN_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WANTEDPLAN_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

/// The parameters in `tile.wanted_plan`. Planners honor them as far as their
/// rules allow; afterwards findMissing() reports what could not be honored.
class WantedPlan {
public:
  /// Requests nothing.
  WantedPlan() = default;
  explicit WantedPlan(tile::KernelOp kernel);

  /// The requested value of a `#tile_gpu.plan` parameter, 0 or 1 for a boolean;
  /// nullopt if it is left open.
  std::optional<int64_t> get(llvm::StringRef name) const;

  /// The plan with those requests that any plan can take: the height of raster
  /// bands, overlap with the previous launch, fewer stages of a producer.
  PlanAttr adjust(PlanAttr plan) const;

  /// The first request that a plan does not fulfill, as in "parts = 3"; empty
  /// if it fulfills all.
  std::string findMissing(PlanAttr plan) const;

private:
  mlir::DictionaryAttr numbers; ///< may be null
};

} // namespace tilegpt::tilegpu

#endif
