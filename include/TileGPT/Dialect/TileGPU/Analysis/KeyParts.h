// Into how many parts the keys of an online softmax are split.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_KEYPARTS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_KEYPARTS_H

#include <algorithm>
#include <cstdint>

namespace tilegpt::tilegpu {

/// As many blocks per cluster as fill four fifths of the device, or two if all
/// multiprocessors can be filled: pairs always find room, larger clusters do
/// not. Each has enough keys that it saves more than it costs to start.
/// \param blocks  of the launch, each of which walks `keys` keys.
inline int64_t countKeyParts(int64_t blocks, int64_t keys,
                             int64_t multiprocessors) {
  constexpr int64_t mostParts = 8, fewestKeys = 256;
  int64_t most = multiprocessors * 4 / 5 / blocks;
  if (most < 2 && 2 * blocks <= multiprocessors)
    most = 2;
  return std::clamp<int64_t>(std::min(most, keys / fewestKeys), 1, mostParts);
}

/// Bytes that a multiprocessor reads while clusters combine results in global
/// memory: 3 us on an H200, at 55 GB/s.
inline constexpr int64_t meetingBytes = 160 << 10;

/// Into how many replicas of its block, one cluster each, a launch splits the
/// keys of a block if clusters alone leave most of the device idle: as many as
/// fill four fifths of it, if each then saves more reads than combining costs.
/// \param keyBytes  bytes read per key
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
