// What the shared memory of a multiprocessor leaves for its blocks.
#ifndef TILEGPT_TARGET_NVVM_RESIDENTS_H
#define TILEGPT_TARGET_NVVM_RESIDENTS_H

#include "TileGPT/Target/NVVM/GpuTarget.h"
#include <algorithm>

namespace tilegpt::target {

/// Dynamic shared memory of each of several blocks that a multiprocessor holds
/// at a time; it takes 1 KB more for every block.
inline int64_t sharedBytesOfResidents(const GpuTarget &target, int64_t blocks) {
  constexpr int64_t reserved = 1024;
  return std::min(int64_t(target.sharedBytesPerBlock),
                  int64_t(target.sharedBytesPerMultiprocessor) / blocks -
                      reserved);
}

} // namespace tilegpt::target

#endif
