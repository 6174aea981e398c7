// A GPU and its context.
#ifndef TILEGPT_RUNTIME_CUDA_DEVICE_H
#define TILEGPT_RUNTIME_CUDA_DEVICE_H

#include "TileGPT/Runtime/Cuda/Driver.h"
#include <vector>

namespace tilegpt::cuda {

struct DeviceInfo {
  int ordinal = 0;
  std::string name;
  int major = 0, minor = 0; ///< compute capability
  int multiprocessors = 0;
  int64_t memoryBytes = 0;
  int64_t sharedBytes = 0; ///< most a block can have
  int clockKhz = 0;        ///< highest, of the multiprocessors
  int memoryClockKhz = 0;  ///< highest
  int memoryBusBits = 0;
  int pciDomain = 0, pciBus = 0, pciDevice = 0; ///< tell GPUs of a host apart

  /// "sm_90".
  std::string architecture() const {
    return runtime::concat("sm_", major, minor);
  }
  /// "device 0 (NVIDIA H200)".
  std::string describe() const {
    return runtime::concat("device ", ordinal, " (", name, ")");
  }
};

/// Whether code compiled for an architecture ("sm_90a", "sm_80") runs on a
/// device: with a suffix only on exactly this one; without, a cubin on the same
/// or a newer minor version, PTX on everything newer too.
bool canRun(const DeviceInfo &device, std::string_view architecture,
            bool isPtx);

/// All GPUs, in the driver's order.
runtime::Result<std::vector<DeviceInfo>> listDevices(const Driver &driver);

/// A GPU in use. What lives on it keeps it alive.
class Device {
public:
  /// Retains the GPU's primary context and makes it current.
  /// \returns Device if there is no GPU of this number or it cannot be used.
  static runtime::Result<std::shared_ptr<Device>>
  open(std::shared_ptr<const Driver> driver, int ordinal);

  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
  ~Device();

  const DeviceInfo &info() const { return deviceInfo; }
  const Driver &driver() const { return *api; }

  /// Makes the context current on the calling thread, as required by all calls
  /// on the GPU's memory, streams and kernels.
  runtime::Result<void> makeCurrent() const;

private:
  Device(std::shared_ptr<const Driver> driver, DeviceInfo info, CUdevice device,
         CUcontext context)
      : api(std::move(driver)), deviceInfo(std::move(info)), device(device),
        context(context) {}

  std::shared_ptr<const Driver> api;
  DeviceInfo deviceInfo;
  CUdevice device;
  CUcontext context;
};

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_DEVICE_H
