// The bound of decoding: how fast this machine reads memory.
#ifndef TILEGPT_BENCHMARKS_CPU_BANDWIDTH_H
#define TILEGPT_BENCHMARKS_CPU_BANDWIDTH_H

#include "TileGPT/Runtime/Cpu/Memory.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include <sched.h>

namespace tilegpt::bench {

/// While it lives, the calling thread, and threads that it starts, run on the
/// first `count` of the CPUs they may run on: what two threads read depends on
/// whether their CPUs are one core or two.
class FirstCpus {
public:
  explicit FirstCpus(unsigned count);
  ~FirstCpus();
  FirstCpus(const FirstCpus &) = delete;
  FirstCpus &operator=(const FirstCpus &) = delete;

private:
  cpu_set_t before;
};

/// A buffer several times larger than the caches.
class MemoryReader {
public:
  MemoryReader();

  /// Reads the next quarter of it, with all threads of the pool: no longer
  /// than what it is compared with, as what a machine reads changes within
  /// tens of milliseconds.
  /// \returns GB/s (10^9 bytes).
  double gbPerSec(cpu::ThreadPool &pool);

private:
  cpu::Memory memory;
  unsigned quarter = 0;
};

} // namespace tilegpt::bench

#endif // TILEGPT_BENCHMARKS_CPU_BANDWIDTH_H
