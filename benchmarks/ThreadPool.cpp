// What a launch costs on the pool and on oneTBB: empty launches, launches of a
// few microseconds as in decoding, and a launch after a pause. docs/Cpu.md
// quotes the result.
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include <benchmark/benchmark.h>
#include <chrono>
#include <immintrin.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <thread>

using Clock = std::chrono::steady_clock;

namespace {

constexpr unsigned threads = 2;
constexpr int64_t blocks = 64;

/// Stands in for a block of a kernel: a fixed amount of arithmetic.
void work(int64_t begin, int64_t end, int64_t pausesPerBlock) {
  for (int64_t i = 0; i < (end - begin) * pausesPerBlock; ++i)
    _mm_pause();
}

struct Pool {
  tilegpt::cpu::ThreadPool pool{threads};

  template <typename Body>
  void run(int64_t count, const Body &body) {
    pool.run(count, body);
  }
};

template <typename Partitioner>
struct Tbb {
  tbb::global_control control{tbb::global_control::max_allowed_parallelism,
                              threads};
  tbb::task_arena arena{int(threads)};

  template <typename Body>
  void run(int64_t count, const Body &body) {
    arena.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<int64_t>(0, count, count / (4 * threads)),
          [&](const tbb::blocked_range<int64_t> &range) {
            body(range.begin(), range.end());
          },
          Partitioner());
    });
  }
};

/// Back to back launches whose blocks take `pauses` pauses each.
template <typename Runner>
void launches(benchmark::State &state) {
  Runner runner;
  const int64_t pauses = state.range(0);
  for (auto _ : state)
    runner.run(blocks,
               [=](int64_t begin, int64_t end) { work(begin, end, pauses); });
}

/// The same work without anybody's help: the time two threads can halve.
void alone(benchmark::State &state) {
  for (auto _ : state)
    work(0, blocks, state.range(0));
}

/// One launch after the threads had nothing to do for as long as sampling
/// takes.
template <typename Runner>
void afterPause(benchmark::State &state) {
  Runner runner;
  for (auto _ : state) {
    const auto end = Clock::now() + std::chrono::microseconds(state.range(0));
    while (Clock::now() < end)
      _mm_pause();
    const auto begin = Clock::now();
    runner.run(blocks,
               [](int64_t first, int64_t last) { work(first, last, 4); });
    state.SetIterationTime(
        std::chrono::duration<double>(Clock::now() - begin).count());
  }
}

using Simple = Tbb<tbb::simple_partitioner>;
using Static = Tbb<tbb::static_partitioner>;
using Auto = Tbb<tbb::auto_partitioner>;

BENCHMARK(alone)->Arg(0)->Arg(2)->Arg(8);
BENCHMARK(launches<Pool>)->Arg(0)->Arg(2)->Arg(8)->UseRealTime();
BENCHMARK(launches<Simple>)->Arg(0)->Arg(2)->Arg(8)->UseRealTime();
BENCHMARK(launches<Static>)->Arg(0)->Arg(2)->Arg(8)->UseRealTime();
BENCHMARK(launches<Auto>)->Arg(0)->Arg(2)->Arg(8)->UseRealTime();
BENCHMARK(afterPause<Pool>)->Arg(5)->Arg(200)->UseManualTime();
BENCHMARK(afterPause<Simple>)->Arg(5)->Arg(200)->UseManualTime();
BENCHMARK(afterPause<Static>)->Arg(5)->Arg(200)->UseManualTime();
BENCHMARK(afterPause<Auto>)->Arg(5)->Arg(200)->UseManualTime();

} // namespace

BENCHMARK_MAIN();
