// Compiles tile kernels for an NVIDIA GPU: several at the same time, each of
// them at most once for as long as the cache keeps it.
#ifndef TILEGPT_COMPILER_GPUKERNELS_H
#define TILEGPT_COMPILER_GPUKERNELS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Target/NVVM/CompileKernel.h"
#include "TileGPT/Target/NVVM/KernelCache.h"
#include <map>

namespace tilegpt::compiler {

struct GpuCompilation {
  explicit GpuCompilation(const target::GpuTarget &target) : target(target) {}

  const target::GpuTarget &target;
  /// Multiprocessors that tile sizes are chosen for where kernels are not
  /// specialized yet.
  int64_t multiprocessors = 132;
  /// Null leaves cubins to the driver, which compiles the PTX.
  const target::Ptxas *ptxas = nullptr;
  /// Null compiles every kernel anew.
  target::CodeCache *cache = nullptr;
  /// A kernel that spills registers, has a stack frame or makes ptxas remark on
  /// its performance is an error; else it only gets a warning.
  bool strict = false;
  /// As `PhaseOptions::exact`.
  bool exact = false;
  /// Kernels compiled at the same time; at least 1.
  unsigned threads = 1;
  /// Called behind each phase with the device modules that are being compiled;
  /// may be null.
  std::function<mlir::LogicalResult(mlir::ModuleOp, Phase)> afterPhase;
  /// Told of kernels that will be slow; may be null.
  std::function<void(const std::string &)> warn;
};

/// Compiled kernels by the name of their device module: that of the kernel.
using GpuKernels = std::map<std::string, target::GpuKernel, std::less<>>;

/// Compiles all specialized kernels of a module and leaves nothing else in it
/// (DeviceModules.h); what it holds afterwards is of no use.
/// \returns failure after a diagnostic at the kernel that does not compile.
mlir::FailureOr<GpuKernels> compileGpuKernels(mlir::ModuleOp module,
                                              const GpuCompilation &options);

/// Compiles one specialized kernel, which stays as it is.
mlir::FailureOr<target::GpuKernel>
compileGpuKernel(tile::KernelOp kernel, const GpuCompilation &options);

} // namespace tilegpt::compiler

#endif // TILEGPT_COMPILER_GPUKERNELS_H
