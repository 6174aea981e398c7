// One iteration of a main loop on the consumers: when its dots start and
// finish, and thus when stages are waited for and released.
#include "Mainloop/MainloopIteration.h"
#include "Mainloop/ConsumerLoads.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

IterationWriter::IterationWriter(IRRewriter &rewriter, KernelRings &rings,
                                 LoopRings &streams, const IRMapping &slots)
    : rewriter(rewriter), streams(streams), loop(streams.loop),
      body(*loop.getConsumeBlock()), dots(rewriter, loop, slots),
      schedule(loop, dots), stages(rewriter, rings, streams),
      loc(loop.getLoc()) {
  PlanAttr plan = PlanAttr::of(loop->getParentOfType<tile::KernelOp>());
  // Three warp groups have no registers to spare, and hide each other's waits.
  constexpr int64_t mostWarps = 8;
  probesAhead = !schedule.deferred.empty() && plan &&
                plan.getWarps() <= mostWarps &&
                llvm::all_of(streams.groups, [&](const GroupUse &use) {
                  return use.isReadNow || stages.canProbe(use);
                });
}

IterationState IterationWriter::write(IterationState state, Value counter,
                                      bool isFirst) {
  dots.beginIteration();
  Value index = iterationAt(counter);
  IRMapping known;
  known.map(loop.getIterationArg(), index);
  loadBeforeWaits(rewriter, loop, known);
  awaitStart(state, counter, isFirst);
  SmallVector<Value> now = stages.getNow(state), before;
  if (!isFirst && !schedule.deferred.empty())
    before = stages.getDeferred(state);
  SmallVector<Value> places(state.places);

  // Issue the dots.
  for (auto [argument, tile] :
       llvm::zip_equal(loop.getResidentArgs(), loop.getResidents()))
    known.map(argument, tile);
  for (auto [argument, value] :
       llvm::zip_equal(loop.getRegionIterArgs(), state.carried))
    known.map(argument, value);
  if (!schedule.deferred.empty())
    TakeGroupTurnOp::create(rewriter, loc);
  for (tile::DotOp dot : schedule.inFlight)
    known.map(dot.getResult(), startDot(dot, now, known, isFirst));
  SmallVector<Value> pending, pendingDeferred;
  bool deferredFirst = !schedule.ofSums.empty();
  auto startBefore = [&] {
    if (!isFirst && !schedule.deferred.empty())
      pendingDeferred = startDeferred(state, before);
  };
  if (deferredFirst) {
    startBefore();
    compute(known, now, isFirst,
            [&](Operation &op) { return schedule.ofSums.contains(&op); });
  }
  for (tile::DotOp dot : schedule.leading)
    pending.push_back(startDot(dot, now, known, /*isFirst=*/false));
  if (!deferredFirst)
    startBefore();
  if (!schedule.deferred.empty())
    PassGroupTurnOp::create(rewriter, loc);

  // Wait for the dots in flight.
  if (!isFirst && !schedule.inFlight.empty()) {
    LimitDotsOp::create(rewriter, loc, schedule.inFlight.size());
    stages.releaseLate(state);
  }
  if (deferredFirst && !pendingDeferred.empty()) {
    finishDeferredInto(state, pendingDeferred, known, pending.size());
    pendingDeferred.clear();
  }
  int64_t later = pending.size() + pendingDeferred.size();
  for (auto [dot, started] : llvm::zip_equal(schedule.leading, pending))
    known.map(dot.getResult(),
              FinishDotOp::create(rewriter, loc, started, Value(), --later));
  SmallVector<bool> isHeld(streams.groups.size(), false);
  for (auto [number, use] : llvm::enumerate(streams.groups))
    if (use.isReadNow && !use.isReleasedLate) {
      isHeld[number] = use.isComputedWith && !isReadForSums(number);
      if (!isHeld[number])
        stages.release(use, state.places[number]);
    }
  if (!pendingDeferred.empty() && schedule.finishesFirst)
    finishDeferredInto(state, pendingDeferred, known);

  // Probe late: more stages have arrived by then.
  Value isLate = probesAhead ? probeNext(places, counter, isFirst) : Value();

  // Compute on the results.
  auto isReader = [&](Operation &op) { return schedule.readers.contains(&op); };
  compute(known, now, isFirst, [&](Operation &op) {
    return !isReader(op) && !schedule.ofSums.contains(&op) &&
           !(schedule.trailing && schedule.ofLeft.contains(&op));
  });
  if (!pendingDeferred.empty() && !schedule.finishesFirst)
    finishDeferredInto(state, pendingDeferred, known);
  compute(known, now, isFirst, isReader);
  Value sum = schedule.trailing
                  ? state.carried[*yieldedAs(schedule.trailing.getResult())]
                  : Value();
  if (schedule.trailing) {
    if (!isFirst)
      sum = finishTrailing(state);
    // Registers that the dot in flight reads are written after it has finished.
    compute(known, now, isFirst,
            [&](Operation &op) { return schedule.ofLeft.contains(&op); });
  }
  for (auto [number, held] : llvm::enumerate(isHeld))
    if (held)
      stages.release(streams.groups[number], state.places[number]);
  if (schedule.trailing)
    known.map(schedule.trailing.getResult(),
              startTrailing(state, sum, now, known));
  IterationState next = handOn(state, places, known);
  if (isLate)
    next.isLate = {isLate};
  return next;
}

