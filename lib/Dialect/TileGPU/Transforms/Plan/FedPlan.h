// The plan of a kernel with a fed loop (see FedLoops.h).
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_FEDPLAN_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_FEDPLAN_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"

namespace tilegpt::tilegpu {

/// A plan with a producer, where the target has TMA and wgmma and the kernel a
/// fed loop that fits one to three warp groups; null otherwise.
PlanAttr planFedLoop(tile::KernelOp kernel, const target::GpuTarget &target);

} // namespace tilegpt::tilegpu

#endif
