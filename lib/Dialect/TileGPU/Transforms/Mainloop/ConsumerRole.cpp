// The consumers of a kernel: its body, where main loops and residents take
// their tiles from rings.
#include "Mainloop/MainloopRings.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Replaces a loop by one that carries more values.
/// \param values  on entry the initial values, on return the results.
/// \param write  replaces an iteration's arguments by the values it yields.
static void carryThrough(IRRewriter &rewriter, scf::ForOp loop,
                         SmallVector<Value> &values,
                         function_ref<void(SmallVector<Value> &)> write) {
  auto carry = [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
    SmallVector<Value> within(arguments.begin(), arguments.end());
    write(within);
    return within;
  };
  size_t numCarried = loop.getNumResults();
  FailureOr<LoopLikeOpInterface> copy = loop.replaceWithAdditionalYields(
      rewriter, values, /*replaceInitOperandUsesInLoop=*/false, carry);
  assert(succeeded(copy) && "a loop carries any number of values");
  auto results = (*copy)->getResults().drop_front(numCarried);
  values.assign(results.begin(), results.end());
}

static void carryThrough(IRRewriter &rewriter, scf::WhileOp loop,
                         SmallVector<Value> &values,
                         function_ref<void(SmallVector<Value> &)> write) {
  Location loc = loop.getLoc();
  auto append = [&](ValueRange own, ValueRange more) {
    SmallVector<Value> all(own);
    llvm::append_range(all, more);
    return all;
  };
  size_t numCarried = loop.getNumResults();
  SmallVector<Type> types(loop.getResultTypes());
  llvm::append_range(types, ValueRange(values).getTypes());
  auto copy = scf::WhileOp::create(rewriter, loc, types,
                                   append(loop.getInits(), values));
  copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  auto move = [&](Region &from, Region &to) {
    to.takeBody(from);
    SmallVector<Value> within;
    for (Value value : values)
      within.push_back(to.front().addArgument(value.getType(), loc));
    return within;
  };
  SmallVector<Value> before = move(loop.getBefore(), copy.getBefore()),
                     after = move(loop.getAfter(), copy.getAfter());
  scf::ConditionOp condition = copy.getConditionOp();
  condition.getArgsMutable().append(before);
  write(after);
  scf::YieldOp yield = copy.getYieldOp();
  yield.getResultsMutable().append(after);
  auto results = copy.getResults();
  rewriter.replaceOp(loop, results.take_front(numCarried));
  values.assign(results.begin() + numCarried, results.end());
}

namespace {
class ConsumerWriter {
public:
  ConsumerWriter(IRRewriter &rewriter, KernelRings &rings)
      : rewriter(rewriter), rings(rings) {}

  /// Rewrites the main loops of a block.
  /// \param cursors  on entry before the block, on return after it.
  void write(Block &block, SmallVector<Value> &cursors) {
    DenseMap<Operation *, SmallVector<ResidentRing *>> lastUses =
        findLastUses(block);
    for (Operation *op = &block.front(), *next; op; op = next) {
      next = op->getNextNode();
      SmallVector<ResidentRing *> unused = lastUses.lookup(op);
      if (ResidentRing *ring = rings.findResident(op))
        awaitResident(*ring, cursors);
      else if (op == rings.walk.loop)
        writeWalk(cursors);
      else if (LoopRings *loop = rings.find(op))
        writeMainloop(*loop, cursors);
      else if (auto around = dyn_cast<scf::ForOp>(op); around && rings.isIn(op))
        writeAround(around, cursors);
      else if (auto around = dyn_cast<scf::WhileOp>(op);
               around && rings.isIn(op))
        writeAround(around, cursors);
      if (next)
        rewriter.setInsertionPoint(next);
      else
        rewriter.setInsertionPointToEnd(&block);
      for (ResidentRing *ring : unused)
        releaseResident(*ring, cursors);
    }
  }

  /// Deals the iterations of the loop around the only main loop to the
  /// ping-pong consumers in turn.
  void writePingPong();

private:
  /// Maps ops of a block to the loaded residents that they are the last to
  /// read.
  DenseMap<Operation *, SmallVector<ResidentRing *>>
  findLastUses(Block &block) {
    DenseMap<Operation *, SmallVector<ResidentRing *>> lastUses;
    for (ResidentRing &ring : rings.residents) {
      tile::LoadOp load = ring.load.load;
      if (load->getBlock() != &block)
        continue;
      Operation *last = nullptr;
      for (LoopRings &loop : rings.loops)
        if (llvm::is_contained(loop.loop.getResidents(), load.getResult()))
          last = block.findAncestorOpInBlock(*loop.loop);
      lastUses[last].push_back(&ring);
    }
    return lastUses;
  }

  void awaitResident(ResidentRing &ring, SmallVector<Value> &cursors) {
    tile::LoadOp load = ring.load.load;
    RingGroup &group = rings.groups[ring.group];
    Location loc = load.getLoc();
    rewriter.setInsertionPoint(load);
    AwaitOp::create(rewriter, loc, group.barriers, cursors[ring.group]);
    Value slot = group.getSlot(rewriter, loc, 0, cursors[ring.group]);
    clearBehindWindow(rewriter, ring.load, slot,
                      [](Value value) { return value; });
    for (LoopRings &loop : rings.loops)
      if (Value argument = residentArgument(loop.loop, load)) {
        clearBehindColumns(rewriter, argument, slot,
                           ring.load.hasZerosBehindColumns);
        break;
      }
    slots.map(load.getResult(), slot);
  }

