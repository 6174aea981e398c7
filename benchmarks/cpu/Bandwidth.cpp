// Sums a quarter of half a gigabyte of integers with vector loads, each thread
// its own stretches.
#include "Bandwidth.h"
#include "Report.h"
#include "TileGPT/Runtime/Profile/SumLines.h"
#include <atomic>
#include <cstring>
#include <stdexcept>

namespace tilegpt::bench {

static constexpr size_t bytes = size_t(512) << 20;

FirstCpus::FirstCpus(unsigned count) {
  if (sched_getaffinity(0, sizeof(before), &before) != 0)
    throw std::runtime_error("cannot tell which CPUs there are");
  cpu_set_t first;
  CPU_ZERO(&first);
  for (int cpu = 0; cpu < CPU_SETSIZE && count > 0; ++cpu)
    if (CPU_ISSET(cpu, &before)) {
      CPU_SET(cpu, &first);
      --count;
    }
  if (sched_setaffinity(0, sizeof(first), &first) != 0)
    throw std::runtime_error("cannot choose CPUs");
}

FirstCpus::~FirstCpus() { sched_setaffinity(0, sizeof(before), &before); }

MemoryReader::MemoryReader() {
  auto allocated = cpu::Memory::allocate(bytes, "the buffer to read");
  if (!allocated)
    throw std::runtime_error(allocated.error().message);
  memory = std::move(*allocated);
  std::memset(memory.data(), 1, bytes);
}

double MemoryReader::gbPerSec(cpu::ThreadPool &pool) {
  constexpr size_t quarters = 4, bytesRead = bytes / quarters;
  constexpr size_t stretch = size_t(1) << 20;
  const std::byte *from = memory.data() + quarter++ % quarters * bytesRead;
  std::atomic<uint64_t> total{0};
  const double begin = now();
  pool.run(int64_t(bytesRead / stretch), [&](int64_t first, int64_t last) {
    uint64_t sum = 0;
    for (int64_t i = first; i < last; ++i)
      sum += runtime::sumLines(
          reinterpret_cast<const runtime::Line *>(from + size_t(i) * stretch),
          stretch / sizeof(runtime::Line));
    total += sum;
  });
  const double seconds = now() - begin;
  // The sum is looked at so that the reads cannot be left out.
  return total == 0 ? 0 : double(bytesRead) / seconds / 1e9;
}

} // namespace tilegpt::bench
