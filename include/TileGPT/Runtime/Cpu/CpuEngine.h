// The engine of this machine's CPUs: memory of the process, a thread pool.
#ifndef TILEGPT_RUNTIME_CPU_CPUENGINE_H
#define TILEGPT_RUNTIME_CPU_CPUENGINE_H

#include "TileGPT/Runtime/Cpu/Executor.h"
#include "TileGPT/Runtime/Cpu/Memory.h"
#include "TileGPT/Runtime/Engine/Engine.h"
#include "TileGPT/Runtime/Engine/MemoryNeeds.h"
#include <memory>

namespace tilegpt::cpu {

class CpuEngine final : public runtime::Engine {
public:
  /// \param threads in all; 0: every CPU this process may run on.
  /// \returns Device if the bundle cannot run here, BadInput if its code cannot
  /// be loaded, Usage for a senseless number of threads.
  static runtime::Result<std::unique_ptr<CpuEngine>>
  create(const bundle::Bundle &bundle, unsigned threads = 0);

  runtime::Result<void> load(int64_t sequences,
                             const FindWeight &find) override;
  std::span<int32_t> ids() override;
  std::span<int32_t> positions() override;
  runtime::Result<std::span<const float>>
  run(const runtime::Step &step) override;
  runtime::Result<std::vector<runtime::StepTime>>
  measure(const runtime::Step &step, unsigned times) override;
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

  const bundle::Bundle &bundle;
  std::unique_ptr<ThreadPool> pool;
  Executor executor;
  runtime::MemoryNeeds needs;
  std::vector<std::byte *> addresses; // of every buffer of the bundle
  Memory arena, idMemory, positionMemory, logits, cache;
};

} // namespace tilegpt::cpu

#endif // TILEGPT_RUNTIME_CPU_CPUENGINE_H
