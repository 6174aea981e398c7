// Reads memory as fast as one thread can, to measure its bandwidth.
#ifndef TILEGPT_RUNTIME_PROFILE_SUMLINES_H
#define TILEGPT_RUNTIME_PROFILE_SUMLINES_H

#include <cstddef>
#include <cstdint>

namespace tilegpt::runtime {

/// The bytes of one vector load.
using Line = uint64_t __attribute__((vector_size(64)));

/// Reads all lines, with several loads in flight. Static, since each including
/// file may be compiled for different vector extensions.
static inline uint64_t sumLines(const Line *lines, size_t count) {
  Line sums[4] = {};
  for (size_t i = 0; i + 4 <= count; i += 4)
    for (size_t j = 0; j < 4; ++j)
      sums[j] += lines[i + j];
  uint64_t sum = 0;
  for (const Line &each : sums)
    for (int lane = 0; lane < 8; ++lane)
      sum += each[lane];
  return sum;
}

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_PROFILE_SUMLINES_H
