// Queries the GPUs and retains the primary context of one, which is shared with
// other users of CUDA in the process.
#include "TileGPT/Runtime/Cuda/Device.h"
#include <charconv>

using namespace tilegpt;
using namespace tilegpt::cuda;
using runtime::concat;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

bool cuda::canRun(const DeviceInfo &device, std::string_view architecture,
                  bool isPtx) {
  constexpr std::string_view prefix = "sm_";
  if (!architecture.starts_with(prefix))
    return false;
  architecture.remove_prefix(prefix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(
      architecture.data(), architecture.data() + architecture.size(), number);
  if (error != std::errc())
    return false;
  const bool exact = end != architecture.data() + architecture.size();
  const int major = number / 10, minor = number % 10;
  if (exact)
    return device.major == major && device.minor == minor;
  if (device.major == major)
    return device.minor >= minor;
  return isPtx && device.major > major;
}

static Result<DeviceInfo> describeDevice(const Driver &driver, int ordinal,
                                         CUdevice device) {
  DeviceInfo info;
  info.ordinal = ordinal;
  char name[256] = {};
  size_t memory = 0;
  int sharedBytes = 0;
  const std::pair<CUdevice_attribute, int *> attributes[] = {
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &info.major},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &info.minor},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &info.multiprocessors},
      {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, &info.clockKhz},
      {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, &info.memoryClockKhz},
      {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, &info.memoryBusBits},
      {CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, &info.pciDomain},
      {CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, &info.pciBus},
      {CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, &info.pciDevice},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &sharedBytes}};
  CUresult status = driver.deviceGetName(name, sizeof(name) - 1, device);
  if (status == CUDA_SUCCESS)
    status = driver.deviceTotalMem(&memory, device);
  for (const auto &[attribute, value] : attributes)
    if (status == CUDA_SUCCESS)
      status = driver.deviceGetAttribute(value, attribute, device);
  if (status != CUDA_SUCCESS)
    return tl::unexpected(
        driver.error(status, concat("cannot query device ", ordinal)));
  info.name = name;
  info.memoryBytes = int64_t(memory);
  info.sharedBytes = sharedBytes;
  return info;
}

static Result<int> deviceCount(const Driver &driver) {
  int count = 0;
  if (auto done = driver.check(driver.deviceGetCount(&count),
                               "cannot count the devices");
      !done)
    return tl::unexpected(done.error());
  return count;
}

static Result<std::pair<CUdevice, DeviceInfo>> findDevice(const Driver &driver,
                                                          int ordinal) {
  CUdevice device = 0;
  if (auto done = driver.check(driver.deviceGet(&device, ordinal),
                               "cannot get device ", ordinal);
      !done)
    return tl::unexpected(done.error());
  auto info = describeDevice(driver, ordinal, device);
  if (!info)
    return tl::unexpected(info.error());
  return std::pair(device, std::move(*info));
}

Result<std::vector<DeviceInfo>> cuda::listDevices(const Driver &driver) {
  const auto count = deviceCount(driver);
  if (!count)
    return tl::unexpected(count.error());
  std::vector<DeviceInfo> devices;
  for (int ordinal = 0; ordinal < *count; ++ordinal) {
    auto found = findDevice(driver, ordinal);
    if (!found)
      return tl::unexpected(found.error());
    devices.push_back(std::move(found->second));
  }
  return devices;
}

Result<std::shared_ptr<Device>>
Device::open(std::shared_ptr<const Driver> driver, int ordinal) {
  const auto count = deviceCount(*driver);
  if (!count)
    return tl::unexpected(count.error());
  if (*count == 0)
    return makeError(ErrorCode::Device,
                     "cuda: the driver finds no GPU; run on the CPU");
  if (ordinal < 0 || ordinal >= *count)
    return makeError(ErrorCode::Device, "cuda: expected a device in [0, ",
                     *count, "), got ", ordinal);
  auto found = findDevice(*driver, ordinal);
  if (!found)
    return tl::unexpected(found.error());
  auto &[device, info] = *found;
  CUcontext context = nullptr;
  if (auto done =
          driver->check(driver->devicePrimaryCtxRetain(&context, device),
                        "cannot use " + info.describe());
      !done)
    return tl::unexpected(done.error());
  std::shared_ptr<Device> opened(
      new Device(std::move(driver), std::move(info), device, context));
  if (auto done = opened->makeCurrent(); !done)
    return tl::unexpected(done.error());
  return opened;
}

Device::~Device() { api->devicePrimaryCtxRelease(device); }

Result<void> Device::makeCurrent() const {
  return api->check(api->ctxSetCurrent(context), "cannot use device ",
                    deviceInfo.ordinal, " (", deviceInfo.name, ")");
}
