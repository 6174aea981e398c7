// The consumers of a fed loop. The last dots of a trip start beside the first
// ones of the next, so that every trip gives the tensor cores all its products
// at once and then computes with what they have made.
#include "Mainloop/FedRoles.h"
#include "Mainloop/Roles.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// What a trip hands on to the next: results of the loop, of which those of
/// trailing dots are still to come, the operands of these, and places in rings.
struct Trip {
  SmallVector<Value> carried; ///< as many as the loop has results
  SmallVector<Value> packed;  ///< one a trailing dot
  SmallVector<Value> leading, trailing;

  SmallVector<Value> flatten() const {
    SmallVector<Value> all(carried);
    all.append(packed);
    all.append(leading);
    all.append(trailing);
    return all;
  }
  /// The same of other values.
  Trip like(ValueRange values) const {
    auto take = [&](size_t count) {
      SmallVector<Value> part(values.take_front(count));
      values = values.drop_front(count);
      return part;
    };
    Trip other;
    other.carried = take(carried.size());
    other.packed = take(packed.size());
    other.leading = take(leading.size());
    other.trailing = take(trailing.size());
    return other;
  }
};

class FedConsumer {
public:
  FedConsumer(IRRewriter &rewriter, FedPipes &pipes)
      : rewriter(rewriter), pipes(pipes), match(pipes.match),
        loc(match.loop.getLoc()) {}

  /// Rewrites the loops of a block; cursors go in as they are before the block
  /// and come out as they are behind it.
  void write(Block &block, SmallVector<Value> &cursors) {
    for (scf::ForOp loop : llvm::to_vector(block.getOps<scf::ForOp>()))
      if (loop == match.loop)
        writeFed(cursors);
      else if (loop == pipes.walk.loop)
        writeWalk(cursors);
      else if (loop->isAncestor(match.loop))
        writeAround(loop, cursors);
  }

private:
  /// A loop around the fed one takes the cursors along.
  void writeAround(scf::ForOp loop, SmallVector<Value> &cursors) {
    rewriter.setInsertionPoint(loop);
    carryThrough(rewriter, loop, cursors, [&](SmallVector<Value> &within) {
      write(*loop.getBody(), within);
    });
  }

  /// A loop over tiles of which the producer says which one is next.
  void writeWalk(SmallVector<Value> &cursors) {
    FedWalk &walk = pipes.walk;
    scf::ForOp loop = walk.loop;
    rewriter.setInsertionPoint(loop);
    cursors.push_back(walk.makeCursor(rewriter));
    walk.write(rewriter, loop.getLowerBound(), loop.getUpperBound(), cursors,
               [&](Value tile, SmallVector<Value> &within) -> Value {
                 Value place = within.pop_back_val();
                 Block &body = *rewriter.getInsertionBlock(),
                       &old = *loop.getBody();
                 rewriter.eraseOp(old.getTerminator());
                 body.getOperations().splice(body.end(), old.getOperations());
                 rewriter.replaceAllUsesWith(loop.getInductionVar(), tile);
                 write(body, within);
                 rewriter.setInsertionPointToEnd(&body);
                 Value next =
                     ReceiveOp::create(rewriter, loc, rewriter.getIndexType(),
                                       walk.words, walk.barriers, place);
                 within.push_back(AdvanceOp::create(rewriter, loc, place));
                 return next;
               });
    cursors.pop_back();
    rewriter.eraseOp(loop);
  }

