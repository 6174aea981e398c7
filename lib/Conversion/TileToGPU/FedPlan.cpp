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

/// Bytes that the windows of a load have at most, each one of its own.
static int64_t windowBytes(WindowLoad &load) {
  auto view = cast<tile::ViewType>(load.root.getType());
  ArrayRef<int64_t> shape = view.getShape().take_back(2);
  return ShapedType::isDynamic(shape[0]) || ShapedType::isDynamic(shape[1])
             ? 0
             : shape[0] * shape[1] *
                   view.getElementType().getIntOrFloatBitWidth() / 8;
}

/// Places of the grid that share nothing with each other and walk together, so
/// that what they read again and again stays in the L2 cache; 0 for all, where
/// these are not much more than fits it.
static int64_t bandOf(tile::KernelOp kernel, FedLoop &match) {
  constexpr int64_t most = int64_t(64) << 20, share = int64_t(16) << 20;
  int64_t bytes = 0, total = 0;
  auto add = [&](WindowLoad &load) {
    int64_t window = windowBytes(load);
    bytes += window;
    auto view = cast<tile::ViewType>(load.root.getType());
    int64_t count = 1;
    for (int64_t size : view.getShape().drop_back(2))
      count *= ShapedType::isDynamic(size) ? 1 : size;
    total += window * count;
  };
  for (LeadingDot &dot : match.leading)
    add(dot.rhs);
  for (TrailingDot &dot : match.trailing)
    add(dot.rhs);
  return total > most && bytes > 0 ? std::max<int64_t>(1, share / bytes) : 0;
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
  return PlanAttr::get(
      kernel.getContext(), StringAttr::get(kernel.getContext(), target.name),
      groups * groupWarps, stages, /*producer=*/true,
      /*persistent=*/true, bandOf(kernel, *match), /*teams=*/1);
}

} // namespace tilegpt::tilegpu
