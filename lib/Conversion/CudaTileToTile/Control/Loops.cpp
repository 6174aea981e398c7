// Lowers loops to `scf.for`, or to `scf.while` with the loop's own test if it
// has one.
#include "ControlLowering.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

LogicalResult ControlLowering::lowerFor(ForOp op) {
  const Location loc = op.getLoc();
  const Type index = b.getIndexType();
  // Bounds of any integer type fit an index, and so does the induction
  // variable.
  auto bound = [&](Value value) -> Value {
    Value integer = number(map.lookup(value));
    if (op.getUnsignedCmp())
      return arith::IndexCastUIOp::create(b, loc, index, integer);
    return arith::IndexCastOp::create(b, loc, index, integer);
  };
  Value lower = bound(op.getLowerBound()), upper = bound(op.getUpperBound()),
        step = bound(op.getStep());
  auto loop = scf::ForOp::create(b, loc, lower, upper, step,
                                 mapped(op.getInitValues()));
  OpBuilder::InsertionGuard guard(b);
  loop.getBody()->clear();
  b.setInsertionPointToStart(loop.getBody());
  Type tile = op.getInductionVar().getType();
  Value counter = arith::IndexCastOp::create(
      b, loc, llvm::cast<TileType>(tile).getElementType(),
      loop.getInductionVar());
  map.map(op.getInductionVar(), cast(loc, tile, counter));
  for (auto [from, to] :
       llvm::zip(op.getIterValues(), loop.getRegionIterArgs()))
    map.map(from, to);
  FailureOr<Outcome> outcome = lowerBlock(op.getRegion());
  if (failed(outcome))
    return failure();
  scf::YieldOp::create(b, loc, outcome->values[Way::Continue]);
  bind(op.getResults(), loop.getResults());
  return success();
}

/// Adds a block to a region of a loop.
static Block *addBlock(OpBuilder &b, Region &region, TypeRange types,
                       Location loc) {
  return b.createBlock(&region, region.end(), types,
                       SmallVector<Location>(types.size(), loc));
}

FailureOr<Outcome> ControlLowering::lowerLoop(LoopOp op) {
  FailureOr<bool> tested = lowerTestedLoop(op);
  if (failed(tested))
    return failure();
  Outcome left;
  left.ways = waysOf(op);
  if (*tested) {
    left.values[Way::Yield] = mapped(op.getResults());
    return left;
  }
  // The whole body goes before the condition of the `scf.while`.
  const Location loc = op.getLoc();
  SmallVector<Value> inits = mapped(op.getInitValues());
  SmallVector<Type> carried(ValueRange(inits).getTypes());
  // Assume both exits, which most loops have.
  Ways inside = {{Way::Continue, carried},
                 {Way::Break, SmallVector<Type>(op.getResultTypes())}};
  if (left.ways.count(Way::Return))
    inside[Way::Return] = {};
  // The condition is whether the loop continues; another flag tells `break`
  // from `return`.
  const size_t flags = inside.size() - 2;
  SmallVector<Type> types(flags, b.getI1Type());
  llvm::append_range(types, carried);
  llvm::append_range(types, op.getResultTypes());
  auto loop = scf::WhileOp::create(b, loc, types, inits);
  OpBuilder::InsertionGuard guard(b);
  Block *before = addBlock(b, loop.getBefore(), carried, loc);
  bind(op.getRegion().getArguments(), before->getArguments());
  FailureOr<Outcome> outcome = lowerBlock(op.getRegion());
  if (failed(outcome))
    return failure();
  SmallVector<Value> values = flatten(loc, *outcome, inside);
  scf::ConditionOp::create(b, loc, values.front(),
                           ArrayRef<Value>(values).drop_front());
  Block *after = addBlock(b, loop.getAfter(), types, loc);
  scf::YieldOp::create(b, loc,
                       after->getArguments().slice(flags, carried.size()));
  SmallVector<Value> results(loop.getResults());
  if (left.ways.size() > 1)
    left.flags.assign(results.begin(), results.begin() + flags);
  left.values[Way::Yield] =
      llvm::to_vector(llvm::drop_begin(results, flags + carried.size()));
  return left;
}

/// Lowers a loop that exits at a test: ops before it, the test, ops after it.
/// \returns whether it is such a loop.
FailureOr<bool> ControlLowering::lowerTestedLoop(LoopOp op) {
  IfOp test = findTest(op);
  if (!test)
    return false;
  const Location loc = op.getLoc();
  Block &body = op.getRegion().front();
  const bool leavesThen = !test.getThenRegion().empty() &&
                          isa<BreakOp>(test.getThenRegion().front().front());
  Region &leaving = leavesThen ? test.getThenRegion() : test.getElseRegion();
  Region &staying = leavesThen ? test.getElseRegion() : test.getThenRegion();
  // Values before the test that are used after it. Views cannot be
  // loop-carried.
  SmallVector<Value> carried(op.getRegion().getArguments()), shared;
  for (Operation &one : llvm::make_range(body.begin(), test->getIterator()))
    for (Value value : one.getResults()) {
      const bool isUsed = llvm::any_of(value.getUsers(), [&](Operation *user) {
        Operation *place = body.findAncestorOpInBlock(*user);
        return place == test ? staying.isAncestor(user->getParentRegion())
                             : test->isBeforeInBlock(place);
      });
      if (isUsed && isa<TensorViewType, TileView>(value.getType()))
        return false;
      if (isUsed)
        shared.push_back(value);
    }
  SmallVector<Value> passed = carried;
  llvm::append_range(passed, shared);
  SmallVector<Type> types(ValueRange(passed).getTypes());
  const size_t results = types.size();
  llvm::append_range(types, op.getResultTypes());
  SmallVector<Value> inits = mapped(op.getInitValues());
  auto loop = scf::WhileOp::create(b, loc, types, inits);
  OpBuilder::InsertionGuard guard(b);
  Block *before =
      addBlock(b, loop.getBefore(), ValueRange(inits).getTypes(), loc);
  bind(op.getRegion().getArguments(), before->getArguments());
  for (Operation &one : llvm::make_range(body.begin(), test->getIterator()))
    if (failed(lowerOp(one)))
      return failure();
  Value stays = number(map.lookup(test.getCondition()));
  if (leavesThen)
    stays = arith::XOrIOp::create(b, loc, stays, truth(loc, true));
  SmallVector<Value> values = mapped(passed);
  llvm::append_range(values, mapped(leaving.front().front().getOperands()));
  scf::ConditionOp::create(b, loc, stays, values);
  Block *after = addBlock(b, loop.getAfter(), types, loc);
  bind(passed, after->getArguments().take_front(results));
  FailureOr<Outcome> outcome = lowerBlock(staying);
  if (succeeded(outcome))
    outcome = goOn(std::move(*outcome), test);
  if (failed(outcome))
    return failure();
  scf::YieldOp::create(b, loc, outcome->values[Way::Continue]);
  bind(op.getResults(), loop.getResults().drop_front(results));
  return true;
}

} // namespace tilegpt::cuda_tile
