// Runs the plans of a bundle on the CPU: resolves the argument words of each
// launch and distributes its grid over the threads. Does not allocate if a plan
// is run again with the same sizes.
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
  /// \param ranks  the communicator of the ranks that run the model; null for a
  /// single rank.
  /// \returns errors of checkTarget() and HostImage.
  static runtime::Result<Executor>
  create(const bundle::Bundle &bundle, ThreadPool &pool,
         runtime::Communicator *ranks = nullptr);

  /// Runs the launches of a plan in order.
  /// \param rows      N, in [minRows, maxRows] of the plan.
  /// \param sequences B, in [1, maxSequences]; rows of a decode plan.
  /// \param addresses the memory of every buffer of the bundle, which holds its
  /// shape at (N, B) and is aligned to bundle::bufferAlignment; only buffers of
  /// this plan and global ones are used.
  /// \returns OutOfRange for sizes outside of the plan's ranges; Failure if a
  /// launch exceeds a buffer (nothing has run then) or an assertion of a kernel
  /// fails (the message names the kernel, the location and the assertion).
  runtime::Result<void> run(const bundle::Plan &plan, int64_t rows,
                            int64_t sequences,
                            std::span<std::byte *const> addresses);

  /// Observes all later launches; null to stop.
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
