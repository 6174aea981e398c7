// Rules for device kernels in a bundle: images, launches, TMA descriptors. Each
// check returns an error text, or nothing.
#ifndef TILEGPT_LIB_BUNDLE_VALIDATEDEVICE_H
#define TILEGPT_LIB_BUNDLE_VALIDATEDEVICE_H

#include "TileGPT/Bundle/Bundle.h"
#include <algorithm>
#include <string>

namespace tilegpt::bundle {

/// The requirements of the descriptor format on a tensor map; sizes and strides
/// are known only when a plan is resolved.
std::string tensorMapProblem(const TensorMap &map);

/// \param kernel of a bundle for Cuda, whose ranges are within their tables and
/// whose parameters and tensor maps are checked.
std::string deviceKernelProblem(const Bundle &bundle, const Kernel &kernel);

inline bool isElf(std::span<const std::byte> image) {
  constexpr std::byte start[4] = {std::byte{0x7f}, std::byte{'E'},
                                  std::byte{'L'}, std::byte{'F'}};
  return image.size() > sizeof(start) &&
         std::equal(std::begin(start), std::end(start), image.begin());
}

} // namespace tilegpt::bundle

#endif // TILEGPT_LIB_BUNDLE_VALIDATEDEVICE_H
