// Which dots use wgmma in a plan without a producer.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WARPGROUPDOTS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WARPGROUPDOTS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

/// Warps for a product in such a plan: few enough that each reuses its operands
/// several times. Four warps have the registers for 128 x 128 f32 accumulators
/// of fused multiply-adds.
/// \param elements  of the result.
int64_t warpsForProduct(int64_t elements, bool isMultiplyAdd);

/// Whether `wgmma` can compute a dot that accumulates in a loop on this number
/// of warps.
bool suitsWarpGroups(tile::DotOp dot, int64_t warps);

/// Marks the accumulating dots of loops that `wgmma` can compute with
/// `wgmmaName`, and explains the obstacle of the others.
void markWarpGroupDots(tile::KernelOp kernel, PlanAttr plan);

} // namespace tilegpt::tilegpu

#endif
