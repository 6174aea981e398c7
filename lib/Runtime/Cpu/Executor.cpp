// Distributes the blocks of each launch over the threads, launch by launch.
#include "TileGPT/Runtime/Cpu/Executor.h"
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::cpu;
using namespace tilegpt::bundle;
using namespace tilegpt::runtime;

Result<Executor> Executor::create(const Bundle &bundle, ThreadPool &pool,
                                  Communicator *ranks) {
  if (auto runs = checkTarget(bundle); !runs)
    return tl::unexpected(runs.error());
  auto image = HostImage::load(bundle.hostCode());
  if (!image)
    return tl::unexpected(image.error());
  Executor executor(bundle, pool, ranks, std::move(*image));
  for (const Kernel &kernel : bundle.kernels()) {
    const auto function =
        executor.image.find(std::string(bundle.string(kernel.symbol)));
    if (!function)
      return tl::unexpected(function.error());
    executor.functions.push_back(*function);
  }
  return executor;
}

/// Performs the collective that a kernel represents.
/// \param words  two views [rows, columns]: address, sizes, strides.
Result<void> Executor::exchange(const Kernel &kernel, const uint64_t *words) {
  constexpr size_t viewWords = 5;
  const auto *in = std::bit_cast<const std::byte *>(words[0]);
  auto *out = std::bit_cast<std::byte *>(words[viewWords]);
  const ElementType type = bundle->parameters(kernel)[0].type;
  const auto rows = int64_t(words[1]), columns = int64_t(words[2]);
  if (kernel.collective == Collective::AllReduce)
    return ranks->allReduce(type, in, out, rows * columns);

  const auto all = int64_t(words[viewWords + 2]), width = byteWidth(type);
  const int64_t part = rows * columns * width;
  gathered.resize(size_t(part * ranks->rank().count));
  if (auto done = ranks->allGather(in, gathered.data(), part); !done)
    return done;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t first = 0; first < all; first += columns)
      std::memcpy(out + (row * all + first) * width,
                  gathered.data() + first / columns * part +
                      row * columns * width,
                  size_t(std::min(columns, all - first) * width));
  return {};
}

Result<void> Executor::launch(const ResolvedLaunch &launch,
                              const uint64_t *words) {
  const KernelFunction function = functions[launch.launch->kernel];
  std::atomic<int32_t> status{0};
  using Clock = LaunchObserver::Clock;
  const auto begin = observer ? Clock::now() : Clock::time_point();
  const Kernel &kernel = bundle->kernel(*launch.launch);
  if (ranks && kernel.collective != Collective::None) {
    if (auto done = exchange(kernel, words); !done)
      return done;
    if (observer)
      observer->launched(*launch.launch, launch.blocks, begin, Clock::now());
    return {};
  }
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
