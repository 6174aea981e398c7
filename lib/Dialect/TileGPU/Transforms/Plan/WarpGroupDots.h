// Selects the dots that use wgmma in a plan without a producer.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WARPGROUPDOTS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WARPGROUPDOTS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

/// Marks the accumulating dots of loops that `wgmma` can compute with
/// `wgmmaName`, and explains the obstacle of the others.
void markWarpGroupDots(tile::KernelOp kernel, PlanAttr plan);

} // namespace tilegpt::tilegpu

#endif
