// The pool's protocol: the caller opens a generation, everybody takes chunks
// from one counter, the caller closes it and waits for those who entered. A
// worker that wakes too late finds it closed and nobody waited for it.
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include <algorithm>
#include <immintrin.h>
#include <sched.h>
#include <system_error>

using namespace tilegpt::cpu;

namespace {

/// Pauses before a waiting thread gives its core away: some 20 to 60 µs on
/// current x86, longer than the time between two launches of a step, shorter
/// than anything a person notices.
constexpr unsigned spins = 1000;

unsigned availableCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return unsigned(std::max(1, CPU_COUNT(&set)));
  return std::max(1u, std::thread::hardware_concurrency());
}

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

ThreadPool::ThreadPool(unsigned threads) {
  if (threads == 0)
    threads = availableCpus();
  workers.reserve(threads - 1);
  try {
    for (unsigned i = 1; i < threads; ++i)
      workers.emplace_back([this] { work(); });
  } catch (const std::system_error &) {
    // The system gives this process no more; those that have started share the
    // work.
  }
}

ThreadPool::~ThreadPool() {
  stopping = true;
  ++generation;
  generation.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

/// Chunks get smaller towards the end: half of what is left, divided fairly.
/// Large ones read memory in long runs, small ones let all threads finish
/// together although blocks differ in work and threads are interrupted.
void ThreadPool::takeChunks() {
  const int64_t shares = 2 * int64_t(threads());
  int64_t begin = next.load(std::memory_order_relaxed);
  while (begin < count) {
    const int64_t end = begin + std::max<int64_t>(1, (count - begin) / shares);
    if (!next.compare_exchange_weak(begin, end, std::memory_order_relaxed))
      continue;
    function(context, begin, end);
    begin = next.load(std::memory_order_relaxed);
  }
}

void ThreadPool::fork(Function newFunction, const void *newContext,
                      int64_t newCount) {
  function = newFunction;
  context = newContext;
  count = newCount;
  next.store(0, std::memory_order_relaxed);
  ++generation;
  generation.notify_all();

  takeChunks();

  // Sequentially consistent with work(): either a worker sees that the
  // generation is over, or we see it inside.
  ++generation;
  for (uint32_t left = inside.load(); left != 0;)
    left = waitWhile(inside, left);
}

void ThreadPool::work() {
  for (uint32_t seen = 0;;) {
    seen = waitWhile(generation, seen);
    if (seen % 2 == 0)
      continue;
    ++inside;
    // Looked at again from inside: only now can the job not change under our
    // hands.
    const bool open = generation.load() == seen;
    const bool stop = open && stopping;
    if (open && !stop)
      takeChunks();
    --inside;
    inside.notify_one();
    if (stop)
      return;
  }
}
