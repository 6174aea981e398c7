// Compiles tile kernels for an NVIDIA GPU, in parallel and cached.
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
  /// Number of multiprocessors for choosing tile sizes of kernels that are not
  /// specialized yet.
  int64_t multiprocessors = 132;
  /// Null: no cubins, the driver compiles the PTX.
  const target::Ptxas *ptxas = nullptr;
  /// Null: no cache.
  target::CodeCache *cache = nullptr;
  /// Whether register spills, a stack frame or a ptxas performance remark are
  /// errors instead of warnings.
  bool strict = false;
  /// As `PhaseOptions::exact`.
  bool exact = false;
  /// Whether a version of a kernel (`tile.version_of`) that has the same code
  /// is that kernel again, with its symbol, instead of another image.
  bool sharesVersions = false;
  /// Number of kernels compiled in parallel; at least 1.
  unsigned threads = 1;
  /// Called after each phase with the device modules being compiled; may be
  /// null.
  std::function<mlir::LogicalResult(mlir::ModuleOp, Phase)> afterPhase;
  /// Receives performance warnings; may be null.
  std::function<void(const std::string &)> warn;
};

/// Compiled kernels by the name of their device module: that of the kernel.
using GpuKernels = std::map<std::string, target::GpuKernel, std::less<>>;

/// Compiles all specialized kernels of a module, whose contents are unspecified
/// afterwards (DeviceModules.h).
/// \returns failure after a diagnostic at the kernel that does not compile.
mlir::FailureOr<GpuKernels> compileGpuKernels(mlir::ModuleOp module,
                                              const GpuCompilation &options);

/// Compiles one specialized kernel without modifying it.
mlir::FailureOr<target::GpuKernel>
compileGpuKernel(tile::KernelOp kernel, const GpuCompilation &options);

} // namespace tilegpt::compiler

#endif // TILEGPT_COMPILER_GPUKERNELS_H
