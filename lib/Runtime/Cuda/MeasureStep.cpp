// Times the launches of a step on the device, between two events.
#include "TileGPT/Runtime/Cuda/Executor.h"

using namespace tilegpt;
using namespace tilegpt::cuda;
using runtime::Result;
using runtime::Step;
using runtime::StepTime;

Result<std::vector<StepTime>>
Executor::measure(const Step &step, std::span<const CUdeviceptr> addresses,
                  const StepMemory &memory, const StepCopies &copies,
                  unsigned times, const StepHalves *halves) {
  const auto prepared = find(step, addresses, memory, halves);
  if (!prepared)
    return tl::unexpected(prepared.error());
  if (auto done = copyInputs(memory, copies); !done)
    return tl::unexpected(done.error());
  Timer timer;
  for (Event *event : {&timer.begin, &timer.end}) {
    auto created = Event::create(device, /*timing=*/true);
    if (!created)
      return tl::unexpected(created.error());
    *event = std::move(*created);
  }
  if (mode == LaunchMode::Graphs && !observer) {
    auto graph =
        capture([&](bool mayOverlap) { return issue(**prepared, mayOverlap); });
    if (!graph)
      return tl::unexpected(graph.error());
    timer.graph = std::move(*graph);
  }

  std::vector<StepTime> measured;
  for (unsigned i = 0; i <= times; ++i) {
    const auto time = runTimed(**prepared, timer);
    if (!time)
      return tl::unexpected(time.error());
    if (i > 0)
      measured.push_back(*time);
  }
  auto done = copyResults(memory, copies);
  if (done)
    done = wait(**prepared);
  if (done)
    done = checkStatus(**prepared, memory, copies.to);
  if (!done)
    return tl::unexpected(done.error());
  return measured;
}

Result<StepTime> Executor::runTimed(const PreparedStep &step,
                                    const Timer &timer) {
  using Clock = runtime::LaunchObserver::Clock;
  const auto start = Clock::now();
  auto done = work.record(timer.begin);
  if (done)
    done = timer.graph ? work.launch(timer.graph)
                       : issue(step, mode != LaunchMode::Checked);
  if (done)
    done = work.record(timer.end);
  if (done)
    done = wait(step);
  const auto end = Clock::now();
  if (done && observer)
    done = reportTimes(step);
  if (!done)
    return tl::unexpected(done.error());
  const auto elapsed = timer.end.since(timer.begin);
  if (!elapsed)
    return tl::unexpected(elapsed.error());
  return StepTime{end - start,
                  std::chrono::duration_cast<StepTime::Duration>(
                      std::chrono::duration<float, std::milli>(*elapsed))};
}
