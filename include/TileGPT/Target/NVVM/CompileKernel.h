// From a device module of one kernel to its image, in one call.
#ifndef TILEGPT_TARGET_NVVM_COMPILEKERNEL_H
#define TILEGPT_TARGET_NVVM_COMPILEKERNEL_H

#include "TileGPT/Target/NVVM/GpuKernel.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace tilegpt::target {

/// Compiles a module in the LLVM and NVVM dialects with one `nvvm.kernel`,
/// whose launch attributes say how it is launched. The context must know
/// registerNvvmTranslation(). Modules of one context may be compiled at the
/// same time.
/// \param ptxas null leaves the cubin away: the image is PTX.
/// \returns an error for what does not translate or assemble; more may have
/// been said in a diagnostic.
llvm::Expected<GpuKernel> compileKernel(mlir::ModuleOp module,
                                        const GpuTarget &target,
                                        const Ptxas *ptxas);

/// \returns an error that names the kernel and lists its performanceProblems(),
/// if it has any.
llvm::Error checkPerformance(const GpuKernel &kernel);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_COMPILEKERNEL_H
