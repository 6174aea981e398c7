// How many warp groups share the rows of a fed loop, from their registers and
// the shared memory its tiles take.
#include "Plan/FedPlan.h"
#include "TileGPT/Dialect/TileGPU/Analysis/FedLoops.h"

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

/// Bytes of all windows of a load; nothing where a size is not known.
static std::optional<int64_t> windowBytes(WindowLoad &load) {
  auto view = cast<tile::ViewType>(load.root.getType());
  ArrayRef<int64_t> shape = view.getShape().take_back(2);
  if (ShapedType::isDynamic(shape[0]) || ShapedType::isDynamic(shape[1]))
    return std::nullopt;
  return shape[0] * shape[1] * view.getElementType().getIntOrFloatBitWidth() /
         8;
}

/// Places of the grid with right operands of their own that walk together: as
/// many as have these in a part of the L2 cache.
static int64_t countTogether(FedLoop &match) {
  constexpr int64_t share = int64_t(16) << 20, unknown = 32;
  int64_t bytes = 0;
  auto add = [&](auto &dot) {
    std::optional<int64_t> window = windowBytes(dot.rhs);
    bytes += window.value_or(0);
    return window.has_value();
  };
  bool isKnown =
      llvm::all_of(match.leading, add) && llvm::all_of(match.trailing, add);
  return isKnown ? std::max<int64_t>(1, share / bytes) : unknown;
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
      /*persistent=*/true, countTogether(*match), /*teams=*/1, /*parts=*/1,
      /*blocks=*/0);
}

} // namespace tilegpt::tilegpu