Value IterationWriter::finishTrailing(IterationState &state) {
  if (!schedule.trailing)
    return {};
  Value &sum = state.carried[*yieldedAs(schedule.trailing.getResult())];
  sum = FinishDotOp::create(rewriter, loc, sum, state.packed.front(),
                            /*later=*/0);
  return sum;
}

/// Issues this iteration's trailing dot once the previous one, whose operands
/// are about to be overwritten, has finished.
Value IterationWriter::startTrailing(IterationState &state, Value sum,
                                     ArrayRef<Value> now, IRMapping &known) {
  dots.stageOperands(schedule.trailing, known);
  Value left = dots.bufferOf(schedule.trailing.getLhs(), now);
  state.packed.assign(
      1, left ? Value()
              : dots.pack(known.lookupOrDefault(schedule.trailing.getLhs()),
                          schedule.trailing.getLhs().getType()));
  return dots.start(schedule.trailing, left ? left : state.packed.front(),
                    dots.bufferOf(schedule.trailing.getRhs(), now),
                    isZeroTile(sum) ? Value() : sum);
}

void IterationWriter::writeLastDeferred(IterationState &state, Value end) {
  if (schedule.deferred.empty())
    return;
  awaitDeferred(state, end);
  SmallVector<Value> tiles = stages.getDeferred(state);
  TakeGroupTurnOp::create(rewriter, loc);
  SmallVector<Value> pending = startDeferred(state, tiles);
  PassGroupTurnOp::create(rewriter, loc);
  finishDeferred(state, pending);
}

SmallVector<Value> IterationWriter::passBy(ValueRange places) {
  TakeGroupTurnOp::create(rewriter, loc);
  PassGroupTurnOp::create(rewriter, loc);
  return stages.passBy(places);
}

/// Waits for the stages that an iteration starts with, conditionally if the
/// previous iteration has probed them.
void IterationWriter::awaitStart(const IterationState &state, Value counter,
                                 bool isFirst) {
  Value index = iterationAt(counter);
  stages.await(
      [&](const GroupUse &use) {
        return use.isReadNow && (isFirst || !isProbed(use));
      },
      state.places, index);
  if (isFirst || schedule.deferred.empty())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  if (!state.isLate.empty()) {
    auto branch = scf::IfOp::create(rewriter, loc, state.isLate.front());
    rewriter.setInsertionPointToStart(branch.thenBlock());
  }
  awaitDeferred(state, counter);
  stages.await(
      [&](const GroupUse &use) { return use.isReadNow && isProbed(use); },
      state.places, index);
}

