// Runs a step: looks up or prepares it, starts it, waits, and checks the status
// words of the kernels.
#include "TileGPT/Runtime/Cuda/Executor.h"
#include <algorithm>
#include <cassert>

using namespace tilegpt;
using namespace tilegpt::cuda;
using runtime::concat;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;
using runtime::Step;

/// Maximum number of prepared steps; the least recently used is evicted.
static constexpr size_t mostSteps = 64;

/// The first driver whose graphs preserve programmatic dependent launch.
static constexpr int overlapInGraphsVersion = 12030;

static bool isSameStep(const Step &a, const Step &b) {
  return a.plan == b.plan && a.rows == b.rows && a.sequences == b.sequences &&
         a.firstSequence == b.firstSequence;
}

static std::string describe(const bundle::Bundle &bundle, const Step &step) {
  return concat("plan '", bundle.string(step.plan->name), "' at ", step.rows,
                " rows of ", step.sequences, " sequences");
}

static Result<void> checkTarget(const bundle::Bundle &bundle,
                                const DeviceInfo &device) {
  const auto architecture = bundle.string(bundle.target().architecture);
  if (bundle.target().kind != bundle::TargetKind::Cuda)
    return makeError(ErrorCode::Device, "cuda: the bundle was compiled for '",
                     architecture,
                     "', not for a GPU; compile the model again "
                     "for ",
                     device.describe(), ", which is ", device.architecture());
  const bool isPtx =
      std::ranges::all_of(bundle.kernels(), [](const bundle::Kernel &kernel) {
        return kernel.device.imageKind == bundle::ImageKind::Ptx;
      });
  if (canRun(device, architecture, isPtx))
    return {};
  return makeError(ErrorCode::Device, "cuda: the bundle was compiled for '",
                   architecture, "', but ", device.describe(), " is ",
                   device.architecture(), "; compile the model again for it");
}

/// The total number of argument words of a kernel.
static size_t countWords(const bundle::Bundle &bundle,
                         const bundle::Kernel &kernel) {
  size_t words = 0;
  for (const bundle::Parameter &parameter : bundle.parameters(kernel))
    words += parameter.kind == bundle::ArgumentKind::View
                 ? 1 + 2 * size_t(parameter.rank)
                 : 1;
  return words;
}

Result<Kernel> cuda::loadKernel(const std::shared_ptr<Device> &device,
                                const bundle::Bundle &bundle,
                                const bundle::Kernel &kernel) {
  KernelImage image;
  image.name = bundle.string(kernel.name);
  image.symbol = bundle.string(kernel.symbol);
  image.image = bundle.deviceImage(kernel);
  image.launch = kernel.device;
  image.parameters = {countWords(bundle, kernel),
                      kernel.device.tensorMaps.count};
  return Kernel::load(device, image);
}

Result<Executor> Executor::create(const bundle::Bundle &bundle,
                                  const std::shared_ptr<Device> &device,
                                  LaunchMode mode,
                                  std::unique_ptr<Collectives> collectives,
                                  int64_t ranks, int64_t overlapFrom) {
  if (auto runs = checkTarget(bundle, device->info()); !runs)
    return tl::unexpected(runs.error());
  if (auto done = device->makeCurrent(); !done)
    return tl::unexpected(done.error());
  auto stream = Stream::create(device);
  if (!stream)
    return tl::unexpected(stream.error());
  if (collectives && !collectives->canBeCaptured() &&
      mode == LaunchMode::Graphs)
    mode = LaunchMode::Plain;
  Executor executor(bundle, device, std::move(*stream), mode,
                    std::move(collectives), ranks, overlapFrom);
  for (const bundle::Kernel &kernel : bundle.kernels()) {
    auto loaded = loadKernel(device, bundle, kernel);
    if (!loaded)
      return tl::unexpected(loaded.error());
    executor.kernels.push_back(std::move(*loaded));
  }
  return executor;
}

/// Captures the operations that `issue` puts on the stream.
Result<GraphExec>
Executor::capture(const std::function<Result<void>(bool mayOverlap)> &issue) {
  if (auto done = work.beginCapture(); !done)
    return tl::unexpected(done.error());
  const auto issued = issue(device->driver().version >= overlapInGraphsVersion);
  // End the capture mode of the stream, even after an error.
  auto graph = work.endCapture();
  if (!issued)
    return tl::unexpected(issued.error());
  return graph;
}

