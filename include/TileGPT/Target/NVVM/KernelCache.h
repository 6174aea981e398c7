// The compilation cache for GPU kernels.
#ifndef TILEGPT_TARGET_NVVM_KERNELCACHE_H
#define TILEGPT_TARGET_NVVM_KERNELCACHE_H

#include "TileGPT/Target/Cache/CodeCache.h"
#include "TileGPT/Target/NVVM/GpuKernel.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"

namespace tilegpt::target {

/// \param kernel  the kernel as text, with its plan.
/// \param ptxas   null when images are PTX.
/// \param buildId of the compiler.
CacheKey kernelKey(llvm::StringRef kernel, const GpuTarget &target,
                   const Ptxas *ptxas, llvm::StringRef buildId);

/// The kernel stored under `key`, or nothing.
std::optional<GpuKernel> loadKernel(const CodeCache &cache,
                                    const CacheKey &key);

/// Stores a kernel; failures are recorded in CodeCache.
void storeKernel(CodeCache &cache, const CacheKey &key,
                 const GpuKernel &kernel);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_KERNELCACHE_H
