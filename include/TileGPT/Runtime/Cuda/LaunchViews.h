// Views that a launch of a raw kernel creates from its parameters, and their
// TMA descriptors.
#ifndef TILEGPT_RUNTIME_CUDA_LAUNCHVIEWS_H
#define TILEGPT_RUNTIME_CUDA_LAUNCHVIEWS_H

#include "TileGPT/Bundle/LaunchView.h"
#include "TileGPT/Runtime/Cuda/Driver.h"
#include "TileGPT/Runtime/Cuda/LaunchParameters.h"
#include <span>

namespace tilegpt::cuda {

/// What a launch appends to a kernel's declared parameters.
struct LaunchViews {
  std::vector<bundle::LaunchView> views;
  std::vector<bundle::Expression> expressions; ///< of the appended words
  std::vector<bundle::TensorMap> tensorMaps;

  /// The parameters of a kernel, from the sizes in bytes of the declared ones.
  ParameterList parametersFor(std::vector<uint8_t> declaredBytes) const;

  /// Appends the words of all views.
  /// \param words the declared parameters, each in the low bytes.
  /// \param declaredBytes the size of each of them.
  /// \returns Failure, naming the parameter, for a size or a stride that is
  /// negative or exceeds 64 bits.
  runtime::Result<void> addWords(std::vector<uint64_t> &words,
                                 std::span<const uint8_t> declaredBytes) const;

  /// Encodes all tensor maps.
  /// \param words all parameters, as returned by addWords().
  /// \returns Failure, naming the parameter, for a view that TMA cannot address
  /// although the kernel assumes it.
  runtime::Result<void> setTensorMaps(const Driver &driver,
                                      std::span<const uint64_t> words,
                                      LaunchParameters &parameters) const;
};

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_LAUNCHVIEWS_H
