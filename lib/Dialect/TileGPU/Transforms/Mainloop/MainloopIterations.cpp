// The iterations of a main loop, as consumers run them: when its dots start and
// end, and with them when stages are waited for and released.
#include "Mainloop/MainloopDots.h"
#include "Mainloop/MainloopRings.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool takesGroupTurns(MainloopOp loop) {
  return llvm::any_of(
      scheduleDots(*loop.getConsumeBlock(), loop.getRegionIterArgs()),
      [](auto &entry) { return entry.second == DotSchedule::Deferred; });
}

/// Registers of a thread that a tile takes.
static int64_t registersOf(Type type) {
  constexpr int64_t wordBits = 32;
  auto tile = dyn_cast<RankedTensorType>(type);
  LayoutAttr layout = tile ? LayoutAttr::of(tile) : LayoutAttr();
  return layout ? llvm::divideCeil(layout.getNumRegisters() *
                                       tile.getElementTypeBitWidth(),
                                   wordBits)
                : 0;
}

/// Starts loads that follow a main loop before it, so that what they bring (a
/// bias, say) is there when the sum is. As many as there are registers for
/// beside what the loop carries, and only of what the kernel does not write.
static void loadEarly(MainloopOp loop) {
  constexpr int64_t budget = 208;
  auto kernel = loop->getParentOfType<tile::KernelOp>();
  int64_t taken = 0;
  for (Type type : loop.getResultTypes())
    taken += registersOf(type);
  for (auto load :
       llvm::make_early_inc_range(loop->getBlock()->getOps<tile::LoadOp>())) {
    if (load->isBeforeInBlock(loop))
      continue;
    BlockArgument root = rootOf(load.getView());
    bool isThere = llvm::all_of(load->getOperands(), [&](Value operand) {
      Operation *op = operand.getDefiningOp();
      return !op || op->getBlock() != loop->getBlock() ||
             op->isBeforeInBlock(loop);
    });
    int64_t registers = registersOf(load.getType());
    if (!root || kernel.isOut(root.getArgNumber()) || !isThere ||
        taken + registers > budget)
      continue;
    taken += registers;
    load->moveBefore(loop);
  }
}

namespace {
/// What an iteration hands on to the next.
struct State {
  /// As many as the loop has results. Of dots in flight the tile that is still
  /// being written, of deferred ones what they will add to.
  SmallVector<Value> carried;
  /// Left operands of deferred dots that are in registers; null for others.
  SmallVector<Value> packed;
  /// Places in the groups of the loop: of the next stage that is waited for,
  /// and of the one that is to be released.
  SmallVector<Value> places, behind;

  SmallVector<Value> flatten() const {
    SmallVector<Value> all;
    for (ArrayRef<Value> part : {ArrayRef(carried), ArrayRef(packed),
                                 ArrayRef(places), ArrayRef(behind)})
      llvm::copy_if(part, std::back_inserter(all),
                    [](Value value) { return bool(value); });
    return all;
  }
  /// The same of other values.
  State like(ValueRange values) const {
    State other = *this;
    size_t next = 0;
    for (SmallVector<Value> *part :
         {&other.carried, &other.packed, &other.places, &other.behind})
      for (Value &value : *part)
        if (value)
          value = values[next++];
    return other;
  }
};

class IterationWriter {
public:
  IterationWriter(IRRewriter &rewriter, KernelRings &rings, LoopRings &streams,
                  const IRMapping &slots)
      : rewriter(rewriter), rings(rings), streams(streams), loop(streams.loop),
        body(*loop.getConsumeBlock()), dots(rewriter, loop, slots),
        loc(loop.getLoc()) {
    for (auto &[dot, kind] : scheduleDots(body, loop.getRegionIterArgs())) {
      if (kind == DotSchedule::InFlight)
        inFlight.push_back(dot);
      else if (kind == DotSchedule::Leading)
        leading.push_back(dot);
      else if (kind == DotSchedule::Deferred)
        deferred.push_back(dot);
    }
    bool isOverlapped = computesUnderDots(
        loop, PlanAttr::of(loop->getParentOfType<tile::KernelOp>()));
    for (tile::DotOp dot : deferred) {
      readsDeferred |= !isCarried(dot.getAcc()) || !dot.getAcc().hasOneUse();
      if (isOverlapped)
        addReaders(loop.getRegionIterArgs()[*yieldedAs(dot.getResult())]);
    }
    // What is in flight over a branch ptxas starts dot by dot.
    bool branches =
        llvm::any_of(body, [](Operation &op) { return isa<scf::IfOp>(op); });
    finishesFirst = (readsDeferred || branches) && !isOverlapped;
  }