  void writeFed(SmallVector<Value> &cursors) {
    scf::ForOp loop = match.loop;
    rewriter.setInsertionPoint(loop);
    MutableArrayRef<Value> all(cursors);
    auto staying = all.take_front(pipes.staying.size());
    stayingSlots.clear();
    for (auto [ring, cursor] : llvm::zip_equal(pipes.staying, staying))
      stayingSlots.push_back(
          await(ring, cursor, ring.load.load.getIndices()[0]));

    SmallVector<Value> moving(all.drop_front(pipes.staying.size()));
    SmallVector<Value> results;
    if (match.runsAlways()) {
      results = writeTrips(moving);
    } else {
      SmallVector<Type> types(loop.getResultTypes());
      types.append(TypeRange(ValueRange(moving)).begin(),
                   TypeRange(ValueRange(moving)).end());
      Value runs =
          arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                loop.getLowerBound(), loop.getUpperBound());
      auto branch = scf::IfOp::create(rewriter, loc, types, runs,
                                      /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(branch.thenBlock());
      scf::YieldOp::create(rewriter, loc, writeTrips(moving));
      rewriter.setInsertionPointToStart(branch.elseBlock());
      SmallVector<Value> unchanged(loop.getInitArgs());
      unchanged.append(moving);
      scf::YieldOp::create(rewriter, loc, unchanged);
      results.assign(branch.result_begin(), branch.result_end());
    }
    rewriter.setInsertionPoint(loop);
    for (auto [ring, cursor] : llvm::zip_equal(pipes.staying, staying)) {
      ReleaseOp::create(rewriter, loc, ring.barriers, cursor);
      cursor = AdvanceOp::create(rewriter, loc, cursor);
    }
    ValueRange values(results);
    llvm::copy(values.drop_front(loop.getNumResults()),
               all.drop_front(pipes.staying.size()).begin());
    rewriter.replaceOp(loop, values.take_front(loop.getNumResults()));
    for (FedRing &ring : pipes.staying)
      rewriter.eraseOp(ring.load.load);
  }

  /// The trips of a loop that runs at least once; returns its results and the
  /// cursors behind it.
  SmallVector<Value> writeTrips(ArrayRef<Value> cursors) {
    scf::ForOp loop = match.loop;
    size_t numLeading = pipes.leading.size();
    Trip trip;
    trip.carried.assign(loop.getInitArgs().begin(), loop.getInitArgs().end());
    trip.leading.assign(cursors.take_front(numLeading));
    trip.trailing.assign(cursors.drop_front(numLeading));
    // The first trip has no dots of a trip before it to finish.
    trip = writeTrip(trip, loop.getLowerBound(), /*isFirst=*/true);

    Value from = arith::AddIOp::create(rewriter, loc, loop.getLowerBound(),
                                       loop.getStep());
    Value end = loop.getUpperBound();
    auto limits = loop.getBody()->getOps<LimitTripsOp>();
    if (!limits.empty()) {
      Value own = arith::MinUIOp::create(rewriter, loc, end,
                                         (*limits.begin()).getTrips());
      end = arith::MaxUIOp::create(rewriter, loc, own, from);
    }
    auto trips = scf::ForOp::create(rewriter, loc, from, end, loop.getStep(),
                                    trip.flatten());
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(trips.getBody());
      Trip next = writeTrip(trip.like(trips.getRegionIterArgs()),
                            trips.getInductionVar(), /*isFirst=*/false);
      scf::YieldOp::create(rewriter, loc, next.flatten());
    }
    trip = trip.like(trips.getResults());

