// Runs the steps of a bundle on a GPU. The launches of a step are prepared once
// and, from its second run on, replayed as one graph: inputs in, kernels,
// results out.
#ifndef TILEGPT_RUNTIME_CUDA_EXECUTOR_H
#define TILEGPT_RUNTIME_CUDA_EXECUTOR_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Cuda/Collectives.h"
#include "TileGPT/Runtime/Cuda/Kernel.h"
#include "TileGPT/Runtime/Cuda/Memory.h"
#include "TileGPT/Runtime/Engine/Engine.h"
#include "TileGPT/Runtime/Engine/ResolvedPlan.h"
#include <array>

namespace tilegpt::cuda {

/// How the launches of a step reach the device.
enum class LaunchMode {
  Graphs,  ///< as one graph, if the step was run before
  Plain,   ///< one by one
  Checked, ///< one by one, synchronizing after each: an error names its launch
};

/// The device memory that every step uses besides weights, states and arena:
/// positions, sampling parameters, ids, a status word (int32) for each launch
/// of a plan, zeros, then the logits. Offsets in bytes.
struct StepMemory {
  CUdeviceptr address = 0;
  size_t drawOffset = 0, idOffset = 0, statusOffset = 0, logitOffset = 0;
};

/// The transfers of a step: ranges of the step's memory, which has a
/// page-locked image on the host.
struct StepCopies {
  const std::byte *from = nullptr; ///< image with the inputs
  size_t inputBytes = 0;           ///< at its start, copied before the launches
  std::byte *to = nullptr;         ///< image that receives the results
  size_t resultsBegin = 0, resultsEnd = 0; ///< after the launches
};

/// A step as two: the first half of its sequences and the second. Their outputs
/// do not overlap, and both use the memory of the step.
struct StepHalves {
  std::array<runtime::Step, 2> steps;
  /// The address of every buffer of the bundle, as for Executor::run.
  std::array<std::span<const CUdeviceptr>, 2> addresses;
};

/// Loads a kernel of a bundle.
/// \returns errors of Kernel::load.
runtime::Result<Kernel> loadKernel(const std::shared_ptr<Device> &device,
                                   const bundle::Bundle &bundle,
                                   const bundle::Kernel &kernel);

class Executor {
public:
  /// Loads the kernels of a bundle, which must outlive the executor.
  /// \param collectives  null if one rank runs the model.
  /// \param ranks        the number of ranks.
  /// \param overlapFrom  run the halves of a step alternately if a half
  /// all-reduces at least this many bytes at once; 0: never.
  /// \returns Device if the bundle was compiled for something else, and what
  /// Kernel::load returns.
  static runtime::Result<Executor>
  create(const bundle::Bundle &bundle, const std::shared_ptr<Device> &device,
         LaunchMode mode, std::unique_ptr<Collectives> collectives = nullptr,
         int64_t ranks = 1, int64_t overlapFrom = 0);

  /// Whether a step of this shape was run before and is still prepared.
  bool isPrepared(const runtime::Step &step) const {
    return findPrepared(step) != nullptr;
  }

  /// Runs a step and waits for its end.
  /// \param addresses   of every buffer of the bundle for this step; the same
  /// each time a step of this shape is run.
  /// \param copies      likewise, unless forgetGraphs() is called in between.
  /// \param halves      null, or the halves as which the step may be run; read
  /// when it is prepared.
  /// \returns as runtime::Engine::run.
  runtime::Result<void> run(const runtime::Step &step,
                            std::span<const CUdeviceptr> addresses,
                            const StepMemory &memory, const StepCopies &copies,
                            const StepHalves *halves = nullptr);

  /// Runs the launches of a step `times` times, after a warm-up run; the inputs
  /// are copied to the device once, the results not at all.
  /// \returns as runtime::Engine::measure.
  runtime::Result<std::vector<runtime::StepTime>>
  measure(const runtime::Step &step, std::span<const CUdeviceptr> addresses,
          const StepMemory &memory, const StepCopies &copies, unsigned times,
          const StepHalves *halves = nullptr);

  /// Enqueues a step after those already running, without waiting. Its copies
  /// may differ every time.
  /// \param done is recorded when the step and its copies have finished.
  /// \returns an error if enqueuing fails.
  runtime::Result<void> start(const runtime::Step &step,
                              std::span<const CUdeviceptr> addresses,
                              const StepMemory &memory,
                              const StepCopies &copies, const Event &done);

  /// Waits for a step that was started.
  /// \returns as runtime::Engine::run.
  runtime::Result<void> finish(const runtime::Step &step,
                               const StepMemory &memory,
                               const StepCopies &copies, const Event &done);

  /// Waits for everything that was started, ignoring errors.
  void abandon() { (void)work.synchronize(); }

  /// Drops captured graphs because host memory that steps copy has moved;
  /// launches stay prepared. Device addresses must not change.
  void forgetGraphs();

  /// The stream of all work.
  const Stream &stream() const { return work; }