  void write(SmallVector<Value> &cursors) {
    loadEarly(loop);
    dots.allocateStaged();
    SmallVector<Value> places;
    for (GroupUse &use : streams.groups)
      places.push_back(cursors[use.group]);
    SmallVector<Value> results;
    if (inFlight.empty() && deferred.empty())
      results = writePlainLoop(places);
    else if (loop.runsAlways())
      results = writePeeledLoop(places);
    else
      results = writeIfItRuns(places);
    for (auto [number, use] : llvm::enumerate(streams.groups))
      cursors[use.group] = results[loop.getNumResults() + number];
    rewriter.replaceOp(loop,
                       ArrayRef(results).take_front(loop.getNumResults()));
  }

private:
  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  SmallVector<Value> writeIfItRuns(ArrayRef<Value> places) {
    SmallVector<Type> types(loop.getResultTypes());
    llvm::append_range(types, ValueRange(places).getTypes());
    Value runs =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                              loop.getLowerBound(), loop.getUpperBound());
    auto branch = scf::IfOp::create(rewriter, loc, types, runs,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(rewriter, loc, writePeeledLoop(places));
    rewriter.setInsertionPointToStart(branch.elseBlock());
    SmallVector<Value> unchanged(loop.getInitArgs());
    llvm::append_range(unchanged, places);
    scf::YieldOp::create(rewriter, loc, unchanged);
    return SmallVector<Value>(branch.getResults());
  }

  /// A loop in which nothing is in flight from one iteration to the next.
  SmallVector<Value> writePlainLoop(ArrayRef<Value> places) {
    State state = writeIterations(start(places), loop.getLowerBound(),
                                  loop.getUpperBound());
    if (rings.turns)
      PassTurnOp::create(rewriter, loc, rings.turns);
    return state.flatten();
  }

  /// The iterations from one number to another; none is the first.
  State writeIterations(const State &state, Value from, Value end) {
    auto iterations = scf::ForOp::create(rewriter, loc, from, end,
                                         loop.getStep(), state.flatten());
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(iterations.getBody());
    State next =
        writeIteration(state.like(iterations.getRegionIterArgs()),
                       iterations.getInductionVar(), /*isFirst=*/false);
    scf::YieldOp::create(rewriter, loc, next.flatten());
    return state.like(iterations.getResults());
  }

  /// A loop whose dots reach into the next iteration, and which runs at least
  /// once. The first iteration stands before it: there is nothing to finish or
  /// to release yet, and sums that begin with zeros need not be read.
  SmallVector<Value> writePeeledLoop(ArrayRef<Value> places) {
    State state = start(places);
    Value first = loop.getLowerBound(), end = loop.getUpperBound();
    Value second = arith::AddIOp::create(rewriter, loc, first, loop.getStep());
    auto limits = body.getOps<LimitIterationsOp>();
    bool isLimited = !limits.empty(),
         isDescending = loop->hasAttr(descendingName);
    if (isLimited) {
      Value own = arith::MinUIOp::create(rewriter, loc, end,
                                         (*limits.begin()).getIterations());
      own = arith::MaxUIOp::create(rewriter, loc, own, second);
      if (isDescending) {
        Value others = arith::SubIOp::create(rewriter, loc, end, own);
        first = arith::AddIOp::create(rewriter, loc, first, others);
        second = arith::AddIOp::create(rewriter, loc, first, loop.getStep());
        passBy(loop.getLowerBound(), first, state.places);
      } else {
        end = own;
      }
    }
    state = writeIteration(state, first, /*isFirst=*/true);
    state = writeIterations(state, second, end);
    finish(state, end);
    if (isLimited && !isDescending)
      passBy(end, loop.getUpperBound(), state.places);
    SmallVector<Value> results(state.carried);
    results.append(state.places);
    return results;
  }

  State start(ArrayRef<Value> places) {
    State state;
    state.carried.assign(loop.getInitArgs().begin(), loop.getInitArgs().end());
    state.places.assign(places.begin(), places.end());
    return state;
  }

