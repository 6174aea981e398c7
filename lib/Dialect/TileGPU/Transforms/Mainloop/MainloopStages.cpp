// When the consumers of a main loop wait for the stages of its rings, and when
// they release them.
#include "Mainloop/MainloopStages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

SmallVector<std::pair<StreamUse *, Value>>
MainloopStages::streamsOf(GroupFilter isWanted) const {
  SmallVector<std::pair<StreamUse *, Value>> wanted;
  MainloopOp op = loop;
  for (auto [stream, argument] :
       llvm::zip_equal(streams.streams, op.getStreamArgs()))
    if (isWanted(streams.groups[stream.use]))
      wanted.push_back({&stream, argument});
  return wanted;
}

bool MainloopStages::canProbe(const GroupUse &use) const {
  return llvm::none_of(
      streamsOf([&](const GroupUse &other) { return &other == &use; }),
      [](auto &stream) {
        return needsClearedColumns(stream.second,
                                   stream.first->load.hasZerosBehindColumns);
      });
}

Value MainloopStages::probe(GroupFilter isWanted, ArrayRef<Value> places,
                            Value index) {
  Value isLate = arith::ConstantIntOp::create(rewriter, loc, 0, /*width=*/1),
        isTrue = arith::ConstantIntOp::create(rewriter, loc, 1, /*width=*/1);
  auto add = [&](Value condition) {
    isLate = arith::OrIOp::create(rewriter, loc, isLate, condition);
  };
  for (auto [number, use] : llvm::enumerate(streams.groups))
    if (isWanted(use))
      add(arith::XOrIOp::create(
          rewriter, loc,
          ProbeOp::create(rewriter, loc, rings.groups[use.group].barriers,
                          places[number]),
          isTrue));
  IRMapping known;
  known.map(loop.getProduceBlock()->getArgument(0), index);
  for (auto [stream, argument] : streamsOf(isWanted))
    if (Value rows = rowsInWindow(rewriter, stream->load, [&](Value value) {
          return cloneIntoIteration(value, known);
        }))
      add(arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::slt, rows,
          arith::ConstantIndexOp::create(
              rewriter, loc, stream->load.load.getType().getDimSize(0))));
  return isLate;
}

SmallVector<Value> MainloopStages::getNow(const IterationState &state) {
  return slotsOf([](const GroupUse &use) { return use.isReadNow; },
                 state.places);
}

SmallVector<Value> MainloopStages::getDeferred(const IterationState &state) {
  SmallVector<Value> places(state.places);
  for (auto [number, use] : llvm::enumerate(streams.groups))
    if (use.isReadNow && use.isReleasedLate)
      places[number] = state.behind[number];
  return slotsOf([](const GroupUse &use) { return use.isReleasedLate; },
                 places);
}

void MainloopStages::await(GroupFilter isWanted, ArrayRef<Value> places,
                           Value index) {
  for (auto [number, use] : llvm::enumerate(streams.groups))
    if (isWanted(use))
      AwaitOp::create(rewriter, loc, rings.groups[use.group].barriers,
                      places[number]);
  IRMapping known;
  known.map(loop.getProduceBlock()->getArgument(0), index);
  for (auto [stream, argument, slot] : llvm::zip_equal(
           streams.streams, loop.getStreamArgs(), slotsOf(isWanted, places))) {
    if (!slot)
      continue;
    clearBehindWindow(rewriter, stream.load, slot, [&](Value value) {
      return cloneIntoIteration(value, known);
    });
    clearBehindColumns(rewriter, argument, slot,
                       stream.load.hasZerosBehindColumns);
  }
}

SmallVector<Value> MainloopStages::slotsOf(GroupFilter isWanted,
                                           ArrayRef<Value> places) {
  SmallVector<Value> tiles;
  for (StreamUse &stream : streams.streams) {
    GroupUse &use = streams.groups[stream.use];
    tiles.push_back(isWanted(use)
                        ? rings.groups[use.group].getSlot(
                              rewriter, loc, stream.ring, places[stream.use])
                        : Value());
  }
  return tiles;
}

/// Clones a scalar of `produce` into the consumers.
Value MainloopStages::cloneIntoIteration(Value value, IRMapping &known) {
  if (Value copy = known.lookupOrNull(value))
    return copy;
  Operation *op = value.getDefiningOp();
  if (!op || !loop->isAncestor(op))
    return value;
  for (Value operand : op->getOperands())
    cloneIntoIteration(operand, known);
  rewriter.clone(*op, known);
  return known.lookup(value);
}

void MainloopStages::release(GroupUse &use, Value &place) {
  ReleaseOp::create(rewriter, loc, rings.groups[use.group].barriers, place);
  place = AdvanceOp::create(rewriter, loc, place);
}

void MainloopStages::releaseLate(IterationState &state) {
  for (auto [number, use] : llvm::enumerate(streams.groups))
    if (use.isReleasedLate && use.isReadNow)
      ReleaseOp::create(rewriter, loc, rings.groups[use.group].barriers,
                        state.behind[number]);
}

SmallVector<Value> MainloopStages::passBy(ValueRange places) {
  SmallVector<Value> next;
  for (auto [use, place] : llvm::zip_equal(streams.groups, places)) {
    Value barriers = rings.groups[use.group].barriers;
    AwaitOp::create(rewriter, loc, barriers, place);
    ReleaseOp::create(rewriter, loc, barriers, place);
    next.push_back(AdvanceOp::create(rewriter, loc, place));
  }
  return next;
}

} // namespace tilegpt::tilegpu
