// Runs the plans of a bundle on the CPU: turns each launch into the words its
// kernel reads and spreads its grid over the threads. A plan run again with the
// same sizes allocates nothing.
#ifndef TILEGPT_RUNTIME_CPU_EXECUTOR_H
#define TILEGPT_RUNTIME_CPU_EXECUTOR_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Cpu/HostImage.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include "TileGPT/Runtime/Engine/Communicator.h"
#include "TileGPT/Runtime/Engine/LaunchObserver.h"
#include "TileGPT/Runtime/Engine/ResolvedPlan.h"
#include <span>
#include <vector>

namespace tilegpt::cpu {

class Executor {
public:
  /// Loads the kernels of a bundle. Bundle, pool and ranks must outlive the
  /// executor.
  /// \param ranks  the others that run the model; null for a model of one rank.
  /// \returns what checkTarget() and HostImage return.
  static runtime::Result<Executor>
  create(const bundle::Bundle &bundle, ThreadPool &pool,
         runtime::Communicator *ranks = nullptr);

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
  void setObserver(runtime::LaunchObserver *newObserver) {
    observer = newObserver;
  }

private:
  Executor(const bundle::Bundle &bundle, ThreadPool &pool,
           runtime::Communicator *ranks, HostImage image)
      : bundle(&bundle), pool(&pool), ranks(ranks), image(std::move(image)),
        resolved(bundle.plans().size()) {}

  runtime::Result<void> launch(const runtime::ResolvedLaunch &launch,
                               const uint64_t *words);
  runtime::Result<void> exchange(const bundle::Kernel &kernel,
                                 const uint64_t *words);

  const bundle::Bundle *bundle;
  ThreadPool *pool;
  runtime::Communicator *ranks;
  HostImage image;
  std::vector<KernelFunction> functions;       // by kernel
  std::vector<runtime::ResolvedPlan> resolved; // by plan, for its last sizes
  runtime::LaunchObserver *observer = nullptr;
  std::vector<std::byte> gathered; // the parts of all ranks
};

} // namespace tilegpt::cpu

#endif // TILEGPT_RUNTIME_CPU_EXECUTOR_H