  /// What is in flight behind the last iteration.
  void finish(State &state, Value end) {
    if (rings.turns)
      PassTurnOp::create(rewriter, loc, rings.turns);
    SmallVector<unsigned> numbers;
    for (auto [number, value] : llvm::enumerate(state.carried))
      if (isa<PendingType>(value.getType()))
        numbers.push_back(number);
    for (auto [place, number] : llvm::enumerate(numbers))
      state.carried[number] = FinishDotOp::create(
          rewriter, loc, loop.getResult(number).getType(),
          state.carried[number], Value(), numbers.size() - 1 - place);
    if (!deferred.empty()) {
      Value last = arith::SubIOp::create(rewriter, loc, end, loop.getStep());
      SmallVector<Value> tiles = awaitDeferred(state, iterationAt(last));
      TakeGroupTurnOp::create(rewriter, loc);
      SmallVector<Value> pending = startDeferred(state, tiles);
      PassGroupTurnOp::create(rewriter, loc);
      finishDeferred(state, pending);
    }
    releaseLate(state);
  }

  /// The iterations that this warp group leaves out: it takes part in every
  /// turn, and in the release of every stage.
  void passBy(Value from, Value to, SmallVector<Value> &places) {
    auto iterations =
        scf::ForOp::create(rewriter, loc, from, to, loop.getStep(), places);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(iterations.getBody());
    TakeGroupTurnOp::create(rewriter, loc);
    PassGroupTurnOp::create(rewriter, loc);
    SmallVector<Value> next;
    for (auto [use, place] :
         llvm::zip_equal(streams.groups, iterations.getRegionIterArgs())) {
      // Only what has come may be released.
      Value barriers = rings.groups[use.group].barriers;
      AwaitOp::create(rewriter, loc, barriers, place);
      ReleaseOp::create(rewriter, loc, barriers, place);
      next.push_back(AdvanceOp::create(rewriter, loc, place));
    }
    scf::YieldOp::create(rewriter, loc, next);
    places.assign(iterations.result_begin(), iterations.result_end());
  }

  //===--------------------------------------------------------------------===//
  // One iteration
  //===--------------------------------------------------------------------===//

  /// The deferred dots of the iteration before, its own leading ones, and what
  /// it computes with these.
  State writeIteration(State state, Value counter, bool isFirst) {
    dots.beginIteration();
    Value index = iterationAt(counter);
    IRMapping known;
    known.map(loop.getIterationArg(), index);
    loadFirst(known);
    SmallVector<Value> now = awaitNow(state, index);
    SmallVector<Value> before;
    if (!isFirst && !deferred.empty())
      before = awaitDeferred(state, iterationAt(decrement(counter)));
    SmallVector<Value> places(state.places);

    // Start.
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
    SmallVector<Value> pending;
    for (tile::DotOp dot : leading)
      pending.push_back(startDot(dot, now, known, /*isFirst=*/false));
    SmallVector<Value> pendingDeferred;
    if (!isFirst && !deferred.empty())
      pendingDeferred = startDeferred(state, before);
    if (!deferred.empty())
      PassGroupTurnOp::create(rewriter, loc);

    // Finish.
    if (!isFirst && !inFlight.empty()) {
      LimitDotsOp::create(rewriter, loc, inFlight.size());
      releaseLate(state);
    }
    int64_t later = pending.size() + pendingDeferred.size();
    for (auto [dot, started] : llvm::zip_equal(leading, pending))
      known.map(dot.getResult(),
                FinishDotOp::create(rewriter, loc, MainloopDots::typeOf(dot),
                                    started, Value(), --later));
    SmallVector<bool> isHeld(streams.groups.size(), false);
    for (auto [number, use] : llvm::enumerate(streams.groups))
      if (use.isReadNow && !use.isReleasedLate) {
        isHeld[number] = use.isComputedWith;
        if (!isHeld[number])
          release(use, state.places[number]);
      }
    if (!pendingDeferred.empty() && finishesFirst)
      finishDeferredInto(state, pendingDeferred, known);

    // Compute.
    auto isReader = [&](Operation &op) { return readers.contains(&op); };
    compute(known, now, isFirst, [&](Operation &op) { return !isReader(op); });
    if (!pendingDeferred.empty() && !finishesFirst)
      finishDeferredInto(state, pendingDeferred, known);
    compute(known, now, isFirst, isReader);
    for (auto [number, held] : llvm::enumerate(isHeld))
      if (held)
        release(streams.groups[number], state.places[number]);
    return handOn(state, places, known);
  }