    Value last = arith::SubIOp::create(rewriter, loc, end, loop.getStep());
    SmallVector<Value> slots = awaitTrailing(trip, last);
    TakeGroupTurnOp::create(rewriter, loc);
    SmallVector<Value> pending = startTrailing(trip, slots);
    PassGroupTurnOp::create(rewriter, loc);
    finishTrailing(trip, pending);
    SmallVector<Value> places(trip.leading);
    places.append(trip.trailing);
    if (!limits.empty())
      passBy(end, places);
    SmallVector<Value> results(trip.carried);
    results.append(places);
    return results;
  }

  /// The trips that this warp group leaves out, from number `from` on: it takes
  /// part in every turn, and in the release of every stage.
  void passBy(Value from, SmallVector<Value> &places) {
    scf::ForOp loop = match.loop;
    auto trips = scf::ForOp::create(rewriter, loc, from, loop.getUpperBound(),
                                    loop.getStep(), places);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(trips.getBody());
    TakeGroupTurnOp::create(rewriter, loc);
    PassGroupTurnOp::create(rewriter, loc);
    SmallVector<Value> next;
    SmallVector<FedRing> rings(pipes.leading);
    rings.append(pipes.trailing);
    for (auto [ring, place] :
         llvm::zip_equal(rings, trips.getRegionIterArgs())) {
      // Only what has come may be released.
      AwaitOp::create(rewriter, loc, ring.barriers, place);
      ReleaseOp::create(rewriter, loc, ring.barriers, place);
      next.push_back(AdvanceOp::create(rewriter, loc, place));
    }
    scf::YieldOp::create(rewriter, loc, next);
    places.assign(trips.result_begin(), trips.result_end());
  }

  /// One trip: the trailing dots of the one before, its own leading ones, and
  /// what it computes with these.
  Trip writeTrip(Trip trip, Value index, bool isFirst) {
    SmallVector<Value> leadingSlots, trailingSlots, pending, sums;
    for (auto [ring, cursor] : llvm::zip_equal(pipes.leading, trip.leading))
      leadingSlots.push_back(await(ring, cursor, index));
    if (!isFirst)
      trailingSlots =
          awaitTrailing(trip, arith::SubIOp::create(rewriter, loc, index,
                                                    match.loop.getStep()));
    TakeGroupTurnOp::create(rewriter, loc);
    for (auto [dot, left, right] :
         llvm::zip_equal(match.leading, stayingSlots, leadingSlots))
      pending.push_back(AsyncDotOp::create(
          rewriter, loc, PendingType::get(rewriter.getContext(), typeOf(dot)),
          left, right, /*acc=*/Value(), /*along_n=*/false));
    SmallVector<Value> sumsPending;
    if (!isFirst)
      sumsPending = startTrailing(trip, trailingSlots);
    PassGroupTurnOp::create(rewriter, loc);

    IRMapping known;
    int64_t later = pending.size() - 1 + sumsPending.size();
    for (auto [number, dot] : llvm::enumerate(match.leading)) {
      known.map(dot.dot.getResult(),
                finish(pending[number], typeOf(dot), Value(), later--));
      Value &cursor = trip.leading[number];
      ReleaseOp::create(rewriter, loc, pipes.leading[number].barriers, cursor);
      cursor = AdvanceOp::create(rewriter, loc, cursor);
    }
    if (!isFirst)
      finishTrailing(trip, sumsPending);
    return compute(trip, index, known, isFirst);
  }

  /// The arithmetic of a trip. What it yields for the sum of a trailing dot is
  /// what this dot will be added to.
  Trip compute(Trip trip, Value index, IRMapping &known, bool isFirst) {
    scf::ForOp loop = match.loop;
    known.map(loop.getInductionVar(), index);
    known.map(loop.getRegionIterArgs(), trip.carried);
    for (Operation &op : loop.getBody()->without_terminator())
      if (isFirst && op.hasAttr(holdsAtFirstName))
        known.map(op.getResult(0),
                  arith::ConstantIntOp::create(rewriter, loc, 1, /*width=*/1));
      else if (!isa<tile::DotOp, tile::LoadOp, LimitTripsOp>(op))
        rewriter.clone(op, known);
    // What is carried goes through the branches that packing rebuilds.
    SmallVector<Value> yields;
    for (Value yielded : loop.getYieldedValues())
      yields.push_back(known.lookupOrDefault(yielded));
    for (TrailingDot &dot : match.trailing)
      yields[dot.number] = known.lookupOrDefault(dot.dot.getAcc());
    auto holder = scf::YieldOp::create(rewriter, loc, yields);
    trip.packed.clear();
    for (TrailingDot &dot : match.trailing)
      trip.packed.push_back(
          pack(known.lookupOrDefault(dot.dot.getLhs()),
               cast<RankedTensorType>(dot.dot.getLhs().getType())));
    trip.carried.assign(holder->operand_begin(), holder->operand_end());
    rewriter.eraseOp(holder);
    return trip;
  }

  /// A tile as registers of a left operand. Rounding is part of that. As soon
  /// as there is the tile: packed it takes half of the registers.
  Value pack(Value tile, RankedTensorType type) {
    if (auto branch = tile.getDefiningOp<scf::IfOp>())
      return packInBranches(branch, cast<OpResult>(tile).getResultNumber(),
                            type);
    if (auto rounded = tile.getDefiningOp<tile::CastOp>())
      if (getElementTypeOrSelf(rounded.getSource().getType()).isF32())
        tile = rounded.getSource();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfterValue(tile);
    return PackOp::create(rewriter, loc,
                          PackedType::get(rewriter.getContext(), type), tile);
  }

  /// Lets a branch yield a tile packed.
  Value packInBranches(scf::IfOp branch, unsigned number,
                       RankedTensorType type) {
    OpBuilder::InsertionGuard guard(rewriter);
    for (Region *region : branch.getRegions()) {
      Operation *yield = region->front().getTerminator();
      yield->setOperand(number, pack(yield->getOperand(number), type));
    }
    SmallVector<Type> types(branch.getResultTypes());
    types[number] = PackedType::get(rewriter.getContext(), type);
    rewriter.setInsertionPoint(branch);
    auto packed =
        scf::IfOp::create(rewriter, loc, types, branch.getCondition());
    packed.getThenRegion().takeBody(branch.getThenRegion());
    packed.getElseRegion().takeBody(branch.getElseRegion());
    for (auto [old, result] :
         llvm::zip_equal(branch.getResults(), packed.getResults()))
      if (old.getResultNumber() != number)
        rewriter.replaceAllUsesWith(old, result);
    rewriter.eraseOp(branch);
    return packed.getResult(number);
  }

  /// Waits for a tile, and clears what lies behind its window.
  Value await(FedRing ring, Value cursor, Value index) {
    AwaitOp::create(rewriter, loc, ring.barriers, cursor);
    Value slot = ring.getSlot(rewriter, cursor);
    if (!ring.load.rows)
      return slot;
    Arithmetic math(rewriter, loc);
    int64_t height = ring.load.load.getType().getDimSize(0);
    auto rows = getValueOrCreateConstantIndexOp(rewriter, loc, ring.load.rows);
    Value left = math.sub(rows, math.mul(index, height));
    Value ends = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::slt, left,
        arith::ConstantIndexOp::create(rewriter, loc, height));
    auto branch = scf::IfOp::create(rewriter, loc, ends);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    ClearRowsOp::create(rewriter, loc, slot, left);
    return slot;
  }

  SmallVector<Value> awaitTrailing(const Trip &trip, Value index) {
    SmallVector<Value> slots;
    for (auto [ring, cursor] : llvm::zip_equal(pipes.trailing, trip.trailing))
      slots.push_back(await(ring, cursor, index));
    return slots;
  }

  SmallVector<Value> startTrailing(const Trip &trip, ArrayRef<Value> slots) {
    SmallVector<Value> pending;
    for (auto [dot, packed, slot] :
         llvm::zip_equal(match.trailing, trip.packed, slots))
      pending.push_back(AsyncDotOp::create(
          rewriter, loc, PendingType::get(rewriter.getContext(), typeOf(dot)),
          packed, slot, trip.carried[dot.number], /*along_n=*/true));
    return pending;
  }

  void finishTrailing(Trip &trip, ArrayRef<Value> pending) {
    int64_t later = pending.size() - 1;
    for (auto [number, dot] : llvm::enumerate(match.trailing)) {
      trip.carried[dot.number] =
          finish(pending[number], typeOf(dot), trip.packed[number], later--);
      Value &cursor = trip.trailing[number];
      ReleaseOp::create(rewriter, loc, pipes.trailing[number].barriers, cursor);
      cursor = AdvanceOp::create(rewriter, loc, cursor);
    }
  }

  Value finish(Value pending, RankedTensorType type, Value reads,
               int64_t later) {
    return FinishDotOp::create(rewriter, loc, type, pending, reads, later);
  }

  template <typename Dot>
  static RankedTensorType typeOf(Dot &dot) {
    return cast<RankedTensorType>(dot.dot.getResult().getType());
  }

  IRRewriter &rewriter;
  FedPipes &pipes;
  FedLoop &match;
  Location loc;
  SmallVector<Value> stayingSlots;
};
} // namespace

void writeFedConsumer(IRRewriter &rewriter, Block &body, FedPipes &pipes) {
  rewriter.setInsertionPointToStart(&body);
  OpenGroupTurnsOp::create(rewriter, pipes.match.loop.getLoc());
  SmallVector<Value> cursors = pipes.makeCursors(rewriter);
  FedConsumer(rewriter, pipes).write(body, cursors);
}

} // namespace tilegpt::tilegpu
