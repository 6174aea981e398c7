// When the consumers of a main loop wait for stages of its rings, and when they
// release them.
#include "Mainloop/MainloopStages.h"

using namespace mlir;

namespace tilegpt::tilegpu {

SmallVector<Value> MainloopStages::awaitNow(IterationState &state,
                                            Value index) {
  for (auto [number, use] : llvm::enumerate(streams.groups))
    if (use.isReadNow)
      AwaitOp::create(rewriter, loc, rings.groups[use.group].barriers,
                      state.places[number]);
  return slotsOf([](const GroupUse &use) { return use.isReadNow; },
                 state.places, index);
}

SmallVector<Value> MainloopStages::awaitDeferred(IterationState &state,
                                                 Value index) {
  SmallVector<Value> places(state.places);
  for (auto [number, use] : llvm::enumerate(streams.groups)) {
    if (!use.isReadNow)
      AwaitOp::create(rewriter, loc, rings.groups[use.group].barriers,
                      state.places[number]);
    else if (use.isReleasedLate)
      places[number] = state.behind[number];
  }
  return slotsOf([](const GroupUse &use) { return use.isReleasedLate; }, places,
                 index);
}

SmallVector<Value>
MainloopStages::slotsOf(function_ref<bool(const GroupUse &)> isWanted,
                        ArrayRef<Value> places, Value index) {
  SmallVector<Value> tiles;
  IRMapping known;
  known.map(loop.getProduceBlock()->getArgument(0), index);
  for (auto [stream, argument] :
       llvm::zip_equal(streams.streams, loop.getStreamArgs())) {
    GroupUse &use = streams.groups[stream.use];
    if (!isWanted(use)) {
      tiles.push_back(Value());
      continue;
    }
    tiles.push_back(rings.groups[use.group].getSlot(rewriter, loc, stream.ring,
                                                    places[stream.use]));
    clearBehindWindow(rewriter, stream.load, tiles.back(), [&](Value value) {
      return cloneIntoIteration(value, known);
    });
    clearBehindColumns(rewriter, argument, tiles.back(),
                       stream.load.hasZerosBehindColumns);
  }
  return tiles;
}

/// A scalar of `produce`, for the consumers.
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
