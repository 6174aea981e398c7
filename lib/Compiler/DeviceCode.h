// GPU code generation for a model: images of all kernels, cached or newly
// compiled.
#ifndef TILEGPT_LIB_COMPILER_DEVICECODE_H
#define TILEGPT_LIB_COMPILER_DEVICECODE_H

#include "TileGPT/Bundle/Builder.h"
#include "TileGPT/Compiler/GpuKernels.h"
#include "TileGPT/Runtime/Error.h"

namespace tilegpt::compiler {

/// The target and assembler of kernels.
struct DeviceTarget {
  const target::GpuTarget &gpu;
  std::optional<target::Ptxas> ptxas; ///< nothing: images are PTX
};

/// Looks up the architecture by name, and ptxas.
/// \returns Usage for an unknown name, Failure if ptxas does not run.
runtime::Result<DeviceTarget> findDeviceTarget(llvm::StringRef architecture);

struct DeviceCodeOptions {
  const DeviceTarget &target;
  /// If null, compiles every kernel.
  target::CodeCache *cache = nullptr;
  unsigned threads = 1;
  std::function<void(std::string_view)> warn; ///< may be null
  /// Called after each phase of newly compiled kernels.
  std::function<mlir::LogicalResult(mlir::ModuleOp, Phase)> afterPhase;
};

/// Compiles the kernels of a specialized module and adds their images to a
/// bundle's builder. Consumes the module.
/// \param indices the kernels of the bundle, by name.
/// \returns failure after a diagnostic.
mlir::LogicalResult
addDeviceCode(bundle::Builder &builder,
              const std::map<std::string, uint32_t> &indices,
              mlir::ModuleOp module, const DeviceCodeOptions &options);

} // namespace tilegpt::compiler

#endif