/// Waits for stages that only the previous iteration's deferred dots read.
void IterationWriter::awaitDeferred(const IterationState &state,
                                    Value counter) {
  Value before = arith::SubIOp::create(rewriter, loc, counter, loop.getStep());
  stages.await([](const GroupUse &use) { return !use.isReadNow; }, state.places,
               iterationAt(before));
}

bool IterationWriter::handsOnRegisters() {
  return !schedule.deferred.empty() && schedule.leading.empty() &&
         schedule.inFlight.empty() &&
         llvm::none_of(schedule.deferred, [&](tile::DotOp dot) {
           return dots.isCopied(dot.getLhs());
         });
}

/// Probes the next iteration's first stages while the dots of this one run, and
/// returns whether it must wait.
Value IterationWriter::probeNext(ArrayRef<Value> places, Value counter,
                                 bool isFirst) {
  SmallVector<Value> ahead(places);
  // Stages that the previous iteration's deferred dots read are not released
  // yet.
  for (auto [use, place] : llvm::zip_equal(streams.groups, ahead))
    if (use.isReadNow || !isFirst)
      place = AdvanceOp::create(rewriter, loc, place);
  Value next = arith::AddIOp::create(rewriter, loc, counter, loop.getStep());
  Value isLate =
      stages.probe([](const GroupUse &use) { return !use.isReadNow; }, ahead,
                   iterationAt(counter));
  return arith::OrIOp::create(
      rewriter, loc, isLate,
      stages.probe(
          [&](const GroupUse &use) { return use.isReadNow && isProbed(use); },
          ahead, iterationAt(next)));
}

Value IterationWriter::iterationAt(Value counter) {
  return tilegpu::iterationAt(rewriter, loop, loop.getLowerBound(),
                              loop.getUpperBound(), counter);
}

/// Emits the wanted ops, except for dots that are issued elsewhere.
void IterationWriter::compute(IRMapping &known, ArrayRef<Value> now,
                              bool isFirst,
                              function_ref<bool(Operation &)> isWanted) {
  for (Operation &op : body.without_terminator()) {
    if (!isWanted(op))
      continue;
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      if (!schedule.isStartedElsewhere(dot))
        known.map(dot.getResult(), dots.runInPlace(dot, now, known));
      continue;
    }
    if (isa<LimitIterationsOp>(op) ||
        (isa<tile::LoadOp>(op) && known.contains(op.getResult(0))))
      continue;
    if (isFirst && op.hasAttr(holdsAtFirstName)) {
      known.map(op.getResult(0),
                arith::ConstantIntOp::create(rewriter, loc, 1, /*width=*/1));
      continue;
    }
    readStreams(op, now, known);
    readInRegions(*rewriter.clone(op, known), now);
  }
}

/// Whether an iteration has read the streams of a group before its leading dots
/// start.
bool IterationWriter::isReadForSums(unsigned group) {
  for (auto [stream, argument] :
       llvm::zip_equal(streams.streams, loop.getStreamArgs()))
    if (stream.use == group &&
        !llvm::all_of(argument.getUsers(), [&](Operation *user) {
          return schedule.ofSums.contains(user);
        }))
      return false;
  return true;
}

/// Loads the stream tiles that an op computes on into registers.
void IterationWriter::readStreams(Operation &op, ArrayRef<Value> now,
                                  IRMapping &known) {
  for (Value operand : op.getOperands())
    for (auto [argument, slot] : llvm::zip_equal(loop.getStreamArgs(), now))
      if (operand == argument && !known.contains(argument))
        known.map(argument,
                  ReadOp::create(rewriter, loc, argument.getType(), slot));
}

/// Does the same within the regions of a cloned op: each region loads the tiles
/// next to their use.
void IterationWriter::readInRegions(Operation &copy, ArrayRef<Value> now) {
  for (Region &region : copy.getRegions())
    for (auto [argument, slot] : llvm::zip_equal(loop.getStreamArgs(), now)) {
      auto isInside = [&](OpOperand &use) {
        return region.isAncestor(use.getOwner()->getParentRegion());
      };
      if (llvm::none_of(argument.getUses(), isInside))
        continue;
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&region.front());
      Value tile = ReadOp::create(rewriter, loc, argument.getType(), slot);
      rewriter.replaceUsesWithIf(argument, tile, isInside);
    }
}

