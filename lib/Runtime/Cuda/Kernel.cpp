// Checks images against device and parameters once, at load time, so that a
// launch is a single call.
#include "TileGPT/Runtime/Cuda/Kernel.h"
#include <algorithm>
#include <limits>
#include <vector>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::DeviceFlag;
using runtime::concat;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

/// Dynamic shared memory available to every kernel; more must be requested.
static constexpr uint32_t sharedBytesForAll = 48 * 1024;

/// The first lines of the driver compiler's log, joined to one line.
static std::string jitLog(const std::vector<char> &buffer) {
  std::string log(buffer.begin(), std::ranges::find(buffer, '\0'));
  while (!log.empty() && (log.back() == '\n' || log.back() == ' '))
    log.pop_back();
  std::string line;
  for (const char c : log)
    line += c == '\n' ? std::string("; ") : std::string(1, c);
  return line.empty() ? line : ": " + line;
}

Result<LoadedImage> cuda::loadImage(const std::shared_ptr<Device> &device,
                                    const KernelImage &image) {
  const Driver &driver = device->driver();
  std::vector<char> log(8192);
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  // The driver takes numbers in place of pointers.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  CUmodule module = nullptr;
  const CUresult status =
      driver.moduleLoadDataEx(&module, image.image.data(),
                              unsigned(std::size(options)), options, values);
  if (status == CUDA_SUCCESS)
    return std::make_shared<const Module>(device, module);
  runtime::Error error =
      driver.error(status, concat("cannot load kernel '", image.name, "' on ",
                                  device->info().describe(), ", which is ",
                                  device->info().architecture()));
  const bool isBroken =
      status == CUDA_ERROR_INVALID_IMAGE || status == CUDA_ERROR_INVALID_PTX;
  return makeError(isBroken ? ErrorCode::BadInput : ErrorCode::Device,
                   error.message, jitLog(log));
}

/// Checks that the device has the resources that the kernel requires.
static Result<void> checkFits(const DeviceInfo &device,
                              const KernelImage &image, int mostThreads) {
  const bundle::DeviceKernel &rules = image.launch;
  if (int64_t(rules.sharedBytes) > device.sharedBytes)
    return makeError(ErrorCode::Device, "cuda: kernel '", image.name,
                     "' needs ", rules.sharedBytes,
                     " bytes of shared memory a block, but ", device.describe(),
                     " has ", device.sharedBytes,
                     "; compile the model again for it");
  if (rules.threads > uint32_t(mostThreads))
    return makeError(ErrorCode::Device, "cuda: kernel '", image.name,
                     "' needs ", rules.threads, " threads a block, but ",
                     device.describe(), " can run it with at most ",
                     mostThreads);
  return {};
}

/// Checks the parameter layout of the kernel, if the driver supports the query.
static Result<void> checkParameters(const Driver &driver, CUfunction function,
                                    const KernelImage &image) {
  if (!driver.funcGetParamInfo)
    return {};
  const ParameterList &list = image.parameters;
  for (size_t i = 0; i <= list.count(); ++i) {
    size_t offset = 0, bytes = 0;
    const bool exists =
        driver.funcGetParamInfo(function, i, &offset, &bytes) == CUDA_SUCCESS;
    if (i == 0 && !exists)
      return {}; // the driver does not report it
    if (exists != (i < list.count()))
      return makeError(ErrorCode::BadInput, "cuda: kernel '", image.name,
                       "' expected ", list.count(), " parameters, found ",
                       exists ? "more" : concat(i));
    if (exists && bytes != list.bytesOf(i))
      return makeError(ErrorCode::BadInput, "cuda: kernel '", image.name,
                       "' expected parameter ", i, " of ", list.bytesOf(i),
                       " bytes, found ", bytes);
  }
  return {};
}

