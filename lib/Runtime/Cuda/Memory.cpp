// Device memory allocation, with errors that state what does not fit and where.
#include "TileGPT/Runtime/Cuda/Memory.h"
#include "TileGPT/Bundle/Format.h"
#include <cstdio>
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::cuda;
using runtime::concat;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

/// "24.8 GB", "17.0 MB", "64 bytes".
static std::string amount(size_t bytes) {
  constexpr std::pair<double, const char *> units[] = {{1e9, "GB"},
                                                       {1e6, "MB"}};
  for (const auto &[unit, name] : units)
    if (double(bytes) >= unit) {
      char text[48];
      std::snprintf(text, sizeof(text), "%.1f %s", double(bytes) / unit, name);
      return text;
    }
  return concat(bytes, " bytes");
}

Result<DeviceMemory> DeviceMemory::allocate(std::shared_ptr<Device> device,
                                            size_t bytes,
                                            std::string_view what) {
  const Driver &driver = device->driver();
  DeviceMemory memory;
  memory.bytes = std::max<size_t>(bytes, bundle::bufferAlignment);
  const CUresult status = driver.memAlloc(&memory.start, memory.bytes);
  if (status == CUDA_ERROR_OUT_OF_MEMORY) {
    size_t available = 0, total = 0;
    driver.memGetInfo(&available, &total);
    return makeError(ErrorCode::Device, "cuda: cannot allocate ", amount(bytes),
                     " for ", what, " on ", device->info().describe(), ": ",
                     amount(available), " of ", amount(total), " are free");
  }
  if (auto done = driver.check(status, "cannot allocate ", amount(bytes),
                               " for ", what);
      !done)
    return tl::unexpected(done.error());
  memory.device = std::move(device);
  return memory;
}

DeviceMemory::~DeviceMemory() {
  if (device)
    device->driver().memFree(start);
}

Result<PinnedMemory> PinnedMemory::allocate(std::shared_ptr<Device> device,
                                            size_t bytes,
                                            std::string_view what) {
  const Driver &driver = device->driver();
  PinnedMemory memory;
  memory.bytes = std::max<size_t>(bytes, bundle::bufferAlignment);
  void *data = nullptr;
  if (auto done =
          driver.check(driver.memHostAlloc(&data, memory.bytes, /*flags=*/0),
                       "cannot allocate ", amount(bytes),
                       " of page-locked memory for ", what);
      !done)
    return tl::unexpected(done.error());
  memory.start = static_cast<std::byte *>(data);
  memory.device = std::move(device);
  std::memset(memory.start, 0, memory.bytes);
  return memory;
}

PinnedMemory::~PinnedMemory() {
  if (device)
    device->driver().memFreeHost(start);
}
