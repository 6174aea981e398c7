// The consumers of a kernel: its body, with the loops of pipes taking their
// operands from rings and one dot always in flight.
#include "Mainloop/Roles.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Whether a tile is zero everywhere.
static bool isZeroTile(Value value) {
  if (auto splat = value.getDefiningOp<tile::SplatOp>())
    value = splat.getValue();
  return matchPattern(value, m_PosZeroFloat());
}

/// Registers of a thread that a tile takes.
static int64_t registersOf(Type tile) {
  constexpr int64_t wordBits = 32;
  auto type = cast<RankedTensorType>(tile);
  LayoutAttr layout = LayoutAttr::of(type);
  return layout ? llvm::divideCeil(layout.getNumRegisters() *
                                       type.getElementTypeBitWidth(),
                                   wordBits)
                : 0;
}

/// Starts loads that follow the loop of a pipe before it, so that what they
/// bring (a bias, say) is there when the sum is. As many as there are registers
/// for beside the accumulators, and only of what the kernel does not write.
static void loadEarly(scf::ForOp loop) {
  constexpr int64_t budget = 208;
  auto kernel = loop->getParentOfType<tile::KernelOp>();
  int64_t taken = registersOf(loop.getResult(0).getType());
  for (auto load :
       llvm::make_early_inc_range(loop->getBlock()->getOps<tile::LoadOp>())) {
    if (load->isBeforeInBlock(loop))
      continue;
    SmallVector<Value> selected;
    BlockArgument root = rootOf(load.getView(), selected);
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

void carryThrough(IRRewriter &rewriter, scf::ForOp loop,
                  SmallVector<Value> &values,
                  llvm::function_ref<void(SmallVector<Value> &)> write) {
  auto carry = [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
    SmallVector<Value> within(arguments.begin(), arguments.end());
    write(within);
    return within;
  };
  size_t numCarried = loop.getNumResults();
  FailureOr<LoopLikeOpInterface> copy = loop.replaceWithAdditionalYields(
      rewriter, values, /*replaceInitOperandUsesInLoop=*/false, carry);
  assert(succeeded(copy) && "a loop takes any number of values along");
  auto results = (*copy)->getResults().drop_front(numCarried);
  values.assign(results.begin(), results.end());
}

namespace {
class ConsumerWriter {
public:
  ConsumerWriter(IRRewriter &rewriter, ArrayRef<Pipe> pipes)
      : rewriter(rewriter), pipes(pipes) {}

  /// Rewrites the loops of a block. Cursors, one a pipe, go in as they are
  /// before the block and come out as they are behind it.
  void write(Block &block, SmallVector<Value> &cursors) {
    for (scf::ForOp loop : llvm::to_vector(block.getOps<scf::ForOp>()))
      writeLoop(loop, cursors);
  }

  /// Gives every other trip of the loop around a pipe to each team.
  void writeTeams(Pipe pipe);

private:
  struct Outcome {
    Value sum, cursor;
  };

  void writeLoop(scf::ForOp loop, SmallVector<Value> &cursors) {
    rewriter.setInsertionPoint(loop);
    for (auto [pipe, cursor] : llvm::zip_equal(pipes, cursors)) {
      if (pipe.match.loop != loop)
        continue;
      Outcome outcome = writePipe(pipe, cursor);
      cursor = outcome.cursor;
      rewriter.replaceOp(loop, outcome.sum);
      return;
    }
    if (llvm::none_of(pipes, [&](Pipe pipe) { return pipe.isIn(loop); }))
      return;
    carryThrough(rewriter, loop, cursors, [&](SmallVector<Value> &within) {
      write(*loop.getBody(), within);
    });
  }

  Outcome writePipe(Pipe pipe, Value cursor);
  Outcome writeTrips(Pipe pipe, Value cursor);
  Outcome writeAddedTrips(Pipe pipe, Value cursor);
  Value multiply(Pipe pipe, Value cursor, Value acc);

  IRRewriter &rewriter;
  ArrayRef<Pipe> pipes;
};
} // namespace

/// Starts the dot of the stage at `cursor` once it is there; `acc` may be null.
Value ConsumerWriter::multiply(Pipe pipe, Value cursor, Value acc) {
  Location loc = pipe.match.dot.getLoc();
  AwaitOp::create(rewriter, loc, pipe.barriers, cursor);
  auto type = PendingType::get(
      rewriter.getContext(),
      cast<RankedTensorType>(pipe.match.loop.getResult(0).getType()));
  return AsyncDotOp::create(rewriter, loc, type,
                            slotOf(rewriter, loc, pipe.lhs.ring, cursor),
                            slotOf(rewriter, loc, pipe.rhs.ring, cursor), acc);
}

/// The trips of a loop that runs at least once. The first stands before the
/// loop: it has no stage before it to release, and it may overwrite instead of
/// adding to zeros.
ConsumerWriter::Outcome ConsumerWriter::writeTrips(Pipe pipe, Value cursor) {
  scf::ForOp loop = pipe.match.loop;
  Location loc = loop.getLoc();
  Value init = loop.getInitArgs().front();
  Value first = multiply(pipe, cursor, isZeroTile(init) ? Value() : init);
  Value second = AdvanceOp::create(rewriter, loc, cursor);
  Value from = arith::AddIOp::create(rewriter, loc, loop.getLowerBound(),
                                     loop.getStep());
  auto trips =
      scf::ForOp::create(rewriter, loc, from, loop.getUpperBound(),
                         loop.getStep(), ValueRange{first, second, cursor});
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(trips.getBody());
    Value acc = trips.getRegionIterArg(0), now = trips.getRegionIterArg(1),
          before = trips.getRegionIterArg(2);
    Value next = multiply(pipe, now, acc);
    LimitDotsOp::create(rewriter, loc, 1);
    ReleaseOp::create(rewriter, loc, pipe.barriers, before);
    Value following = AdvanceOp::create(rewriter, loc, now);
    scf::YieldOp::create(rewriter, loc, ValueRange{next, following, now});
  }
  if (pipe.turns)
    PassTurnOp::create(rewriter, loc, pipe.turns);
  Value sum =
      FinishDotOp::create(rewriter, loc, init.getType(), trips.getResult(0));
  ReleaseOp::create(rewriter, loc, pipe.barriers, trips.getResult(2));
  return {sum, trips.getResult(1)};
}

/// The trips of a loop whose dots must not add to the sum. Each is waited for
/// and added; the other warp groups multiply meanwhile.
ConsumerWriter::Outcome ConsumerWriter::writeAddedTrips(Pipe pipe,
                                                        Value cursor) {
  scf::ForOp loop = pipe.match.loop;
  Location loc = loop.getLoc();
  Value init = loop.getInitArgs().front();
  auto trips = scf::ForOp::create(rewriter, loc, loop.getLowerBound(),
                                  loop.getUpperBound(), loop.getStep(),
                                  ValueRange{init, cursor});
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(trips.getBody());
    Value sum = trips.getRegionIterArg(0), now = trips.getRegionIterArg(1);
    Value product = FinishDotOp::create(rewriter, loc, init.getType(),
                                        multiply(pipe, now, /*acc=*/Value()));
    ReleaseOp::create(rewriter, loc, pipe.barriers, now);
    sum = arith::AddFOp::create(rewriter, loc, sum, product);
    Value following = AdvanceOp::create(rewriter, loc, now);
    scf::YieldOp::create(rewriter, loc, ValueRange{sum, following});
  }
  if (pipe.turns)
    PassTurnOp::create(rewriter, loc, pipe.turns);
  return {trips.getResult(0), trips.getResult(1)};
}

