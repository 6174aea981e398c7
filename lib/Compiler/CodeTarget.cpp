// Finds the target that the options select, and names it for tuning and
// caching.
#include "CodeTarget.h"
#include "TileGPT/Dialect/Tile/Transforms/ShippedRecords.h"
#include "TileGPT/Target/NVVM/GpuModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilegpt;
using namespace tilegpt::compiler;
using runtime::Result;

Result<CodeTarget> compiler::findCodeTarget(const CompileOptions &options) {
  if (options.gpu) {
    Result<DeviceTarget> device = findDeviceTarget(options.gpu->architecture);
    if (!device)
      return tl::unexpected(device.error());
    return CodeTarget(std::move(*device));
  }
  llvm::Expected<target::HostTarget> host =
      target::HostTarget::create(options.cpu);
  if (!host)
    return tl::unexpected(runtime::Error{runtime::ErrorCode::Usage,
                                         llvm::toString(host.takeError())});
  return CodeTarget(std::move(*host));
}

runtime::TuningDevice compiler::tuningDeviceOf(const CompileOptions &options,
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

/// The device, if TileGPT ships records for it and they are enabled.
static std::string recordsFor(const CompileOptions &options,
                              const CodeTarget &target) {
  const std::string device = tuningDeviceOf(options, target).describe();
  return options.shippedRecords && tile::shippedRecordsFor(device) ? device
                                                                   : "";
}

std::string compiler::describeTarget(const CompileOptions &options,
                                     const CodeTarget &target) {
  if (const auto *host = std::get_if<target::HostTarget>(&target))
    return llvm::formatv("{0} {1:x} {2}", host->cpu(), host->features(),
                         recordsFor(options, target));
  const auto &device = std::get<DeviceTarget>(target);
  return llvm::formatv("{0} {1} {2} {3}", device.gpu.name,
                       options.gpu->multiprocessors,
                       device.ptxas ? device.ptxas->getVersion() : "",
                       recordsFor(options, target));
}
