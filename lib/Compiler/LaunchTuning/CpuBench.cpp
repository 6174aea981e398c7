// Runs launches on this machine, with the number of threads of a model.
#include "LaunchTuning/LaunchBench.h"
#include "TileGPT/Bundle/Format.h"
#include "TileGPT/Runtime/Cpu/HostImage.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::compiler;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

namespace {

/// Memory with the alignment that kernels require.
struct alignas(bundle::bufferAlignment) Line {
  std::byte bytes[bundle::bufferAlignment];
};
using Memory = std::vector<Line>;

struct RunnableOnCpu {
  cpu::HostImage image;
  cpu::KernelFunction function;
  std::array<int64_t, 3> grid;
};

class CpuBench : public LaunchBench {
public:
  CpuBench(unsigned threads, const std::vector<LaunchOperand> &operands);

  Result<size_t> add(CompiledLaunch launch) override;
  Result<Results> run(size_t number) override;
  Result<double> time(size_t number) override;

private:
  Result<void> launch(const RunnableOnCpu &runnable, size_t set);
  Result<double> measure(const RunnableOnCpu &runnable, size_t count);

  cpu::ThreadPool pool;
  const std::vector<LaunchOperand> operands;
  std::vector<std::vector<Memory>> sets;    ///< an operand each
  std::vector<std::vector<uint64_t>> words; ///< by set
  std::vector<RunnableOnCpu> runnables;
  size_t launches = 0; ///< of a measurement; 0 until the first choice has run
};

} // namespace

CpuBench::CpuBench(unsigned threads, const std::vector<LaunchOperand> &operands)
    : pool(threads), operands(operands) {
  constexpr size_t restBytes = size_t(64) << 20, most = 8;
  size_t bytes = 1;
  for (const LaunchOperand &operand : operands)
    bytes += operand.isTensor ? operand.bytes() : 0;
  sets.resize(std::clamp<size_t>(restBytes / bytes + 1, 1, most));
  words.resize(sets.size());
  for (size_t number = 0; number < operands.size(); ++number) {
    const LaunchOperand &operand = operands[number];
    const size_t size = operand.isTensor ? operand.bytes() : 0;
    const auto data = makeData(
        operand.type, size / size_t(bundle::byteWidth(operand.type)), number);
    for (size_t set = 0; set < sets.size(); ++set) {
      Memory &memory = sets[set].emplace_back(size / sizeof(Line) + 1);
      std::memcpy(memory.data(), data.data(), size);
      if (operand.isTensor)
        addWords(words[set], operand,
                 reinterpret_cast<uintptr_t>(memory.data()));
      else
        words[set].push_back(numberBits(operand.type));
    }
  }
}

Result<size_t> CpuBench::add(CompiledLaunch launch) {
  auto image = cpu::HostImage::load(launch.host);
  if (!image)
    return tl::unexpected(image.error());
  const auto function = image->find(launch.entry);
  if (!function)
    return tl::unexpected(function.error());
  runnables.push_back({std::move(*image), *function, launch.grid});
  return runnables.size() - 1;
}

Result<void> CpuBench::launch(const RunnableOnCpu &runnable, size_t set) {
  std::atomic<int32_t> failed = 0;
  pool.run(runnable.grid[0] * runnable.grid[1] * runnable.grid[2],
           [&](int64_t begin, int64_t end) {
             if (const int32_t status = runnable.function(
                     words[set].data(), runnable.grid.data(), begin, end))
               failed = status;
           });
  if (failed)
    return makeError(ErrorCode::Failure, "tune: an assertion fails on the data "
                                         "that launches are measured with");
  return {};
}

Result<Results> CpuBench::run(size_t number) {
  for (size_t i = 0; i < operands.size(); ++i)
    if (!operands[i].isRead)
      std::memset(sets[0][i].data(), 0xFF, operands[i].bytes());
  if (auto done = launch(runnables[number], 0); !done)
    return tl::unexpected(done.error());
  Results results;
  for (size_t i = 0; i < operands.size(); ++i)
    if (operands[i].isWritten) {
      const auto *begin =
          reinterpret_cast<const std::byte *>(sets[0][i].data());
      results.emplace_back(begin, begin + operands[i].bytes());
    }
  return results;
}

Result<double> CpuBench::measure(const RunnableOnCpu &runnable, size_t count) {
  const auto begin = std::chrono::steady_clock::now();
  for (size_t i = 0; i < count; ++i)
    if (auto done = launch(runnable, i % sets.size()); !done)
      return tl::unexpected(done.error());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

Result<double> CpuBench::time(size_t number) {
  const RunnableOnCpu &runnable = runnables[number];
  if (launches == 0) {
    constexpr double shortest = 1e-7, target = 2e-3;
    constexpr size_t fewest = 2, most = 1000;
    auto seconds = measure(runnable, fewest);
    if (seconds)
      seconds = measure(runnable, fewest);
    if (!seconds)
      return seconds;
    launches = std::clamp(
        size_t(target / std::max(shortest, *seconds / double(fewest))), fewest,
        most);
  }
  auto seconds = measure(runnable, launches);
  if (!seconds)
    return seconds;
  return *seconds / double(launches);
}

Result<std::unique_ptr<LaunchBench>>
compiler::makeCpuBench(unsigned threads,
                       const std::vector<LaunchOperand> &operands) {
  return std::make_unique<CpuBench>(threads, operands);
}