/// The state that the next iteration begins with.
IterationState IterationWriter::handOn(IterationState &state,
                                       ArrayRef<Value> places,
                                       IRMapping &known) {
  SmallVector<Value> yields;
  for (Value yielded : loop.getConsumeYield())
    yields.push_back(known.lookupOrDefault(yielded));
  for (tile::DotOp dot : schedule.deferred)
    yields[*yieldedAs(dot.getResult())] = known.lookupOrDefault(dot.getAcc());
  // Packing rebuilds branches, so carried values are held by an op that it
  // updates.
  auto holder = scf::YieldOp::create(rewriter, loc, yields);
  IterationState next;
  for (tile::DotOp dot : schedule.deferred)
    next.packed.push_back(
        dots.isCopied(dot.getLhs())
            ? Value()
            : dots.pack(known.lookupOrDefault(dot.getLhs()),
                        cast<RankedTensorType>(dot.getLhs().getType())));
  if (schedule.trailing)
    next.packed = state.packed;
  next.carried.assign(holder->operand_begin(), holder->operand_end());
  rewriter.eraseOp(holder);
  next.places = state.places;
  next.behind.assign(streams.groups.size(), Value());
  for (auto [number, use] : llvm::enumerate(streams.groups)) {
    if (!use.isReadNow)
      continue;
    if (use.isReleasedLate) {
      next.behind[number] = places[number];
      next.places[number] = AdvanceOp::create(rewriter, loc, places[number]);
    }
  }
  return next;
}

/// \param isFirst  whether the accumulator is the loop's initial value.
Value IterationWriter::startDot(tile::DotOp dot, ArrayRef<Value> tiles,
                                IRMapping &known, bool isFirst) {
  Value acc = dot.getAcc();
  bool isZero = isZeroTile(acc);
  if (isFirst && schedule.isCarried(acc)) {
    unsigned number = cast<BlockArgument>(acc).getArgNumber() -
                      loop.getRegionIterArgs().front().getArgNumber();
    isZero = isZeroTile(loop.getInitArgs()[number]);
  }
  return dots.start(dot, dots.bufferOf(dot.getLhs(), tiles),
                    dots.bufferOf(dot.getRhs(), tiles),
                    isZero ? Value() : known.lookupOrDefault(acc));
}

SmallVector<Value> IterationWriter::startDeferred(const IterationState &state,
                                                  ArrayRef<Value> tiles) {
  SmallVector<Value> pending;
  for (auto [dot, packed] : llvm::zip_equal(schedule.deferred, state.packed))
    pending.push_back(dots.start(
        dot, packed ? packed : dots.bufferOf(dot.getLhs(), tiles),
        dots.bufferOf(dot.getRhs(), tiles),
        isZeroTile(dot.getAcc()) ? Value()
                                 : state.carried[*yieldedAs(dot.getResult())]));
  return pending;
}

/// Waits for deferred dots, makes their results loop-carried, and releases
/// their stages.
/// \param later  the number of dots issued since.
void IterationWriter::finishDeferred(IterationState &state,
                                     ArrayRef<Value> pending, int64_t later) {
  later += pending.size();
  for (auto [dot, packed, started] :
       llvm::zip_equal(schedule.deferred, state.packed, pending))
    state.carried[*yieldedAs(dot.getResult())] =
        FinishDotOp::create(rewriter, loc, started, packed, --later);
  for (auto [number, use] : llvm::enumerate(streams.groups))
    if (use.isReleasedLate && !use.isReadNow)
      stages.release(use, state.places[number]);
}

/// Does the same within an iteration.
void IterationWriter::finishDeferredInto(IterationState &state,
                                         ArrayRef<Value> pending,
                                         IRMapping &known, int64_t later) {
  finishDeferred(state, pending, later);
  stages.releaseLate(state);
  for (auto [argument, value] :
       llvm::zip_equal(loop.getRegionIterArgs(), state.carried))
    known.map(argument, value);
}

} // namespace tilegpt::tilegpu
