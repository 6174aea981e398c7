// Plans kernels that reduce long rows.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_ROWPLAN_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_ROWPLAN_H

#include "Plan/WantedPlan.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/Pass/PassManager.h"

namespace tilegpt::tilegpu {

/// A plan that keeps rows in the shared memory or registers of a block or
/// cluster, whichever is fastest within what `wanted` leaves open; null for
/// other kernels, and for rows that are best handled as ordinary tiles.
PlanAttr planLongRows(tile::KernelOp kernel, const target::GpuTarget &target,
                      int64_t multiprocessors, const WantedPlan &wanted);

/// Runs a pipeline on an op, as Pass::runPipeline does.
using RunPipeline = llvm::function_ref<mlir::LogicalResult(
    mlir::OpPassManager &, mlir::Operation *)>;

/// Calls `plan` with a copy of the kernel in the form in which long rows are
/// planned. The copy is in a module of its own, where it keeps its name, so
/// that remarks about it are those of later passes; it is erased afterwards.
/// \param exact  whether to leave out passes that change results
/// \returns failure, without a call, if a pass fails.
mlir::LogicalResult
planSimplifiedRows(tile::KernelOp kernel, bool exact, RunPipeline run,
                   llvm::function_ref<void(tile::KernelOp)> plan);

/// The rows of a simplified kernel if several blocks can process each of them
/// and ordinary tiles would be slower; nothing for other kernels.
std::optional<LongRows> findSharedLongRows(tile::KernelOp kernel,
                                           const target::GpuTarget &target,
                                           int64_t multiprocessors);

/// Estimated cycles of a simplified kernel of long rows with the fastest plan
/// in clusters; nothing for other kernels.
std::optional<double> estimateLongRows(tile::KernelOp kernel,
                                       const target::GpuTarget &target,
                                       int64_t multiprocessors);

/// How many blocks should share each row and exchange through memory; nothing
/// if a block or cluster for each row is as fast, or the blocks do not fit on
/// the device at once.
std::optional<RowBlocks> divideLongRows(tile::KernelOp kernel,
                                        const target::GpuTarget &target,
                                        int64_t multiprocessors,
                                        const WantedPlan &wanted);

} // namespace tilegpt::tilegpu

#endif