  /// The block argument of a resident in a loop; null if the loop has none.
  static Value residentArgument(MainloopOp loop, Value resident) {
    for (auto [argument, tile] :
         llvm::zip_equal(loop.getResidentArgs(), loop.getResidents()))
      if (tile == resident)
        return argument;
    return {};
  }

  void releaseResident(ResidentRing &ring, SmallVector<Value> &cursors) {
    tile::LoadOp load = ring.load.load;
    Value &cursor = cursors[ring.group];
    ReleaseOp::create(rewriter, load.getLoc(),
                      rings.groups[ring.group].barriers, cursor);
    cursor = AdvanceOp::create(rewriter, load.getLoc(), cursor);
    if (load->use_empty())
      rewriter.eraseOp(load);
  }

  void writeMainloop(LoopRings &loop, SmallVector<Value> &cursors) {
    placeComputedResidents(loop.loop);
    rewriter.setInsertionPoint(loop.loop);
    writeIterations(rewriter, rings, loop, cursors, slots);
  }

  /// Writes lhs operands that are computed before a loop to shared memory. Each
  /// warp group writes only the rows that it multiplies.
  void placeComputedResidents(MainloopOp loop) {
    for (Value resident : loop.getResidents()) {
      if (slots.contains(resident))
        continue;
      Location loc = resident.getLoc();
      auto tile = cast<RankedTensorType>(resident.getType());
      rewriter.setInsertionPoint(loop->getParentOfType<RolesOp>());
      Value buffer =
          AllocOp::create(rewriter, loc, bufferOfOperand(tile), nullptr);
      rewriter.setInsertionPoint(loop);
      RankedTensorType rows = tile.cloneWithEncoding(accumulatorLayout(
          DotKind::Wgmma, tile, PlanAttr::of(loop).getWarps()));
      Value value = resident;
      if (rows != tile)
        value = ConvertLayoutOp::create(rewriter, loc, rows, value);
      WriteOp::create(rewriter, loc, value, buffer);
      clearBehindColumns(rewriter, residentArgument(loop, resident), buffer,
                         /*hasZeros=*/false);
      PublishOp::create(rewriter, loc);
      slots.map(resident, buffer);
    }
  }

  /// Carries the cursors through a loop around main loops.
  void writeAround(scf::ForOp loop, SmallVector<Value> &cursors) {
    rewriter.setInsertionPoint(loop);
    carryThrough(rewriter, loop, cursors, [&](SmallVector<Value> &within) {
      write(*loop.getBody(), within);
    });
  }

  void writeAround(scf::WhileOp loop, SmallVector<Value> &cursors) {
    rewriter.setInsertionPoint(loop);
    Block *body = loop.getAfterBody();
    carryThrough(rewriter, loop, cursors,
                 [&](SmallVector<Value> &within) { write(*body, within); });
  }

  /// Rewrites a loop over tiles that the producer draws.
  void writeWalk(SmallVector<Value> &cursors) {
    TileWalk &walk = rings.walk;
    scf::ForOp loop = walk.loop;
    Location loc = loop.getLoc();
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
                 Value next = ReceiveOp::create(rewriter, loc, walk.words,
                                                walk.barriers, place);
                 within.push_back(AdvanceOp::create(rewriter, loc, place));
                 return next;
               });
    cursors.pop_back();
    rewriter.eraseOp(loop);
  }

  IRRewriter &rewriter;
  KernelRings &rings;
  /// Maps residents to their buffers.
  IRMapping slots;
};
} // namespace

void ConsumerWriter::writePingPong() {
  LoopRings &rings = this->rings.loops.front();
  MainloopOp loop = rings.loop;
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
    rewriter.setInsertionPoint(loop);
    Value number = arguments.front();
    TakeTurnOp::create(rewriter, loc, this->rings.turns, number);
    // Every tile takes the same number of copies of each group, so its ring
    // positions are known.
    Value span = math.sub(loop.getUpperBound(), loop.getLowerBound());
    Value iterations =
        math.div(math.add(span, math.sub(loop.getStep(), 1)), loop.getStep());
    Value first = math.mul(number, iterations);
    SmallVector<Value> cursors;
    for (RingGroup &group : this->rings.groups)
      cursors.push_back(
          CursorOp::create(rewriter, loc, group.getCursorType(), first));
    writeIterations(rewriter, this->rings, rings, cursors, slots);
    rewriter.setInsertionPoint(outer.getBody()->getTerminator());
    return SmallVector<Value>{math.add(number, teams)};
  };
  LogicalResult replaced = outer.replaceWithAdditionalYields(
      rewriter, team, /*replaceInitOperandUsesInLoop=*/false, carry);
  assert(succeeded(replaced) && "a loop carries any number of values");
  (void)replaced;
}

void writeConsumer(IRRewriter &rewriter, Block &body, KernelRings &rings) {
  ConsumerWriter writer(rewriter, rings);
  if (rings.turns)
    return writer.writePingPong();
  rewriter.setInsertionPointToStart(&body);
  Location loc = rings.loops.front().loop.getLoc();
  bool takesTurns = llvm::any_of(
      rings.loops, [](LoopRings &loop) { return takesGroupTurns(loop.loop); });
  if (takesTurns)
    OpenGroupTurnsOp::create(rewriter, loc);
  SmallVector<Value> cursors = rings.makeCursors(rewriter, loc);
  writer.write(body, cursors);
}

} // namespace tilegpt::tilegpu