  Value decrement(Value counter) {
    return arith::SubIOp::create(rewriter, loc, counter, loop.getStep());
  }
  Value iterationAt(Value counter) {
    return tilegpu::iterationAt(rewriter, loop, loop.getLowerBound(),
                                loop.getUpperBound(), counter);
  }

  /// Ops of the iteration that need a value, or what comes of it.
  void addReaders(Value value) {
    for (Operation *user : value.getUsers()) {
      Operation *op = body.findAncestorOpInBlock(*user);
      if (op->hasTrait<OpTrait::IsTerminator>() || !readers.insert(op).second)
        continue;
      for (Value result : op->getResults())
        addReaders(result);
    }
  }

  /// Starts what an iteration loads to a few registers, where only its number
  /// says what, before it waits for tiles and dots.
  void loadFirst(IRMapping &known) {
    // Of one or two warp groups; three have none to spare.
    constexpr int64_t mostRegisters = 32, mostWarps = 8;
    auto kernel = loop->getParentOfType<tile::KernelOp>();
    int64_t left =
        PlanAttr::of(kernel).getWarps() <= mostWarps ? mostRegisters : 0;
    for (auto load : body.getOps<tile::LoadOp>()) {
      BlockArgument root = rootOf(load.getView());
      int64_t registers = registersOf(load.getType());
      bool isKnown = llvm::all_of(load->getOperands(), [&](Value operand) {
        return operand == loop.getIterationArg() ||
               loop.isDefinedOutsideOfLoop(operand);
      });
      if (!root || kernel.isOut(root.getArgNumber()) || !isKnown ||
          registers > left)
        continue;
      left -= registers;
      known.map(load.getResult(), rewriter.clone(*load, known)->getResult(0));
    }
  }

