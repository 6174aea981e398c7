// One kernel compiled for a GPU: its image, how it is launched, and what it
// costs.
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
  /// Empty where there is no ptxas: the driver compiles the PTX.
  Cubin cubin;
  /// What ptxas said; empty without it.
  PtxasReport report;
  /// Offset, size and tensor maps are left to the bundle's builder.
  bundle::DeviceKernel launch;
  std::vector<bundle::TensorMap> tensorMaps;
  /// Of a raw kernel: the views that it takes behind its declared parameters,
  /// and the expressions of their words.
  std::vector<bundle::LaunchView> launchViews;
  std::vector<bundle::Expression> launchWords;

  /// What a bundle holds and a driver loads: the cubin, else the PTX.
  std::span<const std::byte> image() const {
    if (launch.imageKind == bundle::ImageKind::Cubin)
      return cubin;
    return std::as_bytes(std::span(ptx));
  }
};

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_GPUKERNEL_H
