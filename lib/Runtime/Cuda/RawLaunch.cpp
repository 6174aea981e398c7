// Parameters of a raw launch: those of the caller, followed by grid and status.
#include "TileGPT/Runtime/Cuda/RawLaunch.h"
#include <algorithm>
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::cuda;
using runtime::Result;

Result<RawKernel> RawKernel::load(const std::shared_ptr<Device> &device,
                                  const KernelImage &image, LaunchViews views,
                                  LoadedImage loaded) {
  auto kernel = Kernel::load(device, image, std::move(loaded));
  if (!kernel)
    return tl::unexpected(kernel.error());
  auto status =
      DeviceMemory::allocate(device, sizeof(int32_t), "the status of a kernel");
  if (!status)
    return tl::unexpected(status.error());
  auto stream = Stream::create(device);
  if (!stream)
    return tl::unexpected(stream.error());
  auto answer =
      PinnedMemory::allocate(device, sizeof(int32_t), "the status of a kernel");
  if (!answer)
    return tl::unexpected(answer.error());
  RawKernel raw(device, std::move(*kernel), std::move(views),
                std::move(*status), std::move(*answer));
  if (auto cleared = raw.clearStatus(stream->get()); !cleared)
    return tl::unexpected(cleared.error());
  if (auto done = device->driver().check(stream->synchronize(),
                                         "cannot clear the status of a kernel");
      !done)
    return tl::unexpected(done.error());
  return raw;
}

Result<void> RawKernel::clearStatus(CUstream stream) const {
  const Driver &driver = device->driver();
  return driver.check(
      driver.memsetD8Async(status.address(), 0, sizeof(int32_t), stream),
      "cannot clear the status of a kernel");
}

Result<void> RawKernel::launch(const int64_t grid[3], void *const *params,
                               CUstream stream) const {
  if (std::count(grid, grid + 3, 0) != 0)
    return {};
  auto blocks = kernel.blocksFor(grid);
  if (!blocks)
    return tl::unexpected(blocks.error());
  const ParameterList &list = kernel.parameters();
  std::vector<uint64_t> words(list.wordBytes.size());
  for (size_t i = 0; i < words.size(); ++i)
    std::memcpy(&words[i], params[i], list.wordBytes[i]);
  if (auto added = views.addWords(words, list.wordBytes); !added)
    return added;
  LaunchParameters parameters(list, words.data(), grid, status.address());
  if (auto current = device->makeCurrent(); !current)
    return current;
  if (auto encoded = views.setTensorMaps(device->driver(), words, parameters);
      !encoded)
    return encoded;
  return device->driver().check(
      kernel.launch(stream, *blocks, parameters, /*overlap=*/false),
      "cannot launch a kernel");
}

Result<int32_t> RawKernel::wait(CUstream stream) const {
  const Driver &driver = device->driver();
  if (auto current = device->makeCurrent(); !current)
    return tl::unexpected(current.error());
  auto done =
      driver.check(driver.memcpyDtoHAsync(answer.data(), status.address(),
                                          sizeof(int32_t), stream),
                   "cannot read the status of a kernel");
  if (done)
    done = clearStatus(stream);
  if (done)
    done = driver.check(driver.streamSynchronize(stream),
                        "the GPU has stopped a kernel");
  if (!done)
    return tl::unexpected(done.error());
  int32_t failed = 0;
  std::memcpy(&failed, answer.data(), sizeof(failed));
  return failed;
}