/// Runs `issue`, as a graph from the second time on: a graph does not pay off
/// for a step that runs only once.
template <typename Issue>
Result<void> Executor::replay(PreparedStep &step, const Issue &issue) {
  step.lastRun = ++runs;
  const bool asGraph = mode == LaunchMode::Graphs && !observer && step.runs > 0;
  ++step.runs;
  if (!asGraph)
    return issue(/*mayOverlap=*/mode != LaunchMode::Checked);
  if (!step.graph) {
    auto graph = capture(issue);
    if (!graph)
      return tl::unexpected(graph.error());
    step.graph = std::move(*graph);
  }
  return work.launch(step.graph);
}

Result<void> Executor::run(const Step &step,
                           std::span<const CUdeviceptr> addresses,
                           const StepMemory &memory, const StepCopies &copies,
                           const StepHalves *halves) {
  const auto prepared = find(step, addresses, memory, halves);
  if (!prepared)
    return tl::unexpected(prepared.error());
  auto issued = replay(**prepared, [&](bool mayOverlap) -> Result<void> {
    if (auto done = copyInputs(memory, copies); !done)
      return done;
    if (auto done = this->issue(**prepared, mayOverlap); !done)
      return done;
    return copyResults(memory, copies);
  });
  if (!issued)
    return issued;
  if (auto done = wait(**prepared); !done)
    return done;
  if (observer)
    if (auto done = reportTimes(**prepared); !done)
      return done;
  return checkStatus(**prepared, memory, copies.to);
}

Result<void> Executor::start(const Step &step,
                             std::span<const CUdeviceptr> addresses,
                             const StepMemory &memory, const StepCopies &copies,
                             const Event &done) {
  const auto prepared = find(step, addresses, memory);
  if (!prepared)
    return tl::unexpected(prepared.error());
  if (auto copied = copyInputs(memory, copies); !copied)
    return copied;
  if (auto issued = replay(**prepared,
                           [&](bool mayOverlap) {
                             return issueLaunches(**prepared, mayOverlap);
                           });
      !issued)
    return issued;
  if (auto copied = copyResults(memory, copies); !copied)
    return copied;
  if (auto recorded = work.record(done); !recorded || !observer)
    return recorded;
  // There is only one set of events.
  if (auto over = wait(**prepared); !over)
    return over;
  return reportTimes(**prepared);
}

Result<void> Executor::finish(const Step &step, const StepMemory &memory,
                              const StepCopies &copies, const Event &done) {
  if (auto over = waitFor(done, step); !over)
    return over;
  const PreparedStep *prepared = findPrepared(step);
  assert(prepared && "steps that were started stay prepared");
  return checkStatus(*prepared, memory, copies.to);
}

/// Waits for the end of a step.
Result<void> Executor::wait(const PreparedStep &step) {
  return waitFor(work, step.step);
}

runtime::Error Executor::kernelFailed(const Step &step, CUresult status) const {
  return device->driver().error(
      status, concat("a kernel of ", describe(*bundle, step),
                     " failed; --cuda-launches checked finds which"));
}

Executor::PreparedStep *Executor::findPrepared(const Step &step) const {
  const auto found = std::ranges::find_if(steps, [&](const auto &prepared) {
    return isSameStep(prepared->step, step);
  });
  return found == steps.end() ? nullptr : found->get();
}

/// The step, prepared if necessary; makes the context current.
Result<Executor::PreparedStep *>
Executor::find(const Step &step, std::span<const CUdeviceptr> addresses,
               const StepMemory &memory, const StepHalves *halves) {
  if (auto fits = runtime::checkSizes(*bundle, *step.plan, step.rows,
                                      step.sequences, "cuda");
      !fits)
    return tl::unexpected(fits.error());
  if (auto done = device->makeCurrent(); !done)
    return tl::unexpected(done.error());
  if (PreparedStep *found = findPrepared(step))
    return found;
  auto prepared = std::make_unique<PreparedStep>();
  prepared->step = step;
  const CUdeviceptr status = memory.address + memory.statusOffset;
  if (auto done = prepare(step, addresses, status, prepared->launches); !done)
    return tl::unexpected(done.error());
  if (halves)
    if (auto done = prepareHalves(*prepared, *halves, status); !done)
      return tl::unexpected(done.error());
  if (steps.size() < mostSteps) {
    steps.push_back(std::move(prepared));
    return steps.back().get();
  }
  auto &oldest = *std::ranges::min_element(
      steps, {}, [](const auto &step) { return step->lastRun; });
  oldest = std::move(prepared);
  return oldest.get();
}

