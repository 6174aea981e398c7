// The memory layout of a step split into halves: a plan with fewer rows, twice.
#include "TileGPT/Runtime/Cuda/CudaEngine.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::Buffer;
using bundle::BufferKind;
using bundle::Plan;
using bundle::PlanKind;

/// The alignment that threads require of an input that begins a buffer.
static constexpr size_t accessBytes = 16;

/// The plan for half of a step, of the same kind; null if there is none.
const Plan *CudaEngine::planOfHalf(const runtime::Step &step) const {
  const int64_t rows = step.rows / 2;
  const auto plans = bundle.plans();
  const auto found = std::ranges::find_if(plans, [&](const Plan &plan) {
    return plan.kind == step.plan->kind && plan.minRows <= rows &&
           rows <= plan.maxRows && step.sequences / 2 <= plan.maxSequences;
  });
  return found == plans.end() ? nullptr : &*found;
}

/// The arena size of the largest step of any plan and of two halves side by
/// side.
size_t CudaEngine::arenaBytes() const {
  auto bytes = size_t(needs.arenaBytes);
  const auto isHalved = [&](const Plan &half) {
    return std::ranges::any_of(bundle.plans(), [&](const Plan &plan) {
      return plan.kind == half.kind && plan.maxSequences > 1 &&
             2 * half.minRows <= plan.maxRows;
    });
  };
  for (const Plan &plan : bundle.plans())
    if (mayHalve && plan.kind != PlanKind::Sample && isHalved(plan))
      bytes = std::max(
          bytes, 2 * size_t(runtime::alignedBytes(int64_t(plan.arenaBytes))));
  return bytes;
}

/// The halves of a step on its first run; null if it has none or the second
/// half would not be aligned for vector reads.
const StepHalves *CudaEngine::halvesOf(const runtime::Step &step) {
  if (!mayHalve || step.plan->kind == PlanKind::Sample ||
      step.sequences % 2 != 0 || executor.isPrepared(step))
    return nullptr;
  const Plan *const plan = planOfHalf(step);
  if (!plan)
    return nullptr;
  const runtime::Step half{plan, step.rows / 2, step.sequences / 2,
                           step.firstSequence};
  const size_t idBytes = size_t(half.rows) * sizeof(int32_t);
  const size_t positionBytes = size_t(half.sequences) * sizeof(int32_t);
  const auto logitBytes = size_t(runtime::logitsOf(bundle, half).bytes());
  for (const size_t begin : {idBytes, positionBytes, logitBytes})
    if (begin % accessBytes != 0)
      return nullptr;
  const auto bytesOfHalf = [&](runtime::StepData data) {
    return data == runtime::StepData::Ids         ? idBytes
           : data == runtime::StepData::Positions ? positionBytes
                                                  : logitBytes;
  };
  for (const size_t number : {0, 1}) {
    halves.steps[number] = half;
    halves.steps[number].firstSequence += int64_t(number) * half.sequences;
    std::vector<CUdeviceptr> &places = halfAddresses[number];
    places = addresses;
    placeStates(halves.steps[number], places);
    for (uint32_t i = 0; i < plan->buffers.count; ++i) {
      const Buffer &buffer = bundle.buffers(*plan)[i];
      const size_t bytes =
          buffer.kind == BufferKind::Arena
              ? size_t(runtime::alignedBytes(int64_t(plan->arenaBytes)))
              : bytesOfHalf(runtime::stepDataOf(bundle, buffer));
      places[plan->buffers.first + i] += number * bytes;
    }
    halves.addresses[number] = places;
  }
  return &halves;
}
