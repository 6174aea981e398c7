// The bound of decoding: how fast this machine reads memory.
#ifndef TILEGPT_BENCHMARKS_CPU_BANDWIDTH_H
#define TILEGPT_BENCHMARKS_CPU_BANDWIDTH_H

#include "TileGPT/Runtime/Cpu/ThreadPool.h"

namespace tilegpt::bench {

/// Reads a buffer several times larger than the caches with all threads of the
/// pool.
/// \returns the best of several passes, in GB/s (10^9 bytes).
double readGBPerSec(cpu::ThreadPool &pool);

} // namespace tilegpt::bench

#endif // TILEGPT_BENCHMARKS_CPU_BANDWIDTH_H