void Executor::forgetGraphs() {
  for (const auto &step : steps)
    step->graph = {};
}

Result<void> Executor::copyInputs(const StepMemory &memory,
                                  const StepCopies &copies) const {
  return copies.inputBytes == 0 ? Result<void>()
                                : work.copyToDevice(memory.address, copies.from,
                                                    copies.inputBytes);
}

Result<void> Executor::copyResults(const StepMemory &memory,
                                   const StepCopies &copies) const {
  return work.copyToHost(copies.to + copies.resultsBegin,
                         memory.address + copies.resultsBegin,
                         copies.resultsEnd - copies.resultsBegin);
}

Result<void> Executor::issueKernel(const Step &step,
                                   const PreparedLaunch &launch,
                                   bool mayOverlap) const {
  CUresult status = launch.kernel->launch(
      work, launch.blocks, launch.parameters, mayOverlap && launch.overlaps);
  if (status == CUDA_SUCCESS && mode == LaunchMode::Checked)
    status = work.synchronize();
  if (status == CUDA_SUCCESS)
    return {};
  return tl::unexpected(device->driver().error(
      status,
      concat("kernel '", bundle->string(bundle->kernel(*launch.launch).name),
             "' (", bundle->string(launch.launch->label), ") of ",
             describe(*bundle, step), " failed on a grid of ", launch.blocks.x,
             "×", launch.blocks.y, "×", launch.blocks.z)));
}

Result<void> Executor::issueLaunches(const PreparedStep &step,
                                     bool mayOverlap) {
  const auto moment = [&](size_t index) -> Result<void> {
    if (!observer)
      return {};
    if (index == moments.size()) {
      auto created = Event::create(device, /*timing=*/true);
      if (!created)
        return tl::unexpected(created.error());
      moments.push_back(std::move(*created));
    }
    return work.record(moments[index]);
  };
  if (auto done = moment(0); !done)
    return done;
  for (size_t i = 0; i < step.launches.size(); ++i) {
    const PreparedLaunch &next = step.launches[i];
    if (auto done = next.exchange ? issueExchange(*next.exchange, work)
                                  : issueKernel(step.step, next, mayOverlap);
        !done)
      return done;
    if (auto done = moment(i + 1); !done)
      return done;
  }
  return {};
}

/// Checks that no kernel reported a failed assert.
Result<void> Executor::checkStatus(const PreparedStep &step,
                                   const StepMemory &memory,
                                   const std::byte *results) const {
  const auto *status =
      reinterpret_cast<const int32_t *>(results + memory.statusOffset);
  if (!runsInHalves(step))
    return checkStatus(step.launches, memory, status);
  if (auto first = checkStatus(step.halves[0], memory, status); !first)
    return first;
  return checkStatus(step.halves[1], memory, status + step.halves[0].size());
}

/// \param status  the words of `launches`.
Result<void> Executor::checkStatus(std::span<const PreparedLaunch> launches,
                                   const StepMemory &memory,
                                   const int32_t *status) const {
  for (size_t i = 0; i < launches.size(); ++i) {
    if (status[i] == 0)
      continue;
    runtime::Error error =
        runtime::assertFailed(*bundle, *launches[i].launch, status[i], "cuda");
    if (auto cleared = work.fillZero(memory.address + memory.statusOffset,
                                     memory.logitOffset - memory.statusOffset);
        !cleared)
      return cleared;
    return tl::unexpected(std::move(error));
  }
  return {};
}

/// Notifies the observer of a completed step. The device has its own clock: the
/// completion time is taken as now.
Result<void> Executor::reportTimes(const PreparedStep &step) {
  using Clock = runtime::LaunchObserver::Clock;
  const auto end = Clock::now();
  std::vector<Clock::duration> since;
  for (size_t i = 0; i <= step.launches.size(); ++i) {
    const auto elapsed = moments[i].since(moments[0]);
    if (!elapsed)
      return tl::unexpected(elapsed.error());
    since.push_back(std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<float, std::milli>(*elapsed)));
  }
  const auto begin = end - since.back();
  for (size_t i = 0; i < step.launches.size(); ++i)
    observer->launched(*step.launches[i].launch, step.launches[i].logicalBlocks,
                       begin + since[i], begin + since[i + 1]);
  return {};
}
