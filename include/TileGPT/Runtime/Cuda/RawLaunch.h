// Launches a single kernel on a caller's addresses, like cuLaunchKernel; hidden
// parameters are added here.
#ifndef TILEGPT_RUNTIME_CUDA_RAWLAUNCH_H
#define TILEGPT_RUNTIME_CUDA_RAWLAUNCH_H

#include "TileGPT/Runtime/Cuda/Kernel.h"
#include "TileGPT/Runtime/Cuda/LaunchViews.h"
#include "TileGPT/Runtime/Cuda/Memory.h"

namespace tilegpt::cuda {

class RawKernel {
public:
  /// Loads an image and makes room for its status.
  /// \param image whose parameters are those of views.parametersFor().
  /// \param loaded the image, if it is loaded already.
  /// \returns errors of Kernel::load; Device without memory.
  static runtime::Result<RawKernel> load(const std::shared_ptr<Device> &device,
                                         const KernelImage &image,
                                         LaunchViews views,
                                         LoadedImage loaded = nullptr);

  /// Enqueues a launch on a stream.
  /// \param params addresses of the declared arguments, in their natural size;
  /// read before this returns.
  /// \param stream of the device's primary context; null is its default one.
  /// \returns Failure for a grid no device can launch, and for parameters that
  /// violate the kernel's assumptions.
  runtime::Result<void> launch(const int64_t grid[3], void *const *params,
                               CUstream stream) const;

  /// Waits for a stream; one thread at a time.
  /// \returns the number of an assertion that has failed since the last call,
  /// or 0; Device for what went wrong before.
  runtime::Result<int32_t> wait(CUstream stream) const;

private:
  RawKernel(std::shared_ptr<Device> device, Kernel kernel, LaunchViews views,
            DeviceMemory status, PinnedMemory answer)
      : device(std::move(device)), kernel(std::move(kernel)),
        views(std::move(views)), status(std::move(status)),
        answer(std::move(answer)) {}

  runtime::Result<void> clearStatus(CUstream stream) const;

  std::shared_ptr<Device> device;
  Kernel kernel;
  LaunchViews views;
  DeviceMemory status; ///< int32
  PinnedMemory answer; ///< what wait() reads of it
};

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_RAWLAUNCH_H