Result<Kernel> Kernel::load(const std::shared_ptr<Device> &device,
                            const KernelImage &image, LoadedImage loaded) {
  const Driver &driver = device->driver();
  if (!loaded) {
    auto module = loadImage(device, image);
    if (!module)
      return tl::unexpected(module.error());
    loaded = std::move(*module);
  }
  Kernel kernel;
  kernel.device = device;
  kernel.module = std::move(loaded);
  kernel.rules = image.launch;
  kernel.list = image.parameters;
  const std::string symbol(image.symbol);
  const CUresult found = driver.moduleGetFunction(
      &kernel.function, kernel.module->get(), symbol.c_str());
  if (found == CUDA_ERROR_NOT_FOUND)
    return makeError(ErrorCode::BadInput, "cuda: the image of kernel '",
                     image.name, "' does not export '", symbol, "'");
  int mostThreads = 0;
  auto done = driver.check(found, "cannot load kernel '", image.name, "'");
  if (done)
    done =
        driver.check(driver.funcGetAttribute(
                         &mostThreads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                         kernel.function),
                     "cannot query kernel '", image.name, "'");
  if (done)
    done = checkFits(device->info(), image, mostThreads);
  if (done)
    done = checkParameters(driver, kernel.function, image);
  if (done && image.launch.sharedBytes > sharedBytesForAll)
    done = driver.check(
        driver.funcSetAttribute(kernel.function,
                                CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                int(image.launch.sharedBytes)),
        "cannot give kernel '", image.name, "' ", image.launch.sharedBytes,
        " bytes of shared memory");
  if (!done)
    return tl::unexpected(done.error());
  return kernel;
}

Result<int64_t> Kernel::residentBlocks() const {
  int blocks = 0;
  if (auto done = device->driver().check(
          device->driver().occupancyMaxActiveBlocks(
              &blocks, function, int(rules.threads), rules.sharedBytes),
          "cannot query how many blocks of a kernel are resident");
      !done)
    return tl::unexpected(done.error());
  return int64_t(blocks) * device->info().multiprocessors;
}

Result<GridSize> Kernel::blocksFor(const int64_t grid[3]) const {
  constexpr int64_t mostX = std::numeric_limits<int32_t>::max();
  constexpr int64_t mostYZ = 65535;
  const int64_t cluster = rules.clusterSize;
  if (rules.has(DeviceFlag::Persistent)) {
    const int64_t resident =
        std::max(int64_t(device->info().multiprocessors) *
                     rules.blocksPerMultiprocessor / cluster * cluster,
                 cluster);
    const int64_t blocks = grid[0] * grid[1] * grid[2];
    const int64_t whole = (blocks + cluster - 1) / cluster * cluster;
    return GridSize{unsigned(std::min(whole, resident)), 1, 1};
  }
  const int64_t x = grid[0] * cluster;
  if (x > mostX || grid[1] > mostYZ || grid[2] > mostYZ)
    return makeError(ErrorCode::Failure, "expected a grid of at most ", mostX,
                     "×", mostYZ, "×", mostYZ, " blocks, got ", x, "×", grid[1],
                     "×", grid[2]);
  return GridSize{unsigned(x), unsigned(grid[1]), unsigned(grid[2])};
}

CUresult Kernel::launch(CUstream stream, GridSize blocks,
                        const LaunchParameters &parameters,
                        bool overlap) const {
  CUlaunchAttribute attributes[2] = {};
  CUlaunchConfig config = {};
  config.gridDimX = blocks.x;
  config.gridDimY = blocks.y;
  config.gridDimZ = blocks.z;
  config.blockDimX = rules.threads;
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = rules.sharedBytes;
  config.hStream = stream;
  config.attrs = attributes;
  if (rules.clusterSize > 1) {
    CUlaunchAttribute &attribute = attributes[config.numAttrs++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim = {rules.clusterSize, 1, 1};
  }
  if (overlap) {
    CUlaunchAttribute &attribute = attributes[config.numAttrs++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
  }
  return device->driver().launchKernelEx(&config, function, parameters.get(),
                                         /*extra=*/nullptr);
}
