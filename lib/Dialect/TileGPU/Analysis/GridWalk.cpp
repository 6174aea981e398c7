// Finds which tiles of a grid are expensive and which share operands, and
// derives the traversal order.
#include "TileGPT/Dialect/TileGPU/Analysis/GridWalk.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Multicast.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Whether a scalar grows with the block id along an axis.
static bool growsWith(Value value, int64_t axis) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto id = dyn_cast<tile::BlockIdOp>(op))
    return int64_t(id.getAxis()) == axis;
  auto grows = [&](Value operand) { return growsWith(operand, axis); };
  if (auto count = dyn_cast<tile::NumTilesOp>(op)) {
    auto window = count.getView().getDefiningOp<tile::SubviewOp>();
    return window && llvm::any_of(window.getSizes(), grows);
  }
  if (isa<arith::DivUIOp, arith::CeilDivUIOp, arith::IndexCastOp>(op))
    return grows(op->getOperand(0));
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return grows(choice.getTrueValue()) || grows(choice.getFalseValue());
  return isa<arith::AddIOp, arith::MulIOp, arith::MinUIOp, arith::MinSIOp,
             arith::MaxUIOp, arith::MaxSIOp>(op) &&
         llvm::any_of(op->getOperands(), grows);
}

/// The axis of the grid along which the work of blocks grows: that of a loop's
/// trip count.
static std::optional<int64_t> findGrowingAxis(tile::KernelOp kernel) {
  std::optional<int64_t> found;
  auto look = [&](Value end) {
    for (int64_t axis = int64_t(kernel.getGridRank()) - 1; axis >= 0; --axis)
      if (growsWith(end, axis))
        found = axis;
  };
  kernel.walk([&](scf::ForOp loop) { look(loop.getUpperBound()); });
  kernel.walk([&](MainloopOp loop) { look(loop.getUpperBound()); });
  return found;
}

static bool beginsElsewhere(const StreamLoad &load, int64_t axis) {
  return llvm::any_of(load.start, [&](ArrayRef<OpFoldResult> parts) {
    return llvm::any_of(parts, [&](OpFoldResult part) {
      auto value = dyn_cast<Value>(part);
      return value && dependsOnBlock(value, axis);
    });
  });
}

/// The axis along which blocks stream the same tiles.
static std::optional<int64_t> findSharingAxis(ArrayRef<MainloopOp> loops,
                                              int64_t axes) {
  SmallVector<StreamLoad> loads;
  for (MainloopOp loop : loops)
    for (Value stream : loop.getStreams())
      loads.push_back(*matchStream(stream.getDefiningOp<tile::LoadOp>()));
  for (int64_t axis = 0; axis < axes; ++axis)
    if (llvm::none_of(loads, [&](const StreamLoad &load) {
          return beginsElsewhere(load, axis);
        }))
      return axis;
  return std::nullopt;
}

GridOrder findGridOrder(tile::KernelOp kernel) {
  GridOrder order;
  std::optional<int64_t> growing = findGrowingAxis(kernel);
  order.slow = growing;
  SmallVector<MainloopOp> loops;
  kernel.walk([&](MainloopOp loop) {
    if (alternates(loop))
      loops.push_back(loop);
  });
  if (!loops.empty()) {
    std::optional<int64_t> sharing =
        findSharingAxis(loops, kernel.getGridRank());
    if (!growing)
      order.slow = sharing;
    if (order.slow && order.slow == sharing)
      order.band = PlanAttr::of(kernel).getRaster();
  }
  order.fromEnd = growing.has_value();
  return order;
}

GridWalk makeGridWalk(OpBuilder &builder, Location loc, ArrayRef<Value> sizes,
                      GridOrder order) {
  Arithmetic math(builder, loc);
  Value slow = order.slow ? sizes[*order.slow] : Value(), others;
  SmallVector<int64_t> fast;
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (int64_t(axis) != order.slow) {
      fast.push_back(axis);
      others = others ? math.mul(others, size) : size;
    }
  if (!others)
    others = arith::ConstantIndexOp::create(builder, loc, 1);
  GridWalk walk;
  walk.loop = scf::ForOp::create(builder, loc, WorkerOp::create(builder, loc),
                                 slow ? math.mul(others, slow) : others,
                                 NumWorkersOp::create(builder, loc));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(walk.loop.getBody());
  walk.place.resize(sizes.size());
  Value rest = walk.loop.getInductionVar();
  if (slow) {
    Value first, width = others;
    if (order.band) {
      Value places = math.mul(slow, order.band);
      first = math.mul(math.div(rest, places), order.band);
      width = math.min(math.sub(others, first), order.band);
      rest = math.rem(rest, places);
    }
    Value rank = math.div(rest, width);
    walk.place[*order.slow] =
        order.fromEnd ? math.sub(math.sub(slow, 1), rank) : rank;
    rest = math.rem(rest, width);
    if (first)
      rest = math.add(first, rest);
  }
  for (auto [number, axis] : llvm::enumerate(fast)) {
    bool isLast = number + 1 == fast.size();
    walk.place[axis] = isLast ? rest : math.rem(rest, sizes[axis]);
    if (!isLast)
      rest = math.div(rest, sizes[axis]);
  }
  return walk;
}

} // namespace tilegpt::tilegpu
