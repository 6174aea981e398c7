// Which places of a grid are the heavy ones, and a walk that begins with them.
#include "GridWalk.h"
#include "Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Whether a scalar grows with the place of a block along an axis.
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
  if (isa<arith::DivUIOp, arith::CeilDivUIOp>(op))
    return grows(op->getOperand(0));
  return isa<arith::AddIOp, arith::MulIOp, arith::MinUIOp, arith::MinSIOp,
             arith::MaxUIOp, arith::MaxSIOp>(op) &&
         llvm::any_of(op->getOperands(), grows);
}

std::optional<int64_t> findGrowingAxis(tile::KernelOp kernel) {
  std::optional<int64_t> found;
  kernel.walk([&](scf::ForOp loop) {
    for (int64_t axis = kernel.getGrid().size() - 1; axis >= 0; --axis)
      if (growsWith(loop.getUpperBound(), axis))
        found = axis;
  });
  return found;
}

GridWalk makeGridWalk(OpBuilder &builder, Location loc, ArrayRef<Value> sizes,
                      std::optional<int64_t> growing) {
  Arithmetic math(builder, loc);
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  Value tiles = sizes.front();
  for (Value size : sizes.drop_front())
    tiles = math.mul(tiles, size);
  Value worker = WorkerOp::create(builder, loc),
        workers = NumWorkersOp::create(builder, loc);
  // Every other turn goes back.
  auto columnOf = [&](Value turn) -> Value {
    Value back = math.sub(math.sub(workers, 1), worker);
    Value forth = math.isEqual(math.bitAnd(turn, 1), 0);
    return arith::SelectOp::create(builder, loc, forth, worker, back);
  };
  // Of the last turn, which is not for all, some blocks have a part.
  Value whole = math.div(tiles, workers);
  Value hasMore =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                            columnOf(whole), math.rem(tiles, workers));
  Value turns =
      arith::SelectOp::create(builder, loc, hasMore, math.add(whole, 1), whole);
  GridWalk walk;
  walk.loop = scf::ForOp::create(builder, loc, constant(0), turns, constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(walk.loop.getBody());
  Value turn = walk.loop.getInductionVar();
  Value rest = math.add(math.mul(turn, workers), columnOf(turn));
  walk.place.resize(sizes.size());
  SmallVector<int64_t> order;
  for (int64_t axis = 0; axis < int64_t(sizes.size()); ++axis)
    if (axis != growing)
      order.push_back(axis);
  if (growing)
    order.push_back(*growing);
  for (int64_t axis : ArrayRef(order).drop_back()) {
    walk.place[axis] = math.rem(rest, sizes[axis]);
    rest = math.div(rest, sizes[axis]);
  }
  walk.place[order.back()] =
      growing ? math.sub(math.sub(sizes[*growing], 1), rest) : rest;
  return walk;
}

} // namespace tilegpt::tilegpu
