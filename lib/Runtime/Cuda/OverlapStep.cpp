// Runs a step in two halves of its sequences to overlap the collectives of one
// half with the computation of the other.
#include "TileGPT/Runtime/Cuda/Executor.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::Collective;
using runtime::Result;

/// Prepares the halves, and keeps them if the data that one of them sums is
/// large enough.
/// \param status  where the status words of the step begin.
Result<void> Executor::prepareHalves(PreparedStep &step,
                                     const StepHalves &halves,
                                     CUdeviceptr status) {
  if (!collectives || !collectives->canBeCaptured() ||
      mode == LaunchMode::Checked || overlapFrom < 1)
    return {};
  decltype(step.halves) prepared;
  for (size_t half = 0; half < prepared.size(); ++half) {
    if (auto done = prepare(halves.steps[half], halves.addresses[half],
                            status + prepared[0].size() * sizeof(int32_t),
                            prepared[half]);
        !done)
      return done;
  }
  int64_t largest = 0;
  for (const PreparedLaunch &launch : prepared[0])
    if (launch.exchange && launch.exchange->kind == Collective::AllReduce)
      largest =
          std::max(largest, launch.exchange->rows * launch.exchange->columns *
                                byteWidth(launch.exchange->type));
  if (largest < overlapFrom)
    return {};
  if (!exchanges.get()) {
    auto stream = Stream::create(device);
    if (!stream)
      return tl::unexpected(stream.error());
    exchanges = std::move(*stream);
    for (Event *event : {&given[0], &given[1], &come[0], &come[1]}) {
      auto created = Event::create(device, /*timing=*/false);
      if (!created)
        return tl::unexpected(created.error());
      *event = std::move(*created);
    }
  }
  step.halves = std::move(prepared);
  return {};
}

/// Makes subsequent work wait for the collective of a half.
Result<void> Executor::waitForExchange(size_t half) {
  if (!std::exchange(isExchanging[half], false))
    return {};
  return work.wait(come[half]);
}

/// The launches of a half up to its next collective, which runs concurrently.
/// \param next  the first of them; updated to the start of the next segment.
Result<void> Executor::issueSegment(const PreparedStep &step, size_t half,
                                    size_t &next, bool mayOverlap) {
  if (auto done = waitForExchange(half); !done)
    return done;
  const std::vector<PreparedLaunch> &launches = step.halves[half];
  while (next < launches.size()) {
    const PreparedLaunch &launch = launches[next++];
    if (!launch.exchange) {
      if (auto done = issueKernel(step.step, launch, mayOverlap); !done)
        return done;
      continue;
    }
    auto done = work.record(given[half]);
    if (done)
      done = exchanges.wait(given[half]);
    if (done)
      done = issueExchange(*launch.exchange, exchanges);
    if (done)
      done = exchanges.record(come[half]);
    isExchanging[half] = bool(done);
    return done;
  }
  return {};
}

/// Alternates the segments of the halves. Collectives run in their own stream,
/// so all ranks execute them in the same order and one at a time.
Result<void> Executor::issueHalves(const PreparedStep &step, bool mayOverlap) {
  isExchanging = {};
  std::array<size_t, 2> next = {};
  const auto isOver = [&](size_t half) {
    return next[half] == step.halves[half].size();
  };
  while (!isOver(0) || !isOver(1))
    for (const size_t half : {0, 1})
      if (auto done = issueSegment(step, half, next[half], mayOverlap); !done)
        return done;
  // If a step ends with a collective.
  for (const size_t half : {0, 1})
    if (auto done = waitForExchange(half); !done)
      return done;
  return {};
}
