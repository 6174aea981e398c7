// The plan of a kernel whose main loops compute between their dots.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_COMPUTEPLAN_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_COMPUTEPLAN_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"

namespace tilegpt::tilegpu {

/// A plan with a producer for main loops whose dots and arithmetic alternate,
/// where they fit one to three warp groups; null otherwise.
PlanAttr planComputeLoops(tile::KernelOp kernel,
                          llvm::ArrayRef<Mainloop> matches,
                          const target::GpuTarget &target);

} // namespace tilegpt::tilegpu

#endif
