// Measures memory bandwidth and FMA throughput on all threads of a pool, as the
// best of several rounds: other load can only reduce them.
#include "TileGPT/Runtime/Profile/MachineRates.h"
#include "TileGPT/Runtime/Cpu/Memory.h"
#include "TileGPT/Runtime/Profile/SumLines.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::runtime;

using Clock = std::chrono::steady_clock;

/// Seconds of the fastest of `rounds` calls.
template <typename Work>
static double fastest(unsigned rounds, const Work &work) {
  double best = 1e30;
  for (unsigned i = 0; i < rounds; ++i) {
    const auto begin = Clock::now();
    work();
    best = std::min(
        best, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return best;
}

static Result<double> measureBytes(cpu::ThreadPool &pool, int64_t workingSet) {
  constexpr int64_t stretch = 64 << 10;
  constexpr int64_t most = int64_t(256) << 20;
  const int64_t stretches =
      std::max<int64_t>(pool.threads(), std::min(workingSet, most) / stretch);
  auto memory = cpu::Memory::allocate(size_t(stretches * stretch),
                                      "the memory that is measured");
  if (!memory)
    return tl::unexpected(memory.error());
  std::memset(memory->data(), 1, memory->size());
  // Repeat reads of a cache-sized working set to exceed the clock resolution.
  const auto repeats =
      std::max<int64_t>(1, (int64_t(16) << 20) / (stretches * stretch));
  std::atomic<uint64_t> total{0};
  // A thread reads the same ranges in every round, as required for private
  // caches.
  const int64_t threads = pool.threads();
  const double seconds = fastest(5, [&] {
    pool.run(threads, [&](int64_t first, int64_t last) {
      uint64_t sum = 0;
      for (int64_t part = first; part < last; ++part)
        for (int64_t i = 0; i < repeats; ++i)
          for (int64_t at = part * stretches / threads;
               at < (part + 1) * stretches / threads; ++at)
            sum += sumLines(
                reinterpret_cast<const Line *>(memory->data() + at * stretch),
                size_t(stretch) / sizeof(Line));
      total += sum;
    });
  });
  // The sum is used so that the reads are not optimized away.
  return total == 0 ? 0 : double(repeats * stretches * stretch) / seconds;
}

/// Enough independent multiply-adds to hide their latency. Inlined into
/// functions for each vector extension.
template <typename Vector, size_t chains>
[[gnu::always_inline]] static inline float multiplyAdd(int64_t rounds,
                                                       float factor) {
  Vector sums[chains] = {};
  Vector factors = {};
  factors += factor;
  for (int64_t i = 0; i < rounds; ++i)
#pragma clang loop unroll(full)
    for (size_t chain = 0; chain < chains; ++chain)
      sums[chain] = sums[chain] * factors + factors;
  float result = 0;
  for (const Vector &sum : sums)
    result += sum[0];
  return result;
}

namespace {
using Floats4 = float __attribute__((vector_size(16)));
using Floats8 = float __attribute__((vector_size(32)));
using Floats16 = float __attribute__((vector_size(64)));

/// A loop of multiply-adds and the number per iteration.
struct MultiplyAdds {
  float (*run)(int64_t rounds, float factor);
  double perRound;
};
} // namespace

constexpr size_t chains = 12;

static float multiplyAdd4(int64_t rounds, float factor) {
  return multiplyAdd<Floats4, chains>(rounds, factor);
}

#ifdef __x86_64__
[[gnu::target("avx2,fma")]] static float multiplyAdd8(int64_t rounds,
                                                      float factor) {
  return multiplyAdd<Floats8, chains>(rounds, factor);
}
[[gnu::target("avx512f,fma")]] static float multiplyAdd16(int64_t rounds,
                                                          float factor) {
  return multiplyAdd<Floats16, chains>(rounds, factor);
}
#endif

static MultiplyAdds widestMultiplyAdds() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return {multiplyAdd16, 16 * chains};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {multiplyAdd8, 8 * chains};
#endif
  return {multiplyAdd4, 4 * chains};
}

static double measureOps(cpu::ThreadPool &pool) {
  constexpr int64_t rounds = 200'000;
  const MultiplyAdds loop = widestMultiplyAdds();
  const int64_t threads = pool.threads();
  std::atomic<float> factor{0.5F}, total{0};
  const double seconds = fastest(5, [&] {
    pool.run(threads, [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part)
        total.store(loop.run(rounds, factor.load()));
    });
  });
  return total.load() == 0
             ? 0
             : 2 * loop.perRound * double(rounds * threads) / seconds;
}

static double measureLaunch(cpu::ThreadPool &pool) {
  constexpr int launches = 200;
  return fastest(5,
                 [&] {
                   for (int i = 0; i < launches; ++i)
                     pool.run(pool.threads(), [](int64_t, int64_t) {});
                 }) /
         launches;
}

Result<MachineRates> runtime::measureHost(cpu::ThreadPool &pool,
                                          int64_t workingSet) {
  const auto bytes = measureBytes(pool, workingSet);
  if (!bytes)
    return tl::unexpected(bytes.error());
  MachineRates rates;
  rates.bytesPerSec = *bytes;
  rates.narrowOpsPerSec = rates.wideOpsPerSec = measureOps(pool);
  rates.launchSeconds = measureLaunch(pool);
  rates.lanes = pool.threads();
  rates.origin = "measured";
  return rates;
}
