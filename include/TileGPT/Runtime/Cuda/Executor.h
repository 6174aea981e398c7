// Runs the steps of a bundle on a GPU. What a step launches is prepared once
// and, from its second run on, replayed as one graph: inputs in, kernels,
// results out.
#ifndef TILEGPT_RUNTIME_CUDA_EXECUTOR_H
#define TILEGPT_RUNTIME_CUDA_EXECUTOR_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Cuda/Kernel.h"
#include "TileGPT/Runtime/Engine/Engine.h"
#include "TileGPT/Runtime/Engine/ResolvedPlan.h"

namespace tilegpt::cuda {

/// How the launches of a step reach the device.
enum class LaunchMode {
  Graphs,  ///< as one graph when the step was run before
  Plain,   ///< one by one
  Checked, ///< one by one, waiting for each: an error names its launch
};

/// The memory every step uses besides weights, states and arena.
struct StepMemory {
  const std::byte *hostInputs = nullptr; ///< page-locked
  CUdeviceptr inputs = 0;
  std::byte *hostResults = nullptr; ///< page-locked
  /// A status word (int32) for every launch of a plan, zeros, then the output.
  CUdeviceptr results = 0;
  size_t outputOffset = 0; ///< bytes from the start of the results
};

class Executor {
public:
  /// Loads the kernels of a bundle, which must outlive the executor.
  /// \returns Device if the bundle was compiled for something else, and what
  /// Kernel::load returns.
  static runtime::Result<Executor> create(const bundle::Bundle &bundle,
                                          const std::shared_ptr<Device> &device,
                                          LaunchMode mode);

  /// Runs a step and waits for its end.
  /// \param addresses   of every buffer of the bundle at this step; the same
  /// whenever a step like it is run.
  /// \param inputBytes  to copy to the device before the first launch.
  /// \param outputBytes to copy back after the last.
  /// \returns as runtime::Engine::run.
  runtime::Result<void> run(const runtime::Step &step,
                            std::span<const CUdeviceptr> addresses,
                            const StepMemory &memory, size_t inputBytes,
                            size_t outputBytes);

  /// Runs the launches of a step `times` times, after a first one that does not
  /// count, without its copies to and from the device but for the inputs, once.
  /// \returns as runtime::Engine::measure.
  runtime::Result<std::vector<runtime::StepTime>>
  measure(const runtime::Step &step, std::span<const CUdeviceptr> addresses,
          const StepMemory &memory, size_t inputBytes, size_t outputBytes,
          unsigned times);

  /// Drops what was recorded, because the memory of steps has moved; their
  /// launches stay prepared. Device addresses must stay.
  void forgetGraphs();

  /// The stream everything runs on.
  const Stream &stream() const { return work; }

  void setObserver(runtime::LaunchObserver *newObserver) {
    observer = newObserver;
  }

private:
  struct PreparedLaunch {
    const Kernel *kernel = nullptr;
    const bundle::Launch *launch = nullptr;
    GridSize blocks;
    int64_t logicalBlocks = 0;
    size_t parameters = 0; ///< first word of its buffer in the step's
    bool overlaps = false;
  };
  struct PreparedStep {
    runtime::Step step;
    size_t inputBytes = 0, outputBytes = 0;
    std::vector<uint64_t> parameters;
    std::vector<PreparedLaunch> launches;
    GraphExec graph; ///< once it was run twice
    uint64_t runs = 0;
    uint64_t lastRun = 0; ///< number of the run
  };

  /// What a measured step runs between.
  struct Timer {
    Event begin, end;
    GraphExec graph; ///< of the launches; without it they go one by one
  };

  Executor(const bundle::Bundle &bundle, std::shared_ptr<Device> device,
           Stream stream, LaunchMode mode)
      : bundle(&bundle), device(std::move(device)), work(std::move(stream)),
        mode(mode) {}

  runtime::Result<PreparedStep *> find(const runtime::Step &step,
                                       std::span<const CUdeviceptr> addresses,
                                       const StepMemory &memory,
                                       size_t inputBytes, size_t outputBytes);
  runtime::Result<void> prepare(PreparedStep &step,
                                std::span<const CUdeviceptr> addresses,
                                const StepMemory &memory);
  runtime::Result<void> prepareLaunch(PreparedStep &step,
                                      const runtime::ResolvedLaunch &launch,
                                      const uint64_t *words,
                                      const StepMemory &memory);
  runtime::Result<void> start(PreparedStep &step, const StepMemory &memory);
  runtime::Result<GraphExec> capture(
      const std::function<runtime::Result<void>(bool mayOverlap)> &issueWork);
  runtime::Result<void> issue(const PreparedStep &step,
                              const StepMemory &memory, bool mayOverlap);
  runtime::Result<void> issueLaunches(const PreparedStep &step,
                                      bool mayOverlap);
  runtime::Result<runtime::StepTime> runTimed(const PreparedStep &step,
                                              const Timer &timer);
  runtime::Result<void> wait(const PreparedStep &step) const;
  runtime::Result<void> checkStatus(const PreparedStep &step,
                                    const StepMemory &memory) const;
  runtime::Result<void> reportTimes(const PreparedStep &step);

  const bundle::Bundle *bundle;
  std::shared_ptr<Device> device;
  Stream work;
  LaunchMode mode;
  std::vector<Kernel> kernels; // as in the bundle
  std::vector<std::unique_ptr<PreparedStep>> steps;
  runtime::ResolvedPlan resolved; // scratch of prepare()
  uint64_t runs = 0;
  runtime::LaunchObserver *observer = nullptr;
  std::vector<Event> moments; // before the first and after every launch
};

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_EXECUTOR_H
