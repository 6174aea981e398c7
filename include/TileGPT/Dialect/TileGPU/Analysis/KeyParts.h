// Into how many parts the keys of an online softmax are shared out.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_KEYPARTS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_KEYPARTS_H

#include <algorithm>
#include <cstdint>

namespace tilegpt::tilegpu {

/// As many blocks a cluster as fill four fifths of the device, or two where
/// there are multiprocessors for all: these come in pairs, which larger
/// clusters do not all find room on. Each has keys enough: more blocks cost
/// more to start than they save.
/// \param blocks  of the launch, each of which walks `keys` keys.
inline int64_t countKeyParts(int64_t blocks, int64_t keys,
                             int64_t multiprocessors) {
  constexpr int64_t mostParts = 8, fewestKeys = 256;
  int64_t most = multiprocessors * 4 / 5 / blocks;
  if (most < 2 && 2 * blocks <= multiprocessors)
    most = 2;
  return std::clamp<int64_t>(std::min(most, keys / fewestKeys), 1, mostParts);
}

} // namespace tilegpt::tilegpu

#endif
