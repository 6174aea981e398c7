// Connects the kernel cache, ptxas and the bundle's builder.
#include "DeviceCode.h"

using namespace mlir;
using tilegpt::runtime::Error;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

Result<DeviceTarget> findDeviceTarget(llvm::StringRef architecture) {
  auto gpu = target::GpuTarget::find(architecture);
  if (!gpu)
    return tl::unexpected(
        Error{ErrorCode::Usage, llvm::toString(gpu.takeError())});
  auto ptxas = target::Ptxas::find();
  if (!ptxas)
    return tl::unexpected(
        Error{ErrorCode::Failure, llvm::toString(ptxas.takeError())});
  return DeviceTarget{*gpu, std::move(*ptxas)};
}

LogicalResult addDeviceCode(bundle::Builder &builder,
                            const std::map<std::string, uint32_t> &indices,
                            ModuleOp module, const DeviceCodeOptions &options) {
  GpuCompilation compilation(options.target.gpu);
  if (options.target.ptxas)
    compilation.ptxas = &*options.target.ptxas;
  compilation.cache = options.cache;
  compilation.threads = options.threads;
  compilation.afterPhase = options.afterPhase;
  compilation.warn = options.warn;
  FailureOr<GpuKernels> kernels = compileGpuKernels(module, compilation);
  if (failed(kernels))
    return failure();
  for (const auto &[name, index] : indices) {
    const target::GpuKernel &kernel = kernels->at(name);
    builder.setDeviceImage(index, kernel.image(), kernel.launch,
                           kernel.tensorMaps);
  }
  return success();
}

} // namespace tilegpt::compiler
