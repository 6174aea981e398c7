// Merges iterations of loops that sum products.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_GROWDEPTH_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_GROWDEPTH_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// Merges iterations of a loop that only accumulates dots of loaded tiles, so
/// that the K of every dot becomes a multiple of the MMA instruction's.
/// \returns how many iterations became one; 1 if the loop is unchanged.
int64_t growDepth(mlir::scf::ForOp loop);

/// Doubles the K of the iterations of such a loop, with one dot, if each copies
/// a few KB and a block runs at least two rounds of stages: with a tile of 16 x
/// 16 and K = 64 an iteration takes 170 cycles on an H200, most of which are
/// the wait for its stage and for its MMAs.
/// \param plan  of the kernel, with a producer; it has room for its stages
/// afterwards.
/// \returns whether the loop was changed.
bool growShortSteps(mlir::scf::ForOp loop, PlanAttr plan,
                    const target::GpuTarget &target);

} // namespace tilegpt::tilegpu

#endif
