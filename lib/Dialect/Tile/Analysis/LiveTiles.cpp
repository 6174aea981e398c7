// Live ranges of tiles, weighted by their elements.
#include "TileGPT/Dialect/Tile/Analysis/LiveTiles.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tilegpt::tile {

/// Whether an op branches for each of its elements, so that the code before it
/// and behind it cannot be mixed: quotients and functions of f64.
static bool branchesByElement(Operation *op) {
  auto isWide = [](Type type) { return getElementTypeOrSelf(type).isF64(); };
  return llvm::any_of(op->getResultTypes(), isWide) &&
         (isa<arith::DivFOp, arith::RemFOp>(op) ||
          (isa_and_present<math::MathDialect>(op->getDialect()) &&
           !isa<math::AbsFOp, math::CopySignOp, math::FmaOp>(op)));
}

/// Whether a value passes between elementwise ops, which threads execute
/// element by element.
static bool isPassed(Value value) {
  Operation *op = value.getDefiningOp();
  return op && isElementwise(op) &&
         llvm::all_of(value.getUsers(), [](Operation *user) {
           return isElementwise(user) || isa<StoreOp>(user);
         });
}

/// The elements of a value in registers of 32 bits: none if it is no tile or
/// repeats the elements of others.
static int64_t heldElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() ||
      isa_and_present<arith::ConstantOp, SplatOp, IotaOp, BroadcastOp>(
          value.getDefiningOp()))
    return 0;
  const Type element = type.getElementType();
  const bool isWide =
      element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 64;
  return type.getNumElements() * (isWide ? 2 : 1);
}

/// The most live elements after any op of a block.
static int64_t mostLiveElements(Block &block, const Liveness &liveness) {
  const LivenessBlockInfo *info = liveness.getLiveness(&block);
  llvm::DenseMap<Operation *, int64_t> numbers;
  SmallVector<int64_t> branches; // ascending
  for (Operation &op : block) {
    if (branchesByElement(&op))
      branches.push_back(numbers.size());
    numbers[&op] = numbers.size();
  }
  auto isBranchBetween = [&](int64_t start, int64_t end) {
    auto next = llvm::upper_bound(branches, start);
    return next != branches.end() && *next < end;
  };
  // By how much the sum changes after each op.
  SmallVector<int64_t> changes(numbers.size() + 1);
  auto add = [&](Value value, Operation *start) {
    const int64_t elements = heldElements(value), first = numbers.at(start),
                  end = info->isLiveOut(value)
                            ? int64_t(numbers.size())
                            : numbers.at(info->getEndOperation(value, start));
    if (elements == 0 || (isPassed(value) && !isBranchBetween(first, end)))
      return;
    changes[first] += elements;
    changes[std::max(end, first)] -= elements;
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
