// The values of kernel parameters and their offsets.
#include "TileGPT/Runtime/Cuda/LaunchParameters.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::cuda;

LaunchParameters::LaunchParameters(const ParameterList &list,
                                   const uint64_t *arguments,
                                   const int64_t grid[3], CUdeviceptr status)
    : words(list.countWords()), maps(list.tensorMaps) {
  const auto next = std::copy_n(arguments, list.words, words.begin());
  *std::copy_n(grid, 3, next) = status;
  for (uint64_t &word : words)
    addresses.push_back(&word);
  for (CUtensorMap &map : maps)
    addresses.push_back(&map);
}