ConsumerWriter::Outcome ConsumerWriter::writePipe(Pipe pipe, Value cursor) {
  loadEarly(pipe.match.loop);
  if (pipe.match.addsTrips())
    return writeAddedTrips(pipe, cursor);
  if (pipe.match.runsAlways())
    return writeTrips(pipe, cursor);
  scf::ForOp loop = pipe.match.loop;
  Location loc = loop.getLoc();
  Value init = loop.getInitArgs().front();
  Value runs =
      arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                            loop.getLowerBound(), loop.getUpperBound());
  auto branch = scf::IfOp::create(rewriter, loc,
                                  TypeRange{init.getType(), cursor.getType()},
                                  runs, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  Outcome outcome = writeTrips(pipe, cursor);
  scf::YieldOp::create(rewriter, loc, ValueRange{outcome.sum, outcome.cursor});
  rewriter.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(rewriter, loc, ValueRange{init, cursor});
  return {branch.getResult(0), branch.getResult(1)};
}

void ConsumerWriter::writeTeams(Pipe pipe) {
  scf::ForOp loop = pipe.match.loop;
  auto outer = cast<scf::ForOp>(loop->getParentOp());
  Location loc = outer.getLoc();
  constexpr int64_t teams = 2;
  rewriter.setInsertionPoint(outer);
  Arithmetic math(rewriter, loc);
  Value team = TeamOp::create(rewriter, loc);
  outer.setLowerBound(
      math.add(outer.getLowerBound(), math.mul(team, outer.getStep())));
  outer.setStep(math.mul(outer.getStep(), teams));
  auto carry = [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
    loadEarly(loop);
    rewriter.setInsertionPoint(loop);
    Value number = arguments.front();
    TakeTurnOp::create(rewriter, loc, pipe.turns, number);
    // Every tile takes as many copies, so its place in the ring is known.
    Value span = math.sub(loop.getUpperBound(), loop.getLowerBound());
    Value trips =
        math.div(math.add(span, math.sub(loop.getStep(), 1)), loop.getStep());
    Value cursor = CursorOp::create(
        rewriter, loc,
        cast<SharedType>(pipe.lhs.ring.getType()).getCursorType(),
        math.mul(number, trips));
    rewriter.replaceOp(loop, writePipe(pipe, cursor).sum);
    rewriter.setInsertionPoint(outer.getBody()->getTerminator());
    return SmallVector<Value>{math.add(number, teams)};
  };
  LogicalResult replaced = outer.replaceWithAdditionalYields(
      rewriter, team, /*replaceInitOperandUsesInLoop=*/false, carry);
  assert(succeeded(replaced) && "a loop takes any number of values along");
  (void)replaced;
}

void writeConsumer(IRRewriter &rewriter, Block &body, ArrayRef<Pipe> pipes) {
  ConsumerWriter writer(rewriter, pipes);
  if (pipes.front().turns)
    return writer.writeTeams(pipes.front());
  SmallVector<Value> cursors;
  rewriter.setInsertionPointToStart(&body);
  for (Pipe pipe : pipes)
    cursors.push_back(CursorOp::create(
        rewriter, pipe.match.loop.getLoc(),
        cast<SharedType>(pipe.lhs.ring.getType()).getCursorType(), Value()));
  writer.write(body, cursors);
}

} // namespace tilegpt::tilegpu
