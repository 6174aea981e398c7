// The plan of a kernel that a producer can feed.
#ifndef TILEGPT_LIB_CONVERSION_TILETOGPU_PIPEPLAN_H
#define TILEGPT_LIB_CONVERSION_TILETOGPU_PIPEPLAN_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"

namespace tilegpt::tilegpu {

/// A plan with a producer, where the target has TMA and wgmma and a loop of the
/// kernel suits them; null otherwise.
PlanAttr planPipe(tile::KernelOp kernel, const target::GpuTarget &target,
                  int64_t multiprocessors);

} // namespace tilegpt::tilegpu

#endif
