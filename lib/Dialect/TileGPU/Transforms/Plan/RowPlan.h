// The plan of a kernel that reduces long rows.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_ROWPLAN_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_ROWPLAN_H

#include "Plan/WantedPlan.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"

namespace tilegpt::tilegpu {

/// A plan that keeps rows in the shared memory or the registers of one block or
/// of the blocks of a cluster, whichever takes the least time, as far as
/// `wanted` leaves that open; null for a kernel that does something else, and
/// for rows that are best kept like any other tile.
PlanAttr planLongRows(tile::KernelOp kernel, const target::GpuTarget &target,
                      int64_t multiprocessors, const WantedPlan &wanted);

} // namespace tilegpt::tilegpu

#endif
