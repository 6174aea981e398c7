// Fork-join over the blocks of a grid. Decoding launches a hundred kernels of a
// few microseconds each for every token, so launch latency is what matters:
// workers spin briefly before they sleep.
#ifndef TILEGPT_RUNTIME_CPU_THREADPOOL_H
#define TILEGPT_RUNTIME_CPU_THREADPOOL_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <sched.h>
#include <thread>
#include <vector>

namespace tilegpt::cpu {

/// Used by one caller at a time; a body must not use the pool again.
class ThreadPool {
public:
  /// \param threads total, including the caller; 0 for every CPU available to
  /// this process. Fewer if the system cannot create as many.
  explicit ThreadPool(unsigned threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned threads() const { return unsigned(workers.size()) + 1; }

  /// Calls body(begin, end) for chunks that cover [0, count) once, in any
  /// order, and returns when all are done. The caller works too, so a late
  /// worker does not delay the job.
  template <typename Body>
  void run(int64_t count, const Body &body) {
    if (count <= 1 || workers.empty()) {
      if (count > 0)
        body(int64_t(0), count);
      return;
    }
    fork([](const void *context, int64_t begin,
            int64_t end) { (*static_cast<const Body *>(context))(begin, end); },
         &body, count);
  }

private:
  using Function = void (*)(const void *context, int64_t begin, int64_t end);

  static constexpr size_t lineBytes = 64;

  /// The remaining work of a thread: [begin, end) of the job, begin in the low
  /// half. The owner takes from the front, other threads steal from the back.
  struct alignas(lineBytes) Share {
    std::atomic<uint64_t> blocks{0};
  };

  void fork(Function function, const void *context, int64_t count);
  void forkAtMost32Bits(int64_t first, int64_t count);
  void takeOwn(unsigned thread);
  bool stealFor(unsigned thread);
  void takeChunks(unsigned thread);
  void keepWorkersOff(int cpu);
  void work(unsigned thread);

  // The job; written only while none is open and no worker is active.
  Function function = nullptr;
  const void *context = nullptr;
  int64_t base = 0;
  bool stopping = false;

  /// The CPUs available to the thread that created the pool, and whether there
  /// is one for each thread.
  cpu_set_t available;
  bool hasCpuEach = false;
  /// The CPU of the caller at the last launch; none before the first.
  int callerCpu = -1;

  /// One per thread; the first is the caller's.
  std::unique_ptr<Share[]> shares;
  /// Odd while a job is open for workers to enter.
  alignas(lineBytes) std::atomic<uint32_t> generation{0};
  /// Workers that may be accessing the job.
  alignas(lineBytes) std::atomic<uint32_t> inside{0};
  alignas(lineBytes) std::vector<std::thread> workers;
};

} // namespace tilegpt::cpu

#endif // TILEGPT_RUNTIME_CPU_THREADPOOL_H