  /// Everything but the dots that are started elsewhere, as far as wanted.
  void compute(IRMapping &known, ArrayRef<Value> now, bool isFirst,
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

  bool isStartedElsewhere(tile::DotOp dot) {
    return llvm::is_contained(inFlight, dot) ||
           llvm::is_contained(leading, dot) ||
           llvm::is_contained(deferred, dot);
  }

  /// Brings tiles of streams that an op computes with to registers.
  void readStreams(Operation &op, ArrayRef<Value> now, IRMapping &known) {
    for (Value operand : op.getOperands())
      for (auto [argument, slot] : llvm::zip_equal(loop.getStreamArgs(), now))
        if (operand == argument && !known.contains(argument))
          known.map(argument,
                    ReadOp::create(rewriter, loc, argument.getType(), slot));
  }

  /// The same for what stands in the regions of a copy: each reads for itself,
  /// beside what it computes.
  void readInRegions(Operation &copy, ArrayRef<Value> now) {
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

  /// What the next iteration begins with.
  State handOn(State &state, ArrayRef<Value> places, IRMapping &known) {
    SmallVector<Value> yields;
    for (Value yielded : loop.getConsumeYield())
      yields.push_back(known.lookupOrDefault(yielded));
    for (tile::DotOp dot : deferred)
      yields[*yieldedAs(dot.getResult())] = known.lookupOrDefault(dot.getAcc());
    // What is carried goes through the branches that packing rebuilds.
    auto holder = scf::YieldOp::create(rewriter, loc, yields);
    State next;
    for (tile::DotOp dot : deferred)
      next.packed.push_back(
          dots.isCopied(dot.getLhs())
              ? Value()
              : dots.pack(known.lookupOrDefault(dot.getLhs()),
                          cast<RankedTensorType>(dot.getLhs().getType())));
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

  //===--------------------------------------------------------------------===//
  // Stages
  //===--------------------------------------------------------------------===//

  /// Waits for the tiles that this iteration reads at once; null for others.
  SmallVector<Value> awaitNow(State &state, Value index) {
    for (auto [number, use] : llvm::enumerate(streams.groups))
      if (use.isReadNow)
        AwaitOp::create(rewriter, loc, rings.groups[use.group].barriers,
                        state.places[number]);
    return slotsOf([](const GroupUse &use) { return use.isReadNow; },
                   state.places, index);
  }

  /// Waits for the tiles of deferred dots that nothing else has read.
  SmallVector<Value> awaitDeferred(State &state, Value index) {
    SmallVector<Value> places(state.places);
    for (auto [number, use] : llvm::enumerate(streams.groups)) {
      if (!use.isReadNow)
        AwaitOp::create(rewriter, loc, rings.groups[use.group].barriers,
                        state.places[number]);
      else if (use.isReleasedLate)
        places[number] = state.behind[number];
    }
    return slotsOf([](const GroupUse &use) { return use.isReleasedLate; },
                   places, index);
  }

  SmallVector<Value> slotsOf(function_ref<bool(const GroupUse &)> isWanted,
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
      tiles.push_back(rings.groups[use.group].getSlot(
          rewriter, loc, stream.ring, places[stream.use]));
      clearBehindWindow(rewriter, stream.load, tiles.back(), [&](Value value) {
        return cloneIntoIteration(value, known);
      });
      clearBehindColumns(rewriter, argument, tiles.back(),
                         stream.load.hasZerosBehindColumns);
    }
    return tiles;
  }

  /// A scalar of `produce`, for the consumers.
  Value cloneIntoIteration(Value value, IRMapping &known) {
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

  void release(GroupUse &use, Value &place) {
    ReleaseOp::create(rewriter, loc, rings.groups[use.group].barriers, place);
    place = AdvanceOp::create(rewriter, loc, place);
  }

  /// Releases what dots of the iteration before have read.
  void releaseLate(State &state) {
    for (auto [number, use] : llvm::enumerate(streams.groups))
      if (use.isReleasedLate && use.isReadNow)
        ReleaseOp::create(rewriter, loc, rings.groups[use.group].barriers,
                          state.behind[number]);
  }

  //===--------------------------------------------------------------------===//
  // Dots
  //===--------------------------------------------------------------------===//

  bool isCarried(Value tile) {
    return llvm::is_contained(loop.getRegionIterArgs(), tile);
  }

  /// \param isFirst  whether what it adds to is what the loop begins with.
  Value startDot(tile::DotOp dot, ArrayRef<Value> tiles, IRMapping &known,
                 bool isFirst) {
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

  SmallVector<Value> startDeferred(const State &state, ArrayRef<Value> tiles) {
    SmallVector<Value> pending;
    for (auto [dot, packed] : llvm::zip_equal(deferred, state.packed))
      pending.push_back(
          dots.start(dot, packed ? packed : dots.bufferOf(dot.getLhs(), tiles),
                     dots.bufferOf(dot.getRhs(), tiles),
                     isZeroTile(dot.getAcc())
                         ? Value()
                         : state.carried[*yieldedAs(dot.getResult())]));
    return pending;
  }

  /// Waits for deferred dots; their sums are carried then, and their stages
  /// released.
  void finishDeferred(State &state, ArrayRef<Value> pending) {
    int64_t later = pending.size();
    for (auto [dot, packed, started] :
         llvm::zip_equal(deferred, state.packed, pending))
      state.carried[*yieldedAs(dot.getResult())] = FinishDotOp::create(
          rewriter, loc, MainloopDots::typeOf(dot), started, packed, --later);
    for (auto [number, use] : llvm::enumerate(streams.groups))
      if (use.isReleasedLate && !use.isReadNow)
        release(use, state.places[number]);
  }

  /// The same, within an iteration.
  void finishDeferredInto(State &state, ArrayRef<Value> pending,
                          IRMapping &known) {
    finishDeferred(state, pending);
    releaseLate(state);
    for (auto [argument, value] :
         llvm::zip_equal(loop.getRegionIterArgs(), state.carried))
      known.map(argument, value);
  }

  IRRewriter &rewriter;
  KernelRings &rings;
  LoopRings &streams;
  MainloopOp loop;
  Block &body;
  MainloopDots dots;
  Location loc;
  SmallVector<tile::DotOp> inFlight, leading, deferred;
  /// Whether an iteration computes with the results of deferred dots, and waits
  /// for them before it computes anything.
  bool readsDeferred = false, finishesFirst = false;
  /// What comes last, where an iteration computes while these dots run.
  SmallPtrSet<Operation *, 8> readers;
};
} // namespace

void writeIterations(IRRewriter &rewriter, KernelRings &rings, LoopRings &loop,
                     SmallVector<Value> &cursors, const IRMapping &slots) {
  IterationWriter(rewriter, rings, loop, slots).write(cursors);
}

} // namespace tilegpt::tilegpu
