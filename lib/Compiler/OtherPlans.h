// Plans kernels that spill registers again, with other plan parameters.
#ifndef TILEGPT_LIB_COMPILER_OTHERPLANS_H
#define TILEGPT_LIB_COMPILER_OTHERPLANS_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Target/NVVM/CompileKernel.h"

namespace tilegpt::compiler {

/// A parameter of `tile.wanted_plan`.
struct PlanRequest {
  llvm::StringRef name;
  int64_t value;

  friend bool operator==(const PlanRequest &, const PlanRequest &) = default;
};

/// Parameters requested together.
using PlanRequests = std::vector<PlanRequest>;

/// A way to plan a kernel again.
struct OtherPlan {
  PlanRequests requests;
  /// Whether dots complete in their iteration, which is no parameter of a plan.
  bool keepsDotsInPlace = false;

  friend bool operator==(const OtherPlan &, const OtherPlan &) = default;
};

/// Plans to try, in order, for a kernel that spills registers with `plan`.
/// Without a producer: twice as many warps, whose threads hold half of each
/// tile, then half as many, which may have more than twice the registers. With
/// one: one block in a multiprocessor instead of two, then two iterations for
/// each, with smaller tiles. One warp group beside a producer spills much
/// before it has them, since nothing hides the waits of shorter iterations
/// (differential attention in tiles of 64 x 64 that spills 64 bytes takes 386
/// us, and 407 without, on an H200); then it may also do without the producer,
/// with twice as many warps (gated linear attention that spills 1348 bytes
/// takes 951 us, and 293 so). Empty for blocks of one warp and for teams.
/// \param spilled  bytes a thread spills
/// \param isSerialized  whether ptxas serializes dots beside a producer; then
///   they complete in their iteration first
std::vector<OtherPlan> otherPlans(tilegpu::PlanAttr plan, unsigned spilled,
                                  bool isSerialized);

/// Whether a kernel should be planned again. With a producer, few spilled
/// registers cost less than iterations with smaller tiles do: attention of
/// normalized keys that spills 24 bytes takes 221 us, and 237 without;
/// gradients of keys and values that spill 48, 60 and 288 bytes take 474, 272
/// and 449 us, and 461, 255 and 287 without (64 heads x 2048 x 128, H200).
bool needsOtherPlan(const target::GpuKernel &kernel, tilegpu::PlanAttr plan);

/// Whether the threads of a block have all registers of a multiprocessor and
/// spill more than another number of threads saves: shares of tiles change with
/// that number, their sum does not. A row of 32000 elements with five tiles of
/// it alive spills 772 bytes with 16 warps, 1388 with 8 and 616 with 32.
bool areRegistersExhausted(const target::GpuKernel &kernel,
                           tilegpu::PlanAttr plan);

/// Compiles a kernel with other plans until one does not need another.
/// Emits no diagnostics.
/// \param first   the kernel with its first plan, which needs another
/// \param device  its device module before `Phase::Planned`; unchanged
/// \param plan    the first plan
/// \returns the kernel with that plan; if each needs another, the one that
///   spills least, if that is less than half of `first`. Nothing if there is
///   none, or if the kernel makes the request itself.
std::optional<target::GpuKernel>
compileWithOtherPlan(const target::GpuKernel &first, mlir::ModuleOp device,
                     tilegpu::PlanAttr plan, const PhaseOptions &phases,
                     const target::GpuTarget &target,
                     const target::Ptxas &ptxas);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_OTHERPLANS_H
