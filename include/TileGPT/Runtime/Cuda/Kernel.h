// A compiled kernel on a GPU: loading its image, and launching it with the
// parameters that the compiler has defined.
#ifndef TILEGPT_RUNTIME_CUDA_KERNEL_H
#define TILEGPT_RUNTIME_CUDA_KERNEL_H

#include "TileGPT/Bundle/Format.h"
#include "TileGPT/Runtime/Cuda/LaunchParameters.h"
#include "TileGPT/Runtime/Cuda/Stream.h"
#include <span>

namespace tilegpt::cuda {

/// The data needed to load a kernel; borrowed for the call.
struct KernelImage {
  std::string_view name;   ///< for messages
  std::string_view symbol; ///< in the image
  std::span<const std::byte> image;
  bundle::DeviceKernel launch;
  ParameterList parameters;
};

/// An image on a device. Kernels of the same one share its memory.
using LoadedImage = std::shared_ptr<const Module>;

/// Loads an image: a cubin as it is, PTX through the driver's compiler.
/// \param image whose name is for messages.
/// \returns Device if the image is not for this device, BadInput if the driver
/// cannot read it. Messages of the driver's compiler are included.
runtime::Result<LoadedImage> loadImage(const std::shared_ptr<Device> &device,
                                       const KernelImage &image);

/// Blocks along x, y, z.
struct GridSize {
  unsigned x = 1, y = 1, z = 1;
};

class Kernel {
public:
  /// \param loaded the image, if it is loaded already.
  /// \returns errors of loadImage(), Device if the device lacks shared memory
  /// or threads, BadInput if the symbol is missing or its parameters are not
  /// those expected.
  static runtime::Result<Kernel> load(const std::shared_ptr<Device> &device,
                                      const KernelImage &image,
                                      LoadedImage loaded = nullptr);

  const ParameterList &parameters() const { return list; }

  /// The blocks to launch for a logical grid: the grid itself, x rounded up to
  /// whole clusters; for a persistent kernel as many as fit on the device at
  /// once, or fewer if there is less to do.
  /// \param grid three sizes > 0.
  /// \returns Failure for a grid no device can launch.
  runtime::Result<GridSize> blocksFor(const int64_t grid[3]) const;

  /// The number of blocks that are resident on an otherwise idle device.
  runtime::Result<int64_t> residentBlocks() const;

  /// Enqueues a launch.
  /// \param parameters those of parameters(), read before this returns.
  /// \param overlap the kernel may start while the preceding one on the stream
  /// is still running; only for kernels that wait for it themselves.
  CUresult launch(const Stream &stream, GridSize blocks,
                  const LaunchParameters &parameters, bool overlap) const {
    return launch(stream.get(), blocks, parameters, overlap);
  }
  /// The same on another stream.
  CUresult launch(CUstream stream, GridSize blocks,
                  const LaunchParameters &parameters, bool overlap) const;

private:
  Kernel() = default;

  std::shared_ptr<Device> device;
  LoadedImage module;
  CUfunction function = nullptr;
  bundle::DeviceKernel rules;
  ParameterList list;
};

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_KERNEL_H
