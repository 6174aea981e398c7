// Plans kernels whose main loops compute between their dots.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_COMPUTEPLAN_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_COMPUTEPLAN_H

#include "Plan/WantedPlan.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"

namespace tilegpt::tilegpu {

/// How main loops that alternate dots and arithmetic fit a block.
struct ComputeFit {
  int64_t groups;     ///< warp groups that share the rows, up to three
  int64_t stages;     ///< of the rings of streams
  int64_t mostStages; ///< of those rings if residents have one
  int64_t residentStages;
  int64_t registers; ///< of a thread, that meet the tensor cores
  bool copiesAll;    ///< including tiles that only arithmetic reads
};

/// The stages that two warp groups that take turns need for tiles beside the
/// scores (4 x 16 x 1024 x 128, bias bf16: 47 us in 128 x 64, 75 in 192 x 64).
inline constexpr int64_t stagesBeside = 3;

/// Whether all dots of a main loop are in flight during the next iteration.
bool isProduct(const Mainloop &match);

/// The main loops of a kernel without a plan, if warp groups can share their
/// rows and one of them computes between its dots; none otherwise.
llvm::SmallVector<Mainloop> findComputeLoops(tile::KernelOp kernel,
                                             const target::GpuTarget &target);

/// Whether one or two warp groups can share the rows of a loop's dots whose
/// left operands it computes; three have too few registers for a product.
/// \param columns  of each of `sums` accumulators.
/// \param depth  of each of `dots` computed operands.
bool suitsComputedRows(int64_t rows, int64_t columns, int64_t depth,
                       int64_t sums = 1, int64_t dots = 1);

/// Fits main loops to a block; nullopt if they do not fit. Marks dots
/// `keptInPlaceName` if threads lack the registers to overlap their operands of
/// two iterations, or if the kernel has that attribute.
std::optional<ComputeFit> fitComputeLoops(tile::KernelOp kernel,
                                          llvm::ArrayRef<Mainloop> matches,
                                          const target::GpuTarget &target);

/// Whether two blocks, each with the only warp group of its rows, fit a
/// multiprocessor.
bool fitsTwoBlocks(tile::KernelOp kernel, llvm::ArrayRef<Mainloop> matches,
                   const target::GpuTarget &target, int64_t multiprocessors);

/// A plan with a producer for main loops that alternate dots and arithmetic, if
/// they fit one to three warp groups; null otherwise. Two blocks of one warp
/// group share a multiprocessor if they fit and `wanted` does not request one.
PlanAttr planComputeLoops(tile::KernelOp kernel,
                          llvm::ArrayRef<Mainloop> matches,
                          const target::GpuTarget &target,
                          int64_t multiprocessors, const WantedPlan &wanted);

} // namespace tilegpt::tilegpu

#endif
