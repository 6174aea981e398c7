// Plans kernels that spill registers again, with other numbers of warps.
#ifndef TILEGPT_LIB_COMPILER_OTHERWARPS_H
#define TILEGPT_LIB_COMPILER_OTHERWARPS_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Target/NVVM/CompileKernel.h"

namespace tilegpt::compiler {

/// Numbers of warps to try, in order, for a kernel that spills registers with
/// `plan`: twice as many, whose threads hold half of each tile, then half as
/// many, which may have more than twice the registers. Empty if the plan does
/// not leave the number open: with a producer, or with a block of one warp.
std::vector<int64_t> otherWarps(tilegpu::PlanAttr plan);

/// Compiles a kernel with other numbers of warps until ptxas reports no
/// performance problem. Emits no diagnostics.
/// \param device  the kernel's device module before `Phase::Planned`; unchanged
/// \param plan    the plan with which ptxas reported problems
/// \returns nothing if each of the numbers has problems, or does not fit the
///   kernel, or the kernel requests one itself.
std::optional<target::GpuKernel> compileWithOtherWarps(
    mlir::ModuleOp device, tilegpu::PlanAttr plan, const PhaseOptions &phases,
    const target::GpuTarget &target, const target::Ptxas &ptxas);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_OTHERWARPS_H
