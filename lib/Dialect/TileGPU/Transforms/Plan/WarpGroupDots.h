// Which dots of a plan without a producer warp groups compute.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WARPGROUPDOTS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WARPGROUPDOTS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

/// Marks the dots that a loop sums up, if `wgmma` can compute them, with
/// `wgmmaName`. Says of the others why not.
void markWarpGroupDots(tile::KernelOp kernel, PlanAttr plan);

} // namespace tilegpt::tilegpu

#endif
