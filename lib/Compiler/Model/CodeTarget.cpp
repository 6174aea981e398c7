// Finds the target of a model's code and describes it.
#include "Model/CodeTarget.h"
#include "TileGPT/Dialect/Tile/Transforms/ShippedRecords.h"
#include "TileGPT/Target/NVVM/GpuModel.h"
#include "llvm/Support/FormatVariadic.h"

using tilegpt::runtime::Error;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

Result<CodeTarget> findTarget(const CompileOptions &options) {
  if (options.gpu) {
    Result<DeviceTarget> device = findDeviceTarget(options.gpu->architecture);
    if (!device)
      return tl::unexpected(device.error());
    return CodeTarget(std::move(*device));
  }
  llvm::Expected<target::HostTarget> host =
      target::HostTarget::create(options.cpu);
  if (!host)
    return tl::unexpected(
        Error{ErrorCode::Usage, llvm::toString(host.takeError())});
  return CodeTarget(std::move(*host));
}

/// The device, if TileGPT ships records for it and they are enabled.
static std::string recordsFor(const CompileOptions &options,
                              const CodeTarget &target) {
  const std::string device = deviceOf(options, target).describe();
  return options.shippedRecords && tile::shippedRecordsFor(device) ? device
                                                                   : "";
}

std::string identify(const CompileOptions &options, const CodeTarget &target) {
  if (const auto *host = std::get_if<target::HostTarget>(&target))
    return llvm::formatv("{0} {1:x} {2}", host->cpu(), host->features(),
                         recordsFor(options, target));
  const auto &device = std::get<DeviceTarget>(target);
  return llvm::formatv("{0} {1} {2} {3}", device.gpu.name,
                       options.gpu->multiprocessors,
                       device.ptxas ? device.ptxas->getVersion() : "",
                       recordsFor(options, target));
}

runtime::TuningDevice deviceOf(const CompileOptions &options,
                               const CodeTarget &target) {
  if (const auto *host = std::get_if<target::HostTarget>(&target))
    return {target::HostTarget::architecture.str(), host->cpu().str(),
            options.lanes};
  const target::GpuTarget &gpu = std::get<DeviceTarget>(target).gpu;
  return {gpu.name.str(),
          options.gpuName.empty() ? target::GpuModel::of(gpu).name.str()
                                  : options.gpuName,
          options.gpu->multiprocessors};
}

} // namespace tilegpt::compiler
