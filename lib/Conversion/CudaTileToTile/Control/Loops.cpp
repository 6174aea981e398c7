// Lowers loops to `scf.for`, or to `scf.while` with the loop's own test if it
// has one.
#include "ControlLowering.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

/// Whether an unsigned loop is a signed one too.
static bool isSignedToo(ForOp op) {
  auto constantOf = [](Value value) -> std::optional<APInt> {
    DenseIntElementsAttr numbers;
    return matchPattern(value, m_Constant(&numbers))
               ? std::optional(numbers.getSplatValue<APInt>())
               : std::nullopt;
  };
  std::optional<APInt> lower = constantOf(op.getLowerBound()),
                       upper = constantOf(op.getUpperBound()),
                       step = constantOf(op.getStep());
  // A loop that counts from 0 ends at its number of iterations.
  bool counts = lower && lower->isZero() && step && step->isOne();
  return counts || llvm::all_of(ArrayRef({lower, upper, step}),
                                [](const std::optional<APInt> &bound) {
                                  return bound && bound->isNonNegative();
                                });
}

/// The iterations of a loop whose bounds are compared without sign.
static Value countUnsigned(OpBuilder &b, Location loc, Value lower, Value upper,
                           Value step) {
  Value zero =
            arith::ConstantOp::create(b, loc, b.getZeroAttr(lower.getType())),
        isEntered = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt,
                                          upper, lower),
        range = arith::SubIOp::create(b, loc, upper, lower),
        count = arith::CeilDivUIOp::create(b, loc, range, step);
  return arith::SelectOp::create(b, loc, isEntered, count, zero);
}

LogicalResult ControlLowering::lowerFor(ForOp op) {
  const Location loc = op.getLoc();
  const Type index = b.getIndexType();
  Value lower = number(map.lookup(op.getLowerBound())),
        upper = number(map.lookup(op.getUpperBound())),
        step = number(map.lookup(op.getStep()));
  auto asIndex = [&](Value bound) -> Value {
    if (op.getUnsignedCmp())
      return arith::IndexCastUIOp::create(b, loc, index, bound);
    return arith::IndexCastOp::create(b, loc, index, bound);
  };
  // An index may have no more bits than a bound, and its sign counts.
  const bool isCounted = op.getUnsignedCmp() && !isSignedToo(op);
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(b, loc, number);
  };
  auto loop = scf::ForOp::create(
      b, loc, isCounted ? constant(0) : asIndex(lower),
      asIndex(isCounted ? countUnsigned(b, loc, lower, upper, step) : upper),
      isCounted ? constant(1) : asIndex(step), mapped(op.getInitValues()));
  OpBuilder::InsertionGuard guard(b);
  loop.getBody()->clear();
  b.setInsertionPointToStart(loop.getBody());
  Type tile = op.getInductionVar().getType();
  Value counter = arith::IndexCastOp::create(
      b, loc, llvm::cast<TileType>(tile).getElementType(),
      loop.getInductionVar());
  if (isCounted) {
    counter = arith::MulIOp::create(b, loc, counter, step);
    counter = arith::AddIOp::create(b, loc, counter, lower);
  }
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
