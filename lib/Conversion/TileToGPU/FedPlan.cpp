// How many warp groups share the rows of a fed loop, from their registers and
// the shared memory its tiles take.
#include "FedPlan.h"
#include "FedLoops.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static constexpr int64_t groupRows = 64, groupWarps = 4, groupThreads = 128;

/// Registers of a thread that wait for the tensor cores or are read by them:
/// what all dots make, and the left operands of trailing ones.
static int64_t registersOf(FedLoop &match) {
  auto columnsOf = [](tile::DotOp dot) {
    return dot.getAcc().getType().getDimSize(1);
  };
  int64_t columns = 0;
  for (LeadingDot &dot : match.leading)
    columns += columnsOf(dot.dot);
  for (TrailingDot &dot : match.trailing)
    columns +=
        columnsOf(dot.dot) + dot.dot.getLhs().getType().getDimSize(1) / 2;
  return columns * groupRows / groupThreads;
}

PlanAttr planFedLoop(tile::KernelOp kernel, const target::GpuTarget &target) {
  constexpr int64_t mostGroups = 3, mostGridAxes = 3;
  if (!target.hasTma || !target.hasWgmma ||
      kernel.getGrid().size() > mostGridAxes)
    return {};
  std::optional<FedLoop> match = findFedLoop(kernel);
  if (!match)
    return {};
  int64_t groups = match->getNumRows() / groupRows;
  if (groups > mostGroups)
    return {};
  // What a consumer has once the producer has handed on its share, less what
  // addresses, maxima and sums take.
  constexpr int64_t few = 160, many = 240, others = 32;
  if (registersOf(*match) > (groups == mostGroups ? few : many) - others)
    return {};
  // One stage is multiplied, one is on its way, and as many again where copies
  // may come late.
  constexpr int64_t least = 2, most = 4, reserve = 2048;
  int64_t stages =
      std::min(most, (int64_t(target.sharedBytesPerBlock) - reserve -
                      stagesOfStaying * match->getStayingBytes()) /
                         match->getTripBytes());
  if (stages < least)
    return {};
  constexpr int64_t raster = 8;
  return PlanAttr::get(kernel.getContext(),
                       StringAttr::get(kernel.getContext(), target.name),
                       groups * groupWarps, stages, /*producer=*/true,
                       /*persistent=*/true, raster, /*teams=*/1, /*parts=*/1);
}

} // namespace tilegpt::tilegpu
