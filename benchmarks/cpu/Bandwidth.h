// The bound of decoding: how fast this machine reads memory.
#ifndef TILEGPT_BENCHMARKS_CPU_BANDWIDTH_H
#define TILEGPT_BENCHMARKS_CPU_BANDWIDTH_H

#include "TileGPT/Runtime/Cpu/Memory.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"

namespace tilegpt::bench {

/// A buffer several times larger than the caches.
class MemoryReader {
public:
  MemoryReader();

  /// Reads all of it once, with all threads of the pool.
  /// \returns GB/s (10^9 bytes).
  double gbPerSec(cpu::ThreadPool &pool) const;

private:
  cpu::Memory memory;
};

} // namespace tilegpt::bench

#endif // TILEGPT_BENCHMARKS_CPU_BANDWIDTH_H
