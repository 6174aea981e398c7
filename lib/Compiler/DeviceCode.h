// The GPU half of compiling a model: images of all kernels, from the cache or
// made now.
#ifndef TILEGPT_LIB_COMPILER_DEVICECODE_H
#define TILEGPT_LIB_COMPILER_DEVICECODE_H

#include "TileGPT/Bundle/Builder.h"
#include "TileGPT/Compiler/GpuKernels.h"
#include "TileGPT/Runtime/Error.h"

namespace tilegpt::compiler {

/// What kernels are compiled for, and with.
struct DeviceTarget {
  const target::GpuTarget &gpu;
  std::optional<target::Ptxas> ptxas; ///< nothing: images are PTX
};

/// Finds the architecture by name, and ptxas.
/// \returns Usage for a name nobody knows, Failure for a ptxas that does not
/// answer.
runtime::Result<DeviceTarget> findDeviceTarget(llvm::StringRef architecture);

struct DeviceCodeOptions {
  const DeviceTarget &target;
  /// Null compiles every kernel anew.
  target::CodeCache *cache = nullptr;
  unsigned threads = 1;
  std::function<void(std::string_view)> warn; ///< may be null
  /// Called behind each phase of what is compiled anew.
  std::function<mlir::LogicalResult(mlir::ModuleOp, Phase)> afterPhase;
};

/// Compiles the kernels of a specialized module and gives their images to a
/// bundle's builder. The module is of no use afterwards.
/// \param indices the kernels of the bundle, by name.
/// \returns failure after a diagnostic.
mlir::LogicalResult
addDeviceCode(bundle::Builder &builder,
              const std::map<std::string, uint32_t> &indices,
              mlir::ModuleOp module, const DeviceCodeOptions &options);

} // namespace tilegpt::compiler

#endif
