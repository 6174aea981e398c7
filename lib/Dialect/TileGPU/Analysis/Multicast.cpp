// Dependences of scalars on the block id, and thus what blocks share.
#include "TileGPT/Dialect/TileGPU/Analysis/Multicast.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

using namespace mlir;

namespace tilegpt::tilegpu {

using IsSource = llvm::function_ref<bool(Operation *)>;

static bool dependsOn(Value value, IsSource isSource,
                      llvm::SmallDenseSet<Value> &seen) {
  if (!seen.insert(value).second)
    return false;
  auto depends = [&](ValueRange values) {
    return llvm::any_of(values, [&](Value operand) {
      return dependsOn(operand, isSource, seen);
    });
  };
  Operation *op = value.getDefiningOp();
  if (op && isSource(op))
    return true;
  if (op && op->getNumRegions() == 0)
    return depends(op->getOperands());
  // Of a loop or branch: anything that enters or leaves it, but for induction
  // variables.
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *around = op ? op : argument.getOwner()->getParentOp();
  auto loop = dyn_cast<scf::ForOp>(around);
  if ((loop && value == loop.getInductionVar()) ||
      !isa<scf::ForOp, scf::WhileOp, scf::IfOp>(around))
    return false;
  return depends(around->getOperands()) ||
         llvm::any_of(around->getRegions(), [&](Region &region) {
           return !region.empty() &&
                  depends(region.front().getTerminator()->getOperands());
         });
}

static bool dependsOn(Value value, IsSource isSource) {
  llvm::SmallDenseSet<Value> seen;
  return dependsOn(value, isSource, seen);
}

static auto isPlaceAlong(int64_t axis) {
  return [axis](Operation *op) {
    auto id = dyn_cast<tile::BlockIdOp>(op);
    return id && int64_t(id.getAxis()) == axis;
  };
}

bool dependsOnBlock(Value value, int64_t axis) {
  return dependsOn(value, isPlaceAlong(axis));
}

bool runsInStep(const Mainloop &match, int64_t axis) {
  for (Operation *op = match.loop; op; op = op->getParentOp()) {
    if (isa<scf::WhileOp>(op))
      return false;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      for (Value bound :
           {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
        if (dependsOnBlock(bound, axis))
          return false;
  }
  return true;
}

/// Whether a tile's address does not depend on a source, and its rows can be
/// split into equal parts. These begin anywhere in a swizzle pattern, which
/// follows the address, but TMA writes to multiples of 128 bytes only.
static bool isShared(StreamLoad &stream, int64_t blocks, IsSource isSource) {
  constexpr int64_t unitBytes = 128;
  SharedType buffer = stream.getBufferType();
  int64_t rows = buffer.getShape()[0];
  if (rows % blocks || rows / blocks * buffer.getSwizzle() % unitBytes)
    return false;
  SmallVector<Value> place(stream.load.getIndices());
  place.push_back(stream.root);
  for (ArrayRef<OpFoldResult> parts : stream.start)
    for (OpFoldResult part : parts)
      if (auto value = dyn_cast<Value>(part))
        place.push_back(value);
  return llvm::none_of(place,
                       [&](Value value) { return dependsOn(value, isSource); });
}

bool isSharedAlong(StreamLoad stream, int64_t axis, int64_t blocks) {
  return isShared(stream, blocks, isPlaceAlong(axis));
}

std::optional<int64_t> axisSharedInCluster(StreamLoad stream, PlanAttr plan) {
  for (int64_t axis : {0, 1}) {
    int64_t blocks = plan.getMulticastAlong(axis);
    if (blocks > 1 && isShared(stream, blocks, [axis](Operation *op) {
          auto rank = dyn_cast<ClusterRankOp>(op);
          return rank && rank.getAlong() == axis;
        }))
      return axis;
  }
  return std::nullopt;
}

} // namespace tilegpt::tilegpu
