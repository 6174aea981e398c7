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

/// What a multiprocessor reads in the time that clusters take to meet in global
/// memory: 3 us on an H200, at 55 GB/s.
inline constexpr int64_t meetingBytes = 160 << 10;

/// Into how many copies of its block, a cluster each, a launch deals out the
/// keys of one, where clusters alone leave most of the device idle: as many as
/// fill four fifths of it, if each of them then reads less by what it takes
/// them to meet.
/// \param keyBytes  that are read of each key
inline int64_t countKeyCopies(int64_t blocks, int64_t keys, int64_t keyBytes,
                              int64_t multiprocessors) {
  constexpr int64_t mostParts = 8, mostCopies = 16;
  int64_t most = multiprocessors * 4 / 5, parts = mostParts * blocks;
  if (parts >= most)
    return 1;
  int64_t copies = std::min((most + parts - 1) / parts, mostCopies);
  auto bytesOfBlock = [&](int64_t copies) {
    int64_t share = keys / copies;
    return share / countKeyParts(blocks * copies, share, multiprocessors) *
           keyBytes;
  };
  return bytesOfBlock(1) - bytesOfBlock(copies) >= meetingBytes ? copies : 1;
}

} // namespace tilegpt::tilegpu

#endif
