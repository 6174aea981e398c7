// One iteration of a main loop on the consumers: when its dots start and
// finish, and thus when stages are waited for and released.
#include "Mainloop/MainloopIteration.h"
#include "Mainloop/ConsumerLoads.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

IterationWriter::IterationWriter(IRRewriter &rewriter, KernelRings &rings,
                                 LoopRings &streams, const IRMapping &slots)
    : rewriter(rewriter), streams(streams), loop(streams.loop),
      body(*loop.getConsumeBlock()), dots(rewriter, loop, slots),
      stages(rewriter, rings, streams), loc(loop.getLoc()) {
  for (auto &[dot, kind] : scheduleDots(body, loop.getRegionIterArgs())) {
    if (kind == DotSchedule::InFlight)
      inFlight.push_back(dot);
    else if (kind == DotSchedule::Leading)
      leading.push_back(dot);
    else if (kind == DotSchedule::Deferred)
      deferred.push_back(dot);
  }
  for (tile::DotOp dot : leading)
    if (!isZeroTile(dot.getAcc()))
      addSources(dot.getAcc(), ofSums);
  PlanAttr plan = PlanAttr::of(loop->getParentOfType<tile::KernelOp>());
  bool isOverlapped = computesUnderDots(loop, plan);
  for (tile::DotOp dot : deferred) {
    readsDeferred |= !isCarried(dot.getAcc()) || !dot.getAcc().hasOneUse();
    if (isOverlapped)
      addReaders(loop.getRegionIterArgs()[*yieldedAs(dot.getResult())]);
  }
  // ptxas serializes dots that are in flight across a branch.
  bool branches =
      llvm::any_of(body, [](Operation &op) { return isa<scf::IfOp>(op); });
  finishesFirst = (readsDeferred || branches) && !isOverlapped;
  // Three warp groups have no registers to spare, and hide each other's waits.
  constexpr int64_t mostWarps = 8;
  probesAhead = !deferred.empty() && plan && plan.getWarps() <= mostWarps &&
                llvm::all_of(streams.groups, [&](const GroupUse &use) {
                  return use.isReadNow || stages.canProbe(use);
                });
  if (!branches)
    trailing = findTrailing(plan);
  if (!trailing || trailing.getTransposeA())
    return;
  addSources(trailing.getLhs(), ofLeft);
  // Ops that others read as well would be emitted too early.
  bool areShared = llvm::any_of(ofLeft, [&](Operation *op) {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      return user != trailing && !ofLeft.contains(user);
    });
  });
  if (areShared || trailing.getLhs() == trailing.getRhs())
    trailing = {};
}

/// Collects the ops of an iteration that compute a value.
void IterationWriter::addSources(Value value,
                                 llvm::SmallPtrSetImpl<Operation *> &sources) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &body || !sources.insert(op).second)
    return;
  for (Value operand : op->getOperands())
    addSources(operand, sources);
}

