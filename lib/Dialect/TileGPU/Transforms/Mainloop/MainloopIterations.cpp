// The iterations of a main loop on the consumers: the peeled first one, the
// loop, those that a warp group skips, and the epilogue.
#include "Mainloop/ConsumerLoads.h"
#include "Mainloop/MainloopIteration.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool takesGroupTurns(MainloopOp loop) {
  return llvm::any_of(
      scheduleDots(*loop.getConsumeBlock(), loop.getRegionIterArgs()),
      [](auto &entry) { return entry.second == DotSchedule::Deferred; });
}

namespace {
class LoopWriter {
public:
  LoopWriter(IRRewriter &rewriter, KernelRings &rings, LoopRings &streams,
             const IRMapping &slots)
      : rewriter(rewriter), rings(rings), streams(streams), loop(streams.loop),
        iteration(rewriter, rings, streams, slots), loc(loop.getLoc()) {}

  void write(SmallVector<Value> &cursors) {
    loadBeforeLoop(loop);
    iteration.allocateStaged();
    SmallVector<Value> places;
    for (GroupUse &use : streams.groups)
      places.push_back(cursors[use.group]);
    SmallVector<Value> results;
    if (!iteration.reachesOn())
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
  using Writer = function_ref<SmallVector<Value>()>;

  SmallVector<Value> writeIfItRuns(ArrayRef<Value> places) {
    auto skip = [&] {
      SmallVector<Value> unchanged(loop.getInitArgs());
      llvm::append_range(unchanged, places);
      return unchanged;
    };
    return writeBranches(
        loop.getLowerBound(), loop.getUpperBound(), places,
        [&] { return writePeeledLoop(places); }, skip);
  }

  /// Emits what follows if an iteration starts at `from`, and what follows
  /// otherwise. Both return the results of the loop and the cursors.
  SmallVector<Value> writeBranches(Value from, Value end,
                                   ArrayRef<Value> places, Writer then,
                                   Writer otherwise) {
    SmallVector<Type> types(loop.getResultTypes());
    llvm::append_range(types, ValueRange(places).getTypes());
    Value runs = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                       from, end);
    auto branch = scf::IfOp::create(rewriter, loc, types, runs,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(rewriter, loc, then());
    rewriter.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(rewriter, loc, otherwise());
    return SmallVector<Value>(branch.getResults());
  }

  /// A loop with no dots in flight across iterations.
  SmallVector<Value> writePlainLoop(ArrayRef<Value> places) {
    IterationState state = writeIterations(start(places), loop.getLowerBound(),
                                           loop.getUpperBound());
    if (rings.turns)
      PassTurnOp::create(rewriter, loc, rings.turns);
    return state.flatten();
  }

  /// Emits a range of iterations, which does not include the first.
  IterationState writeIterations(const IterationState &state, Value from,
                                 Value end) {
    auto iterations = scf::ForOp::create(rewriter, loc, from, end,
                                         loop.getStep(), state.flatten());
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(iterations.getBody());
    IterationState next =
        iteration.write(state.like(iterations.getRegionIterArgs()),
                        iterations.getInductionVar(), /*isFirst=*/false);
    scf::YieldOp::create(rewriter, loc, next.flatten());
    return state.like(iterations.getResults());
  }

  /// A loop whose dots stay in flight across iterations, and which runs at
  /// least once. The first iteration is peeled: it has nothing to wait for or
  /// to release, and accumulators that start as zeros need not be read.
  SmallVector<Value> writePeeledLoop(ArrayRef<Value> places) {
    IterationState state = start(places);
    Value first = loop.getLowerBound(), end = loop.getUpperBound();
    Value second = arith::AddIOp::create(rewriter, loc, first, loop.getStep());
    auto limits = loop.getConsumeBlock()->getOps<LimitIterationsOp>();
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
    state = iteration.write(state, first, /*isFirst=*/true);
    auto iterate = [&] {
      IterationState last = writeIterations(state, second, end);
      finish(last, end);
      if (isLimited && !isDescending)
        passBy(end, loop.getUpperBound(), last.places);
      return last.results();
    };
    if (!iteration.handsOnRegisters() || isLimited || iteratesTwice())
      return iterate();
    // Where the last dot followed both the loop and its first iteration, ptxas
    // would put the operands of dots in flight and of the next ones in the same
    // registers, and serialize the dots (C7513).
    auto finishFirst = [&] {
      IterationState last = state;
      finish(last, end);
      return last.results();
    };
    return writeBranches(second, end, state.places, iterate, finishFirst);
  }

  /// Whether the loop is known to have a second iteration.
  bool iteratesTwice() {
    std::optional<int64_t> from = getConstantIntValue(loop.getLowerBound()),
                           end = getConstantIntValue(loop.getUpperBound()),
                           step = getConstantIntValue(loop.getStep());
    return from && end && step && *from + *step < *end;
  }

  IterationState start(ArrayRef<Value> places) {
    IterationState state;
    state.carried.assign(loop.getInitArgs().begin(), loop.getInitArgs().end());
    state.places.assign(places.begin(), places.end());
    return state;
  }

  /// Finishes the dots in flight after the last iteration.
  void finish(IterationState &state, Value end) {
    if (rings.turns)
      PassTurnOp::create(rewriter, loc, rings.turns);
    iteration.finishTrailing(state);
    SmallVector<unsigned> numbers;
    for (auto [number, value] : llvm::enumerate(state.carried))
      if (isa<PendingType>(value.getType()))
        numbers.push_back(number);
    for (auto [place, number] : llvm::enumerate(numbers))
      state.carried[number] =
          FinishDotOp::create(rewriter, loc, state.carried[number], Value(),
                              numbers.size() - 1 - place);
    iteration.writeLastDeferred(state, end);
    iteration.releaseLate(state);
  }

  /// Skips iterations of another warp group: this one still takes part in every
  /// turn, and in the release of every stage.
  void passBy(Value from, Value to, SmallVector<Value> &places) {
    auto iterations =
        scf::ForOp::create(rewriter, loc, from, to, loop.getStep(), places);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(iterations.getBody());
    scf::YieldOp::create(rewriter, loc,
                         iteration.passBy(iterations.getRegionIterArgs()));
    places.assign(iterations.result_begin(), iterations.result_end());
  }

  IRRewriter &rewriter;
  KernelRings &rings;
  LoopRings &streams;
  MainloopOp loop;
  IterationWriter iteration;
  Location loc;
};
} // namespace

void writeIterations(IRRewriter &rewriter, KernelRings &rings, LoopRings &loop,
                     SmallVector<Value> &cursors, const IRMapping &slots) {
  LoopWriter(rewriter, rings, loop, slots).write(cursors);
}

} // namespace tilegpt::tilegpu
