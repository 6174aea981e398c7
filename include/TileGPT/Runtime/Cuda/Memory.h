// Memory of a GPU, and page-locked memory of the host that it copies from and
// to while the program runs on.
#ifndef TILEGPT_RUNTIME_CUDA_MEMORY_H
#define TILEGPT_RUNTIME_CUDA_MEMORY_H

#include "TileGPT/Runtime/Cuda/Device.h"
#include <utility>

namespace tilegpt::cuda {

/// Uninitialised memory of a GPU, aligned to 256 bytes at least.
class DeviceMemory {
public:
  DeviceMemory() = default;

  /// \param bytes any number; never less than bundle::bufferAlignment is
  /// allocated, so the first element of anything may be read.
  /// \param what  for the error message, e.g. "the KV cache".
  /// \returns Device, saying how much was wanted and how much is free.
  static runtime::Result<DeviceMemory>
  allocate(std::shared_ptr<Device> device, size_t bytes, std::string_view what);

  DeviceMemory(DeviceMemory &&other) noexcept { swap(other); }
  DeviceMemory &operator=(DeviceMemory &&other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceMemory();

  CUdeviceptr address() const { return start; }
  size_t size() const { return bytes; }

private:
  void swap(DeviceMemory &other) noexcept {
    std::swap(device, other.device);
    std::swap(start, other.start);
    std::swap(bytes, other.bytes);
  }

  std::shared_ptr<Device> device;
  CUdeviceptr start = 0;
  size_t bytes = 0;
};

/// Page-locked memory of the host, zeros.
class PinnedMemory {
public:
  PinnedMemory() = default;

  /// \param what for the error message.
  static runtime::Result<PinnedMemory>
  allocate(std::shared_ptr<Device> device, size_t bytes, std::string_view what);

  PinnedMemory(PinnedMemory &&other) noexcept { swap(other); }
  PinnedMemory &operator=(PinnedMemory &&other) noexcept {
    swap(other);
    return *this;
  }
  ~PinnedMemory();

  std::byte *data() const { return start; }
  size_t size() const { return bytes; }

private:
  void swap(PinnedMemory &other) noexcept {
    std::swap(device, other.device);
    std::swap(start, other.start);
    std::swap(bytes, other.bytes);
  }

  std::shared_ptr<Device> device;
  std::byte *start = nullptr;
  size_t bytes = 0;
};

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_MEMORY_H