/// The only dot of a loop that just computes its operands and accumulates their
/// product, if threads have registers for the operands of two iterations.
tile::DotOp IterationWriter::findTrailing(PlanAttr plan) {
  constexpr int64_t wordBits = 32, most = 208;
  auto all = llvm::to_vector(body.getOps<tile::DotOp>());
  if (all.size() != 1 || !plan || dots.isCopied(all.front().getLhs()) ||
      dots.isCopied(all.front().getRhs()) || !isCarried(all.front().getAcc()) ||
      !all.front().getAcc().hasOneUse())
    return {};
  tile::DotOp dot = all.front();
  std::optional<unsigned> number = yieldedAs(dot.getResult());
  if (!number || loop.getRegionIterArgs()[*number] != dot.getAcc() ||
      findStaged(body, loop.getRegionIterArgs()).empty())
    return {};
  auto bitsOf = [](Value tile) {
    auto type = cast<RankedTensorType>(tile.getType());
    return type.getNumElements() * type.getElementTypeBitWidth();
  };
  int64_t bits = bitsOf(dot.getAcc()) + bitsOf(dot.getRhs()) +
                 (dot.getTransposeA() ? 1 : 2) * bitsOf(dot.getLhs());
  for (BlockArgument stream : loop.getStreamArgs())
    bits += bitsOf(stream);
  return bits <= most * plan.getWarps() * warpLanes * wordBits ? dot
                                                               : tile::DotOp();
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
  if (!isFirst && !deferred.empty())
    before = stages.getDeferred(state);
  SmallVector<Value> places(state.places);

  // Issue the dots.
  for (auto [argument, tile] :
       llvm::zip_equal(loop.getResidentArgs(), loop.getResidents()))
    known.map(argument, tile);
  for (auto [argument, value] :
       llvm::zip_equal(loop.getRegionIterArgs(), state.carried))
    known.map(argument, value);
  if (!deferred.empty())
    TakeGroupTurnOp::create(rewriter, loc);
  for (tile::DotOp dot : inFlight)
    known.map(dot.getResult(), startDot(dot, now, known, isFirst));
  SmallVector<Value> pending, pendingDeferred;
  bool deferredFirst = !ofSums.empty();
  auto startBefore = [&] {
    if (!isFirst && !deferred.empty())
      pendingDeferred = startDeferred(state, before);
  };
  if (deferredFirst) {
    startBefore();
    compute(known, now, isFirst,
            [&](Operation &op) { return ofSums.contains(&op); });
  }
  for (tile::DotOp dot : leading)
    pending.push_back(startDot(dot, now, known, /*isFirst=*/false));
  if (!deferredFirst)
    startBefore();
  if (!deferred.empty())
    PassGroupTurnOp::create(rewriter, loc);

  // Wait for the dots in flight.
  if (!isFirst && !inFlight.empty()) {
    LimitDotsOp::create(rewriter, loc, inFlight.size());
    stages.releaseLate(state);
  }
  if (deferredFirst && !pendingDeferred.empty()) {
    finishDeferredInto(state, pendingDeferred, known, pending.size());
    pendingDeferred.clear();
  }
  int64_t later = pending.size() + pendingDeferred.size();
  for (auto [dot, started] : llvm::zip_equal(leading, pending))
    known.map(dot.getResult(),
              FinishDotOp::create(rewriter, loc, MainloopDots::typeOf(dot),
                                  started, Value(), --later));
  SmallVector<bool> isHeld(streams.groups.size(), false);
  for (auto [number, use] : llvm::enumerate(streams.groups))
    if (use.isReadNow && !use.isReleasedLate) {
      isHeld[number] = use.isComputedWith && !isReadForSums(number);
      if (!isHeld[number])
        stages.release(use, state.places[number]);
    }
  if (!pendingDeferred.empty() && finishesFirst)
    finishDeferredInto(state, pendingDeferred, known);

  // Probe late: more stages have arrived by then.
  Value isLate = probesAhead ? probeNext(places, counter, isFirst) : Value();

  // Compute on the results.
  auto isReader = [&](Operation &op) { return readers.contains(&op); };
  compute(known, now, isFirst, [&](Operation &op) {
    return !isReader(op) && !ofSums.contains(&op) &&
           !(trailing && ofLeft.contains(&op));
  });
  if (!pendingDeferred.empty() && !finishesFirst)
    finishDeferredInto(state, pendingDeferred, known);
  compute(known, now, isFirst, isReader);
  Value sum =
      trailing ? state.carried[*yieldedAs(trailing.getResult())] : Value();
  if (trailing) {
    if (!isFirst)
      sum = finishTrailing(state);
    // Registers that the dot in flight reads are written after it has finished.
    compute(known, now, isFirst,
            [&](Operation &op) { return ofLeft.contains(&op); });
  }
  for (auto [number, held] : llvm::enumerate(isHeld))
    if (held)
      stages.release(streams.groups[number], state.places[number]);
  if (trailing)
    known.map(trailing.getResult(), startTrailing(state, sum, now, known));
  IterationState next = handOn(state, places, known);
  if (isLate)
    next.isLate = {isLate};
  return next;
}

