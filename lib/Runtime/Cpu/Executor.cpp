// Spreads the blocks of each launch over the threads, launch after launch.
#include "TileGPT/Runtime/Cpu/Executor.h"
#include <atomic>

using namespace tilegpt;
using namespace tilegpt::cpu;
using namespace tilegpt::bundle;
using namespace tilegpt::runtime;

Result<Executor> Executor::create(const Bundle &bundle, ThreadPool &pool) {
  if (auto runs = checkTarget(bundle); !runs)
    return tl::unexpected(runs.error());
  auto image = HostImage::load(bundle.hostCode());
  if (!image)
    return tl::unexpected(image.error());
  Executor executor(bundle, pool, std::move(*image));
  for (const Kernel &kernel : bundle.kernels()) {
    const auto function =
        executor.image.find(std::string(bundle.string(kernel.symbol)));
    if (!function)
      return tl::unexpected(function.error());
    executor.functions.push_back(*function);
  }
  return executor;
}

Result<void> Executor::launch(const ResolvedLaunch &launch,
                              const uint64_t *words) {
  const KernelFunction function = functions[launch.launch->kernel];
  std::atomic<int32_t> status{0};
  using Clock = LaunchObserver::Clock;
  const auto begin = observer ? Clock::now() : Clock::time_point();
  pool->run(launch.blocks, [&](int64_t first, int64_t end) {
    if (const int32_t result = function(words, launch.grid, first, end);
        result != 0)
      status.store(result, std::memory_order_relaxed);
  });
  if (observer)
    observer->launched(*launch.launch, launch.blocks, begin, Clock::now());

  if (const int32_t failed = status.load(std::memory_order_relaxed))
    return tl::unexpected(
        runtime::assertFailed(*bundle, *launch.launch, failed, "cpu"));
  return {};
}

Result<void> Executor::run(const Plan &plan, int64_t rows, int64_t sequences,
                           std::span<std::byte *const> addresses) {
  if (auto fits = checkSizes(*bundle, plan, rows, sequences, "cpu"); !fits)
    return fits;
  ResolvedPlan &current = resolved[size_t(&plan - bundle->plans().data())];
  if (current.rows != rows || current.sequences != sequences)
    if (auto done = resolve(*bundle, plan, rows, sequences, "cpu", current);
        !done)
      return done;
  for (const AddressWord &address : current.addresses)
    current.words[address.word] = reinterpret_cast<uint64_t>(
        addresses[address.buffer] + address.byteOffset);
  for (const ResolvedLaunch &next : current.launches)
    if (auto done = launch(next, current.words.data() + next.firstWord); !done)
      return done;
  return {};
}
