// The protocol of the pool: the caller assigns the blocks and opens a
// generation, all threads process their share and then steal from others, and
// the caller closes the generation and waits for the threads that entered it. A
// worker that wakes too late finds it closed, and nobody waits for that worker.
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include <algorithm>
#include <immintrin.h>
#include <limits>
#include <pthread.h>
#include <sched.h>
#include <system_error>

using namespace tilegpt::cpu;

namespace {

/// Spin iterations before a waiting thread blocks: about 20 to 60 µs on current
/// x86, longer than the gap between two launches of a step and imperceptible to
/// users.
constexpr unsigned spins = 1000;

/// The CPU affinity of the calling thread; empty if the system has more CPUs
/// than a set holds.
cpu_set_t availableCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) != 0)
    CPU_ZERO(&set);
  return set;
}

unsigned countOf(const cpu_set_t &cpus) {
  const int count = CPU_COUNT(&cpus);
  return count > 0 ? unsigned(count)
                   : std::max(1u, std::thread::hardware_concurrency());
}

uint64_t range(uint64_t begin, uint64_t end) { return begin | end << 32; }
uint64_t beginOf(uint64_t range) { return range & 0xffffffff; }
uint64_t endOf(uint64_t range) { return range >> 32; }
bool isEmpty(uint64_t range) { return beginOf(range) >= endOf(range); }

/// Waits until the value differs from `old`; its writers notify.
template <typename T>
T waitWhile(const std::atomic<T> &value, T old) {
  for (unsigned i = 0; i < spins; ++i) {
    if (const T now = value.load(std::memory_order_acquire); now != old)
      return now;
    _mm_pause();
  }
  value.wait(old);
  return value.load();
}

} // namespace

ThreadPool::ThreadPool(unsigned threads) : available(availableCpus()) {
  if (threads == 0)
    threads = countOf(available);
  hasCpuEach = threads <= countOf(available);
  workers.reserve(threads - 1);
  shares = std::make_unique<Share[]>(threads);
  bool isGiven = true;
  for (unsigned i = 1; i < threads && isGiven; ++i)
    try {
      workers.emplace_back([this, i] { work(i); });
    } catch (const std::system_error &) {
      // The system refuses more threads; those that have started share the
      // work.
      isGiven = false;
    }
}

ThreadPool::~ThreadPool() {
  stopping = true;
  ++generation;
  generation.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

/// Processes the share of a thread from its front, a quarter of the remainder
/// at a time: contiguous memory, the rest of which others may steal.
void ThreadPool::takeOwn(unsigned thread) {
  std::atomic<uint64_t> &blocks = shares[thread].blocks;
  for (uint64_t left = blocks.load(std::memory_order_relaxed);
       !isEmpty(left);) {
    const uint64_t begin = beginOf(left), end = endOf(left);
    const uint64_t middle = begin + std::max<uint64_t>(1, (end - begin) / 4);
    if (!blocks.compare_exchange_weak(left, range(middle, end),
                                      std::memory_order_relaxed))
      continue;
    function(context, base + int64_t(begin), base + int64_t(middle));
    left = blocks.load(std::memory_order_relaxed);
  }
}

/// Steals the back half of another thread's remaining share for this thread,
/// whose own is empty; \returns whether there was any.
bool ThreadPool::stealFor(unsigned thread) {
  for (unsigned i = 1; i < threads(); ++i) {
    std::atomic<uint64_t> &blocks = shares[(thread + i) % threads()].blocks;
    for (uint64_t left = blocks.load(std::memory_order_relaxed);
         !isEmpty(left);) {
      const uint64_t begin = beginOf(left), end = endOf(left);
      const uint64_t middle = begin + (end - begin) / 2;
      if (!blocks.compare_exchange_weak(left, range(begin, middle),
                                        std::memory_order_relaxed))
        continue;
      shares[thread].blocks.store(range(middle, end),
                                  std::memory_order_relaxed);
      return true;
    }
  }
  return false;
}

/// Balances threads although blocks differ in work and threads are delayed or
/// interrupted.
void ThreadPool::takeChunks(unsigned thread) {
  do
    takeOwn(thread);
  while (stealFor(thread));
}

void ThreadPool::fork(Function newFunction, const void *newContext,
                      int64_t count) {
  if (const int cpu = sched_getcpu(); cpu != callerCpu)
    keepWorkersOff(cpu);
  function = newFunction;
  context = newContext;
  constexpr int64_t most = std::numeric_limits<uint32_t>::max();
  for (int64_t first = 0; first < count; first += most)
    forkAtMost32Bits(first, std::min(most, count - first));
}

void ThreadPool::forkAtMost32Bits(int64_t first, int64_t count) {
  base = first;
  for (unsigned i = 0; i < threads(); ++i)
    shares[i].blocks.store(range(uint64_t(count) * i / threads(),
                                 uint64_t(count) * (i + 1) / threads()),
                           std::memory_order_relaxed);
  ++generation;
  generation.notify_all();

  takeChunks(/*thread=*/0);

  // Sequentially consistent with work(): either a worker sees that the
  // generation is closed, or the caller sees the worker inside.
  ++generation;
  for (uint32_t left = inside.load(); left != 0;)
    left = waitWhile(inside, left);
}

/// Keeps all workers off a CPU, that of the caller. Linux wakes a thread on the
/// CPU of the waking thread if no other appears idle, as happens with halted
/// virtual CPUs; the worker then waits until the caller is preempted, about 2
/// ms instead of 0.1. Workers cannot do this themselves: they are asleep when
/// the caller moves to the only CPU that they may use.
void ThreadPool::keepWorkersOff(int cpu) {
  callerCpu = cpu;
  cpu_set_t others = available;
  CPU_CLR(unsigned(cpu), &others);
  if (!hasCpuEach || CPU_COUNT(&others) == 0)
    return;
  for (std::thread &worker : workers)
    pthread_setaffinity_np(worker.native_handle(), sizeof(others), &others);
}

void ThreadPool::work(unsigned thread) {
  for (uint32_t seen = 0;;) {
    seen = waitWhile(generation, seen);
    if (seen % 2 == 0)
      continue;
    ++inside;
    // Check again after entering: only now is the job guaranteed not to change.
    const bool open = generation.load() == seen;
    const bool stop = open && stopping;
    if (open && !stop)
      takeChunks(thread);
    --inside;
    inside.notify_one();
    if (stop)
      return;
  }
}
