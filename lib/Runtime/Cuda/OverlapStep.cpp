// A step whose sequences are computed in two halves, so that the exchanges of
// one half go on while the other is computed.
#include "TileGPT/Runtime/Cuda/Executor.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::Collective;
using runtime::Result;

/// Prepares the halves, and keeps them where what one of them has summed up is
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

/// Has what follows wait for what a half exchanges.
Result<void> Executor::waitForExchange(size_t half) {
  if (!std::exchange(isExchanging[half], false))
    return {};
  return work.wait(come[half]);
}

/// The launches of a half up to its next exchange, which goes beside them.
/// \param next  the first of them; becomes that of the next segment.
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

/// The halves segment by segment in turn. Exchanges are in a stream of their
/// own, so all ranks make them in the same order and never two at a time.
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
  // Where a step ends in an exchange.
  for (const size_t half : {0, 1})
    if (auto done = waitForExchange(half); !done)
      return done;
  return {};
}
