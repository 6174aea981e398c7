// Compiles a device module with one kernel to an image.
#ifndef TILEGPT_TARGET_NVVM_COMPILEKERNEL_H
#define TILEGPT_TARGET_NVVM_COMPILEKERNEL_H

#include "TileGPT/Target/NVVM/GpuKernel.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace tilegpt::target {

/// Compiles a module in the LLVM and NVVM dialects with one `nvvm.kernel` and
/// its launch attributes. The context must have the translations of these
/// dialects. Modules of one context may be compiled concurrently.
/// \param ptxas null omits the cubin: the image is PTX.
/// \returns an error for translation or assembly failures; diagnostics may have
/// more detail.
llvm::Expected<GpuKernel> compileKernel(mlir::ModuleOp module,
                                        const GpuTarget &target,
                                        const Ptxas *ptxas);

/// The performanceProblems() of the kernel's report, except the stack frame of
/// a kernel that prints: it holds the arguments of the print.
std::vector<std::string> performanceProblems(const GpuKernel &kernel);

/// \returns an error that names the kernel and lists its performanceProblems(),
/// if it has any.
llvm::Error checkPerformance(const GpuKernel &kernel);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_COMPILEKERNEL_H
