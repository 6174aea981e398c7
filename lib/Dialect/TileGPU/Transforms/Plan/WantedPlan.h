// What a record of tuning, or a person, wants of the plan of a kernel.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WANTEDPLAN_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WANTEDPLAN_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

/// The numbers of `tile.wanted_plan`. Those who make plans heed what the rules
/// for them allow; afterwards findMissing() says what could not be had.
class WantedPlan {
public:
  /// Wants nothing.
  WantedPlan() = default;
  explicit WantedPlan(tile::KernelOp kernel);

  /// What is wanted of a parameter of `#tile_gpu.plan`, of a truth 0 or 1;
  /// nothing where that is left open.
  std::optional<int64_t> get(llvm::StringRef name) const;

  /// A plan with what any plan may be given: bands of so many rows, overlap
  /// with the launch in front or none, fewer stages of a producer.
  PlanAttr adjust(PlanAttr plan) const;

  /// The first number that a plan does not have, as "parts = 3"; empty if it
  /// has all.
  std::string findMissing(PlanAttr plan) const;

private:
  mlir::DictionaryAttr numbers; ///< may be null
};

} // namespace tilegpt::tilegpu

#endif
