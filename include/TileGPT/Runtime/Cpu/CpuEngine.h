// The engine of this machine's CPUs: process memory and a thread pool.
#ifndef TILEGPT_RUNTIME_CPU_CPUENGINE_H
#define TILEGPT_RUNTIME_CPU_CPUENGINE_H

#include "TileGPT/Runtime/Cpu/Executor.h"
#include "TileGPT/Runtime/Cpu/Memory.h"
#include "TileGPT/Runtime/Engine/Engine.h"
#include "TileGPT/Runtime/Engine/MemoryNeeds.h"
#include "TileGPT/Runtime/Engine/WideLogits.h"
#include <array>
#include <memory>

namespace tilegpt::cpu {

class CpuEngine final : public runtime::Engine {
public:
  /// \param threads total; 0: every CPU this process may run on.
  /// \param ranks  the ranks that run the bundle, which must outlive the
  /// engine; null: a single rank.
  /// \returns Device if the bundle cannot run here, BadInput if its code cannot
  /// be loaded, Usage for an invalid number of threads or a bundle for another
  /// number of ranks.
  static runtime::Result<std::unique_ptr<CpuEngine>>
  create(const bundle::Bundle &bundle, unsigned threads = 0,
         runtime::Communicator *ranks = nullptr);

  runtime::Result<void> load(int64_t sequences,
                             const FindWeight &find) override;
  std::span<int32_t> ids() override;
  std::span<int32_t> positions() override;
  std::span<float> draws() override;
  runtime::Result<std::span<const float>>
  run(const runtime::Step &step) override;
  runtime::Result<std::vector<runtime::StepTime>>
  measure(const runtime::Step &step, unsigned times) override;
  /// Runs the step to its end.
  runtime::Result<void> start(const runtime::Step &step, bool follows) override;
  runtime::Result<std::span<const int32_t>> finish() override;
  void setObserver(runtime::LaunchObserver *observer) override {
    executor.setObserver(observer);
  }
  int64_t weightBytes() const override { return needs.weightBytes; }
  int64_t stateBytes() const override { return needs.stateBytes; }
  std::string describe() const override;

private:
  CpuEngine(const bundle::Bundle &bundle, std::unique_ptr<ThreadPool> pool,
            Executor executor);

  runtime::Result<void> allocate();
  std::byte *placeOf(const bundle::Buffer &buffer) const;
  runtime::Result<void> execute(const runtime::Step &step);

  const bundle::Bundle &bundle;
  std::unique_ptr<ThreadPool> pool;
  Executor executor;
  runtime::MemoryNeeds needs;
  std::vector<std::byte *> addresses; // of every buffer of the bundle
  Memory arena, idMemory, positionMemory, drawMemory, logits, cache;
  runtime::WideLogits wideLogits;
  std::vector<int32_t> chosen; // by the steps in flight, mostStarted rows
  struct {
    size_t first = 0, count = 0; // rows of `chosen` in use
    std::array<int64_t, mostStarted> sequences = {};
  } started;
};

} // namespace tilegpt::cpu

#endif // TILEGPT_RUNTIME_CPU_CPUENGINE_H
