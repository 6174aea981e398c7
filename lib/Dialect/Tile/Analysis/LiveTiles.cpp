// Live ranges of tiles, weighted by their elements.
#include "TileGPT/Dialect/Tile/Analysis/LiveTiles.h"
#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/OpDefinition.h"

using namespace mlir;

namespace tilegpt::tile {

/// Whether an op makes each element of its results of the same element of its
/// operands.
static bool isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) || isa<CastOp>(op);
}

/// The elements of a value in registers: none if it is no tile, repeats the
/// elements of others, or passes between elementwise ops, which threads execute
/// element by element.
static int64_t heldElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  Operation *op = value.getDefiningOp();
  if (!type || !type.hasStaticShape() ||
      isa_and_present<arith::ConstantOp, SplatOp, IotaOp, BroadcastOp>(op))
    return 0;
  bool isPassed = op && isElementwise(op) &&
                  llvm::all_of(value.getUsers(), [](Operation *user) {
                    return isElementwise(user) || isa<StoreOp>(user);
                  });
  return isPassed ? 0 : type.getNumElements();
}

/// The most live elements after any op of a block.
static int64_t mostLiveElements(Block &block, const Liveness &liveness) {
  const LivenessBlockInfo *info = liveness.getLiveness(&block);
  llvm::DenseMap<Operation *, int64_t> numbers;
  for (Operation &op : block)
    numbers[&op] = numbers.size();
  // By how much the sum changes after each op.
  SmallVector<int64_t> changes(numbers.size() + 1);
  auto add = [&](Value value, Operation *start) {
    int64_t elements = heldElements(value);
    if (elements == 0)
      return;
    int64_t end = info->isLiveOut(value)
                      ? int64_t(numbers.size())
                      : numbers.at(info->getEndOperation(value, start));
    changes[numbers.at(start)] += elements;
    changes[std::max(end, numbers.at(start))] -= elements;
  };
  for (Value value : info->in())
    add(value, &block.front());
  for (Value value : block.getArguments())
    add(value, &block.front());
  for (Operation &op : block)
    for (Value value : op.getResults())
      add(value, &op);
  int64_t live = 0, most = 0;
  for (int64_t change : changes) {
    live += change;
    most = std::max(most, live);
  }
  return most;
}

int64_t mostLiveElements(KernelOp kernel) {
  Liveness liveness(kernel);
  int64_t most = 0;
  kernel.walk([&](Block *block) {
    if (!block->empty() && !isa<ReduceOp, ScanOp>(block->getParentOp()))
      most = std::max(most, mostLiveElements(*block, liveness));
  });
  return most;
}

} // namespace tilegpt::tile
