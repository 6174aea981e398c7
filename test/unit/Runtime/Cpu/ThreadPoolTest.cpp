// Every block runs exactly once, on whatever thread, and a pool handles being
// busy, idle, tiny and destroyed.
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>
#include <vector>

using namespace tilegpt::cpu;

namespace {

TEST(ThreadPool, EveryBlockRunsOnce) {
  for (unsigned threads : {1u, 2u, 3u, 8u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (int64_t count : {0, 1, 2, 7, 64, 1000, 100003}) {
      std::vector<std::atomic<int>> hits(static_cast<size_t>(count));
      pool.run(count, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          ++hits[size_t(i)];
      });
      for (int64_t i = 0; i < count; ++i)
        ASSERT_EQ(hits[size_t(i)], 1) << "block " << i << " of " << count
                                      << " on " << threads << " threads";
    }
  }
}

TEST(ThreadPool, ManyShortRunsNeitherMixNorHang) {
  ThreadPool pool(4);
  for (int64_t run = 0; run < 20000; ++run) {
    std::atomic<int64_t> sum{0};
    pool.run(8, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        sum += run + i;
    });
    ASSERT_EQ(sum, 8 * run + 28);
  }
}

TEST(ThreadPool, WhoIsDoneTakesWhatOthersHaveLeft) {
  ThreadPool pool(2);
  constexpr int64_t count = 64;
  std::atomic<int64_t> done{0};
  std::atomic<bool> first{true};
  pool.run(count, [&](int64_t begin, int64_t end) {
    // One thread is late, in the first blocks of its share: the other one must
    // do the rest of it.
    if (first.exchange(false))
      while (done < count - (end - begin))
        std::this_thread::yield();
    done += end - begin;
  });
  EXPECT_EQ(done, count);
}

TEST(ThreadPool, MoreBlocksThanHave32Bits) {
  ThreadPool pool(3);
  const int64_t count = (int64_t(1) << 33) + 5;
  std::atomic<int64_t> blocks{0}, last{0};
  pool.run(count, [&](int64_t begin, int64_t end) {
    ASSERT_LT(begin, end);
    blocks += end - begin;
    for (int64_t old = last;
         old < end && !last.compare_exchange_weak(old, end);)
      ;
  });
  EXPECT_EQ(blocks, count);
  EXPECT_EQ(last, count);
}

TEST(ThreadPool, ParkedWorkersWakeUp) {
  ThreadPool pool(2);
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    // Both threads must participate: each waits in its block for the other.
    std::atomic<int> arrived{0};
    pool.run(2, [&](int64_t, int64_t) {
      ++arrived;
      while (arrived < 2)
        std::this_thread::yield();
    });
    EXPECT_EQ(arrived, 2);
  }
}

/// Runs a job that every thread of `pool` takes part in, and calls `body` on
/// each worker.
template <typename Body>
void runOnWorkers(ThreadPool &pool, const Body &body) {
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<unsigned> arrived{0};
  pool.run(int64_t(pool.threads()), [&](int64_t, int64_t) {
    if (std::this_thread::get_id() != caller)
      body();
    ++arrived;
    while (arrived < pool.threads())
      std::this_thread::yield();
  });
}

TEST(ThreadPool, WorkersKeepOffTheCpuOfTheCaller) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
  if (CPU_COUNT(&all) < 2)
    GTEST_SKIP() << "one CPU";
  ThreadPool pool(2);
  for (int cpu = 0, tried = 0; tried < 2; ++cpu) {
    if (!CPU_ISSET(cpu, &all))
      continue;
    ++tried;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    // In the first launch after the caller has moved, too.
    runOnWorkers(pool, [&] {
      cpu_set_t mine;
      ASSERT_EQ(sched_getaffinity(0, sizeof(mine), &mine), 0);
      EXPECT_FALSE(CPU_ISSET(cpu, &mine));
      EXPECT_EQ(CPU_COUNT(&mine), CPU_COUNT(&all) - 1);
    });
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(all), &all), 0);
}

TEST(ThreadPool, MoreThreadsThanCpusRunOnAll) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
  ThreadPool pool(unsigned(CPU_COUNT(&all)) + 1);
  for (int i = 0; i < 2; ++i)
    runOnWorkers(pool, [&] {
      cpu_set_t mine;
      ASSERT_EQ(sched_getaffinity(0, sizeof(mine), &mine), 0);
      EXPECT_TRUE(CPU_EQUAL(&mine, &all));
    });
}

TEST(ThreadPool, ResultsAreVisibleToTheCaller) {
  ThreadPool pool(4);
  std::vector<int64_t> squares(5000);
  for (int64_t factor = 1; factor < 50; ++factor) {
    pool.run(int64_t(squares.size()), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        squares[size_t(i)] = factor * i;
    });
    for (int64_t i = 0; i < int64_t(squares.size()); ++i)
      ASSERT_EQ(squares[size_t(i)], factor * i);
  }
}

TEST(ThreadPool, ZeroMeansEveryCpu) { EXPECT_GE(ThreadPool(0).threads(), 1u); }

TEST(ThreadPool, AnIdlePoolIsDestroyedAtOnce) {
  for (int i = 0; i < 200; ++i)
    ThreadPool pool(4);
}

} // namespace
