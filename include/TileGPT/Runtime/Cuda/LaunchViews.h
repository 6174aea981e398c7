// Views that a launch of a raw kernel creates from its parameters, and their
// TMA descriptors.
#ifndef TILEGPT_RUNTIME_CUDA_LAUNCHVIEWS_H
#define TILEGPT_RUNTIME_CUDA_LAUNCHVIEWS_H

#include "TileGPT/Bundle/LaunchView.h"
#include "TileGPT/Runtime/Cuda/Driver.h"
#include "TileGPT/Runtime/Cuda/LaunchParameters.h"
#include <span>

namespace tilegpt::cuda {

/// Additions of a launch to a kernel's declared parameters.
struct LaunchViews {
  std::vector<bundle::LaunchView> views;
  std::vector<bundle::Expression> expressions; ///< of their words
  std::vector<bundle::TensorMap> tensorMaps;

  /// The parameters of a kernel, by the bytes of those that it declares.
  ParameterList parametersFor(std::vector<uint8_t> declaredBytes) const;

  /// Appends the words of all views.
  /// \param words those of the declared parameters, each in the low bytes.
  /// \param declaredBytes of each of them.
  /// \returns Failure, which names the parameter, for a size or a stride that
  /// is negative or does not fit 64 bits.
  runtime::Result<void> addWords(std::vector<uint64_t> &words,
                                 std::span<const uint8_t> declaredBytes) const;

  /// Encodes all tensor maps.
  /// \param words of all parameters, as addWords() leaves them.
  /// \returns Failure, which names the parameter, for a view that the copy
  /// engine cannot reach although the kernel promises it.
  runtime::Result<void> setTensorMaps(const Driver &driver,
                                      std::span<const uint64_t> words,
                                      LaunchParameters &parameters) const;
};

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_LAUNCHVIEWS_H