  void setObserver(runtime::LaunchObserver *newObserver) {
    observer = newObserver;
  }

private:
  /// A launch that is replaced by a collective.
  struct Exchange {
    bundle::Collective kind = bundle::Collective::None;
    bundle::ElementType type = bundle::ElementType::F32;
    CUdeviceptr in = 0, out = 0;
    CUdeviceptr gathered = 0; ///< all parts before interleaving; 0: in place
    int64_t rows = 0, columns = 0, allColumns = 0;
  };
  struct PreparedLaunch {
    const Kernel *kernel = nullptr;
    const bundle::Launch *launch = nullptr;
    GridSize blocks;
    int64_t logicalBlocks = 0;
    LaunchParameters parameters;
    bool overlaps = false;
    std::optional<Exchange> exchange;
  };
  struct PreparedStep {
    runtime::Step step;
    std::vector<PreparedLaunch> launches;
    /// The same work as two alternating halves; empty if that is not faster.
    std::array<std::vector<PreparedLaunch>, 2> halves;
    GraphExec graph; ///< from the second run on; includes the copies, unless
                     ///< steps of its plan are started
    uint64_t runs = 0;
    uint64_t lastRun = 0; ///< number of the run
  };

  /// The events around a measured step.
  struct Timer {
    Event begin, end;
    GraphExec graph; ///< of the launches; otherwise enqueued one by one
  };

  Executor(const bundle::Bundle &bundle, std::shared_ptr<Device> device,
           Stream stream, LaunchMode mode,
           std::unique_ptr<Collectives> collectives, int64_t ranks,
           int64_t overlapFrom)
      : bundle(&bundle), device(std::move(device)), work(std::move(stream)),
        mode(mode), collectives(std::move(collectives)), ranks(ranks),
        overlapFrom(overlapFrom) {}

  PreparedStep *findPrepared(const runtime::Step &step) const;
  runtime::Result<PreparedStep *> find(const runtime::Step &step,
                                       std::span<const CUdeviceptr> addresses,
                                       const StepMemory &memory,
                                       const StepHalves *halves = nullptr);
  runtime::Result<void> prepare(const runtime::Step &step,
                                std::span<const CUdeviceptr> addresses,
                                CUdeviceptr status,
                                std::vector<PreparedLaunch> &launches);
  runtime::Result<void> prepareLaunch(const runtime::Step &step,
                                      const runtime::ResolvedLaunch &launch,
                                      const uint64_t *words, CUdeviceptr status,
                                      std::vector<PreparedLaunch> &launches);
  runtime::Result<void> prepareHalves(PreparedStep &step,
                                      const StepHalves &halves,
                                      CUdeviceptr status);
  runtime::Result<void> prepareExchange(PreparedLaunch &launch,
                                        const uint64_t *words);
  runtime::Result<void> issueExchange(const Exchange &exchange,
                                      const Stream &stream) const;
  runtime::Result<void> issueKernel(const runtime::Step &step,
                                    const PreparedLaunch &launch,
                                    bool mayOverlap) const;
  runtime::Result<void> issueSegment(const PreparedStep &step, size_t half,
                                     size_t &next, bool mayOverlap);
  runtime::Result<void> issueHalves(const PreparedStep &step, bool mayOverlap);
  runtime::Result<void> waitForExchange(size_t half);
  /// Whether to run the halves of the step instead of the whole: observed steps
  /// run launch by launch.
  bool runsInHalves(const PreparedStep &step) const {
    return !step.halves[0].empty() && !observer;
  }
  runtime::Result<void> issue(const PreparedStep &step, bool mayOverlap) {
    return runsInHalves(step) ? issueHalves(step, mayOverlap)
                              : issueLaunches(step, mayOverlap);
  }
  /// `issue` enqueues a part of a step; its argument tells whether launches may
  /// overlap.
  template <typename Issue>
  runtime::Result<void> replay(PreparedStep &step, const Issue &issue);
  runtime::Result<GraphExec>
  capture(const std::function<runtime::Result<void>(bool mayOverlap)> &issue);
  runtime::Result<void> copyInputs(const StepMemory &memory,
                                   const StepCopies &copies) const;
  runtime::Result<void> copyResults(const StepMemory &memory,
                                    const StepCopies &copies) const;
  runtime::Result<void> issueLaunches(const PreparedStep &step,
                                      bool mayOverlap);
  runtime::Result<runtime::StepTime> runTimed(const PreparedStep &step,
                                              const Timer &timer);
  runtime::Result<void> wait(const PreparedStep &step);
  template <typename Moment>
  runtime::Result<void> waitFor(const Moment &moment,
                                const runtime::Step &step);
  runtime::Error kernelFailed(const runtime::Step &step, CUresult status) const;
  runtime::Result<void> checkStatus(const PreparedStep &step,
                                    const StepMemory &memory,
                                    const std::byte *results) const;
  runtime::Result<void> checkStatus(std::span<const PreparedLaunch> launches,
                                    const StepMemory &memory,
                                    const int32_t *status) const;
  runtime::Result<void> reportTimes(const PreparedStep &step);

  const bundle::Bundle *bundle;
  std::shared_ptr<Device> device;
  Stream work;
  LaunchMode mode;
  // Declared before the graphs, which refer to it.
  std::unique_ptr<Collectives> collectives;
  int64_t ranks, overlapFrom;
  std::vector<DeviceMemory> gathered;
  /// The stream of the halves' collectives, and two events for each half: its
  /// input is ready; its output has arrived.
  Stream exchanges;
  std::array<Event, 2> given, come;
  std::array<bool, 2> isExchanging = {};
  std::vector<Kernel> kernels; // as in the bundle
  std::vector<std::unique_ptr<PreparedStep>> steps;
  runtime::ResolvedPlan resolved; // scratch of prepare()
  uint64_t runs = 0;
  runtime::LaunchObserver *observer = nullptr;
  std::vector<Event> moments; // before the first and after every launch
};

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_EXECUTOR_H