Value IterationWriter::finishTrailing(IterationState &state) {
  if (!trailing)
    return {};
  Value &sum = state.carried[*yieldedAs(trailing.getResult())];
  sum = FinishDotOp::create(rewriter, loc, MainloopDots::typeOf(trailing), sum,
                            state.packed.front(), /*later=*/0);
  return sum;
}

/// Issues this iteration's trailing dot once the previous one, whose operands
/// are about to be overwritten, has finished.
Value IterationWriter::startTrailing(IterationState &state, Value sum,
                                     ArrayRef<Value> now, IRMapping &known) {
  dots.stageOperands(trailing, known);
  Value left = dots.bufferOf(trailing.getLhs(), now);
  state.packed.assign(1,
                      left ? Value()
                           : dots.pack(known.lookupOrDefault(trailing.getLhs()),
                                       trailing.getLhs().getType()));
  return dots.start(trailing, left ? left : state.packed.front(),
                    dots.bufferOf(trailing.getRhs(), now),
                    isZeroTile(sum) ? Value() : sum);
}

void IterationWriter::writeLastDeferred(IterationState &state, Value end) {
  if (deferred.empty())
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
  if (isFirst || deferred.empty())
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

/// Adds the ops of the iteration that depend on a value.
void IterationWriter::addReaders(Value value) {
  for (Operation *user : value.getUsers()) {
    Operation *op = body.findAncestorOpInBlock(*user);
    if (op->hasTrait<OpTrait::IsTerminator>() || !readers.insert(op).second)
      continue;
    for (Value result : op->getResults())
      addReaders(result);
  }
}

/// Emits the wanted ops, except for dots that are issued elsewhere.
void IterationWriter::compute(IRMapping &known, ArrayRef<Value> now,
                              bool isFirst,
                              function_ref<bool(Operation &)> isWanted) {
  for (Operation &op : body.without_terminator()) {
    if (!isWanted(op))
      continue;
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      if (!isStartedElsewhere(dot))
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
        !llvm::all_of(argument.getUsers(),
                      [&](Operation *user) { return ofSums.contains(user); }))
      return false;
  return true;
}

bool IterationWriter::isStartedElsewhere(tile::DotOp dot) const {
  return llvm::is_contained(inFlight, dot) ||
         llvm::is_contained(leading, dot) ||
         llvm::is_contained(deferred, dot) || dot == trailing;
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
  for (tile::DotOp dot : deferred)
    yields[*yieldedAs(dot.getResult())] = known.lookupOrDefault(dot.getAcc());
  // Packing rebuilds branches, so carried values are held by an op that it
  // updates.
  auto holder = scf::YieldOp::create(rewriter, loc, yields);
  IterationState next;
  for (tile::DotOp dot : deferred)
    next.packed.push_back(
        dots.isCopied(dot.getLhs())
            ? Value()
            : dots.pack(known.lookupOrDefault(dot.getLhs()),
                        cast<RankedTensorType>(dot.getLhs().getType())));
  if (trailing)
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

bool IterationWriter::isCarried(Value tile) {
  return llvm::is_contained(loop.getRegionIterArgs(), tile);
}

/// \param isFirst  whether the accumulator is the loop's initial value.
Value IterationWriter::startDot(tile::DotOp dot, ArrayRef<Value> tiles,
                                IRMapping &known, bool isFirst) {
  Value acc = dot.getAcc();
  bool isZero = isZeroTile(acc);
  if (isFirst && isCarried(acc)) {
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
  for (auto [dot, packed] : llvm::zip_equal(deferred, state.packed))
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
       llvm::zip_equal(deferred, state.packed, pending))
    state.carried[*yieldedAs(dot.getResult())] = FinishDotOp::create(
        rewriter, loc, MainloopDots::typeOf(dot), started, packed, --later);
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
