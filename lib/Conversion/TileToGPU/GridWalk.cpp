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

namespace {
/// Writes the walk.
class Walker {
public:
  Walker(OpBuilder &builder, Location loc, ArrayRef<Value> sizes,
         std::optional<int64_t> growing)
      : builder(builder), math(builder, loc), loc(loc), sizes(sizes),
        growing(growing), last(growing ? sizes[*growing] : constant(1)),
        across(constant(1)), worker(WorkerOp::create(builder, loc)),
        workers(NumWorkersOp::create(builder, loc)) {
    for (auto [axis, size] : llvm::enumerate(sizes))
      if (int64_t(axis) != growing) {
        order.push_back(axis);
        across = math.mul(across, size);
      }
  }

  /// All places as one band.
  GridWalk walk() {
    return walkBand(constant(0), across, /*firstTurn=*/constant(0));
  }

  /// Band after band.
  GridWalk walk(int64_t band) {
    Value bands = math.div(math.add(across, band - 1), band);
    Value most = math.mul(last, band);
    Value turns = math.div(math.add(most, math.sub(workers, 1)), workers);
    auto loop =
        scf::ForOp::create(builder, loc, constant(0), bands, constant(1));
    loop->setAttr(gridBandsName, builder.getUnitAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value number = loop.getInductionVar(), first = math.mul(number, band);
    return walkBand(first, math.min(math.sub(across, first), band),
                    math.mul(number, turns));
  }

private:
  Value constant(int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }

  /// Every other turn goes back.
  Value columnOf(Value turn) {
    Value back = math.sub(math.sub(workers, 1), worker);
    Value forth = math.isEqual(math.bitAnd(turn, 1), 0);
    return arith::SelectOp::create(builder, loc, forth, worker, back);
  }

  GridWalk walkBand(Value first, Value width, Value firstTurn) {
    // Of the last turn, which is not for all, some blocks have a part.
    Value tiles = math.mul(width, last), whole = math.div(tiles, workers);
    Value hasMore = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult,
        columnOf(math.add(firstTurn, whole)), math.rem(tiles, workers));
    Value turns = arith::SelectOp::create(builder, loc, hasMore,
                                          math.add(whole, 1), whole);
    GridWalk walk;
    walk.loop =
        scf::ForOp::create(builder, loc, constant(0), turns, constant(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(walk.loop.getBody());
    Value turn = walk.loop.getInductionVar();
    Value tile =
        math.add(math.mul(turn, workers), columnOf(math.add(firstTurn, turn)));
    walk.place.resize(sizes.size());
    if (growing)
      walk.place[*growing] = math.sub(math.sub(last, 1), math.div(tile, width));
    Value rest = math.add(first, growing ? math.rem(tile, width) : tile);
    for (int64_t axis : ArrayRef(order).drop_back()) {
      walk.place[axis] = math.rem(rest, sizes[axis]);
      rest = math.div(rest, sizes[axis]);
    }
    if (!order.empty())
      walk.place[order.back()] = rest;
    return walk;
  }

  OpBuilder &builder;
  Arithmetic math;
  Location loc;
  ArrayRef<Value> sizes;
  std::optional<int64_t> growing;
  SmallVector<int64_t> order; ///< of the other axes, the fastest first
  Value last;                 ///< size of the growing axis
  Value across;               ///< places of the other axes
  Value worker, workers;
};
} // namespace

GridWalk makeGridWalk(OpBuilder &builder, Location loc, ArrayRef<Value> sizes,
                      std::optional<int64_t> growing, int64_t band) {
  Walker walker(builder, loc, sizes, growing);
  return band > 0 ? walker.walk(band) : walker.walk();
}

} // namespace tilegpt::tilegpu
