// The parameters that a launch passes to its kernel.
#ifndef TILEGPT_RUNTIME_CUDA_LAUNCHPARAMETERS_H
#define TILEGPT_RUNTIME_CUDA_LAUNCHPARAMETERS_H

#include "TileGPT/Runtime/Cuda/DriverTypes.h"
#include <cstddef>
#include <vector>

namespace tilegpt::cuda {

/// The parameters of a kernel, in their order: the words of its arguments, the
/// three sizes of the logical grid, the address of its status word, then its
/// tensor maps.
struct ParameterList {
  size_t words = 0;      ///< of the arguments
  size_t tensorMaps = 0; ///< how many
  /// Of each word of the arguments, where they are not eight: of a raw kernel,
  /// whose scalars have their natural size.
  std::vector<uint8_t> wordBytes = {};

  /// The words before the tensor maps.
  size_t countWords() const { return words + 4; }
  size_t count() const { return countWords() + tensorMaps; }
  size_t bytesOf(size_t parameter) const {
    if (parameter < wordBytes.size())
      return wordBytes[parameter];
    return parameter < countWords() ? sizeof(uint64_t) : sizeof(CUtensorMap);
  }
};

/// Values for them. A launch passes the address of each value, and the driver
/// copies it to the offset that ptxas chose in the constant bank, where
/// parameters do not begin at a multiple of 64 but tensor maps do. Only drivers
/// from 12.4 on report these offsets.
class LaunchParameters {
public:
  LaunchParameters() = default;
  /// \param arguments  list.words words.
  LaunchParameters(const ParameterList &list, const uint64_t *arguments,
                   const int64_t grid[3], CUdeviceptr status);
  LaunchParameters(LaunchParameters &&) = default;
  LaunchParameters &operator=(LaunchParameters &&) = default;

  void setTensorMap(size_t number, const CUtensorMap &map) {
    maps[number] = map;
  }

  /// As cuLaunchKernelEx takes them; it reads, and only before it returns.
  void **get() const { return const_cast<void **>(addresses.data()); }

private:
  std::vector<uint64_t> words; ///< those of the arguments, grid, status
  std::vector<CUtensorMap> maps;
  std::vector<void *> addresses;
};

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_LAUNCHPARAMETERS_H
