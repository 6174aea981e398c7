// Runs the plans of a bundle on the CPU: turns each launch into the words its
// kernel reads and spreads its grid over the threads. A plan run again with the
// same sizes allocates nothing.
#ifndef TILEGPT_RUNTIME_CPU_EXECUTOR_H
#define TILEGPT_RUNTIME_CPU_EXECUTOR_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Cpu/HostImage.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include "TileGPT/Runtime/Error.h"
#include <chrono>
#include <span>
#include <vector>

namespace tilegpt::cpu {

/// Sees every launch; for traces and benchmarks.
class LaunchObserver {
public:
  using Clock = std::chrono::steady_clock;
  virtual ~LaunchObserver() = default;
  /// Called after a launch, on the thread that called Executor::run.
  virtual void launched(const bundle::Launch &launch, int64_t blocks,
                        Clock::time_point begin, Clock::time_point end) = 0;
};

class Executor {
public:
  /// Loads the kernels of a bundle. Bundle and pool must outlive the executor.
  /// \returns what checkTarget() and HostImage return.
  static runtime::Result<Executor> create(const bundle::Bundle &bundle,
                                          ThreadPool &pool);

  /// Runs the launches of a plan in order.
  /// \param rows      N, in [minRows, maxRows] of the plan.
  /// \param sequences B, in [1, maxSequences]; rows of a decode plan.
  /// \param addresses for every buffer of the bundle the start of its memory,
  /// which holds its shape at (N, B) and is
  ///                  aligned to bundle::bufferAlignment; only buffers of this
  ///                  plan and globals are looked at.
  /// \returns OutOfRange for sizes outside of the plan's; Failure if a launch
  /// reaches outside of a buffer (nothing has
  ///          run then) or a kernel's assert fails (the message names kernel,
  ///          place and assert).
  runtime::Result<void> run(const bundle::Plan &plan, int64_t rows,
                            int64_t sequences,
                            std::span<std::byte *const> addresses);

  /// Observes every later launch; null to stop.
  void setObserver(LaunchObserver *newObserver) { observer = newObserver; }

private:
  /// A word that holds an address.
  struct AddressWord {
    uint32_t word;
    uint32_t buffer;
    int64_t byteOffset;
  };
  struct ResolvedLaunch {
    KernelFunction function;
    const bundle::Launch *launch;
    size_t firstWord;
    int64_t grid[3];
    int64_t blocks;
  };
  /// A plan's launches for one (rows, sequences); kept until the plan is run
  /// with other sizes.
  struct ResolvedPlan {
    int64_t rows = 0;
    int64_t sequences = 0;
    std::vector<uint64_t> words;
    std::vector<AddressWord> addresses;
    std::vector<ResolvedLaunch> launches;
  };
  class Resolver;

  Executor(const bundle::Bundle &bundle, ThreadPool &pool, HostImage image)
      : bundle(&bundle), pool(&pool), image(std::move(image)),
        resolved(bundle.plans().size()) {}

  runtime::Result<void> launch(const ResolvedLaunch &launch,
                               const uint64_t *words);

  const bundle::Bundle *bundle;
  ThreadPool *pool;
  HostImage image;
  std::vector<KernelFunction> functions; // by kernel
  std::vector<ResolvedPlan> resolved;    // by plan
  LaunchObserver *observer = nullptr;
};

} // namespace tilegpt::cpu

#endif // TILEGPT_RUNTIME_CPU_EXECUTOR_H
