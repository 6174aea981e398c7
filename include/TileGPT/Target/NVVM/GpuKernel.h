// A kernel compiled for a GPU: image, launch configuration, and resource usage.
#ifndef TILEGPT_TARGET_NVVM_GPUKERNEL_H
#define TILEGPT_TARGET_NVVM_GPUKERNEL_H

#include "TileGPT/Bundle/LaunchView.h"
#include "TileGPT/Target/NVVM/Ptxas.h"
#include <span>
#include <string>
#include <vector>

namespace tilegpt::target {

struct GpuKernel {
  /// The entry point in the image.
  std::string symbol;
  std::string ptx;
  /// Empty without ptxas: the driver compiles the PTX.
  Cubin cubin;
  /// The report of ptxas; empty without it.
  PtxasReport report;
  /// Offset, size and tensor maps are left to the bundle's builder.
  bundle::DeviceKernel launch;
  std::vector<bundle::TensorMap> tensorMaps;
  /// For a raw kernel: the views that follow its declared parameters, and the
  /// expressions of their words.
  std::vector<bundle::LaunchView> launchViews;
  std::vector<bundle::Expression> launchWords;

  /// The image for a bundle and the driver: the cubin, else the PTX.
  std::span<const std::byte> image() const {
    if (launch.imageKind == bundle::ImageKind::Cubin)
      return cubin;
    return std::as_bytes(std::span(ptx));
  }
};

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_GPUKERNEL_H
