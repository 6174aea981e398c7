// The producer of a kernel: one thread that keeps the rings full.
#include "Mainloop/MadeMaps.h"
#include "Mainloop/MainloopRings.h"
#include "TileGPT/Dialect/TileGPU/Analysis/GridWalk.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// The scalars among the values that a loop carries or passes on, and that the
/// producer can compute.
struct Scalars {
  explicit Scalars(ValueRange values) {
    for (auto [number, value] : llvm::enumerate(values))
      if (!isa<RankedTensorType>(value.getType()) && canReproduce(value))
        numbers.push_back(number);
  }

  /// Computes those of `values` of the original loop, and adds them to
  /// `within`.
  void reproduce(OpBuilder &builder, ValueRange values, IRMapping &known,
                 SmallVector<Value> &within) const {
    for (size_t number : numbers)
      within.push_back(reproduceScalar(builder, values[number], known));
  }

  /// Maps `values` of the original loop to those behind the cursors, which
  /// leave `within`.
  void map(ValueRange values, SmallVector<Value> &within, size_t numCursors,
           IRMapping &known) const {
    for (auto [number, copy] :
         llvm::zip_equal(numbers, ArrayRef(within).drop_front(numCursors)))
      known.map(values[number], copy);
    within.truncate(numCursors);
  }

  SmallVector<size_t> numbers;
};

class ProducerWriter {
public:
  ProducerWriter(OpBuilder &builder, KernelRings &rings, MadeMaps &made)
      : builder(builder), rings(rings), made(made) {}

  /// Emits the producer's part of a block.
  /// \param known  maps the block's values to the producer's.
  /// \param cursors  on entry before the block, on return after it; those of
  /// all groups, then the states of descriptors.
  void write(Block &block, IRMapping &known, SmallVector<Value> &cursors) {
    for (Operation &op : block) {
      if (ResidentRing *ring = rings.findResident(&op))
        copy(ring->group, {{ring->load, ring->map, 0, /*sharedAlong=*/{}}},
             known, cursors);
      else if (&op == rings.walk.loop)
        writeWalk(known, cursors);
      else if (LoopRings *loop = rings.find(&op))
        writeMainloop(*loop, known, cursors);
      else if (auto around = dyn_cast<scf::ForOp>(op);
               around && rings.isIn(&op))
        writeAround(around, known, cursors);
      else if (auto around = dyn_cast<scf::WhileOp>(op);
               around && rings.isIn(&op))
        writeAround(around, known, cursors);
      else if (made.isView(&op))
        made.takeView(builder, op.getResult(0), known, cursors);
    }
  }

private:
  struct Copy {
    StreamLoad load;
    Value map;
    unsigned ring;
    std::optional<int64_t> sharedAlong;
  };

  /// Issues the copies to a stage of a group.
  void copy(unsigned group, ArrayRef<Copy> copies, IRMapping &known,
            SmallVector<Value> &cursors) {
    RingGroup &rings = this->rings.groups[group];
    Value &cursor = cursors[group];
    tile::LoadOp first = copies.front().load.load;
    Location loc = first.getLoc();
    SmallVector<SmallVector<Value>> places;
    for (Copy copy : copies)
      places.push_back(copy.load.getFirstElement(builder, known));
    AcquireOp::create(builder, loc, rings.barriers, cursor,
                      rings.getStageBytes());
    for (auto [copy, place] : llvm::zip_equal(copies, places))
      TmaLoadOp::create(builder, loc, copy.map, place,
                        rings.getSlot(builder, loc, copy.ring, cursor),
                        rings.barriers, cursor,
                        copy.sharedAlong
                            ? builder.getI64IntegerAttr(*copy.sharedAlong)
                            : IntegerAttr());
    cursor = AdvanceOp::create(builder, loc, cursor);
  }

  /// Draws the next tile only after all copies of this one are issued: the
  /// later, the better the load balance.
  void writeWalk(IRMapping &known, SmallVector<Value> &cursors) {
    TileWalk &walk = rings.walk;
    Location loc = walk.loop.getLoc();
    Value first = reproduceScalar(builder, walk.loop.getLowerBound(), known),
          tiles = reproduceScalar(builder, walk.loop.getUpperBound(), known);
    cursors.push_back(walk.makeCursor(builder));
    walk.write(builder, first, tiles, cursors,
               [&](Value tile, SmallVector<Value> &within) -> Value {
                 Value place = within.pop_back_val();
                 IRMapping inside = known;
                 inside.map(walk.loop.getInductionVar(), tile);
                 write(*walk.loop.getBody(), inside, within);
                 Value next = NextTileOp::create(builder, loc, tiles);
                 SendOp::create(builder, loc, next, walk.words, walk.barriers,
                                place);
                 within.push_back(AdvanceOp::create(builder, loc, place));
                 return next;
               });
    cursors.pop_back();
  }

  /// Emits a loop of the producer.
  /// \param body  emits an iteration.
  void writeLoop(Operation *loop, ArrayRef<Value> bounds, IRMapping &known,
                 SmallVector<Value> &cursors,
                 function_ref<void(Value, SmallVector<Value> &)> body) {
    Value from = reproduceScalar(builder, bounds[0], known),
          to = reproduceScalar(builder, bounds[1], known),
          step = reproduceScalar(builder, bounds[2], known);
    auto copy =
        scf::ForOp::create(builder, loop->getLoc(), from, to, step, cursors);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(copy.getBody());
    SmallVector<Value> within(copy.getRegionIterArgs());
    body(copy.getInductionVar(), within);
    scf::YieldOp::create(builder, loop->getLoc(), within);
    cursors.assign(copy.result_begin(), copy.result_end());
  }

  /// Emits a loop around main loops, with the scalars that it carries for the
  /// producer's needs.
  void writeAround(scf::ForOp loop, IRMapping &known,
                   SmallVector<Value> &cursors) {
    Scalars carried(loop.getRegionIterArgs());
    size_t numCursors = cursors.size();
    carried.reproduce(builder, loop.getInitArgs(), known, cursors);
    writeLoop(
        loop, {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
        known, cursors, [&](Value number, SmallVector<Value> &within) {
          IRMapping inside = known;
          inside.map(loop.getInductionVar(), number);
          carried.map(loop.getRegionIterArgs(), within, numCursors, inside);
          write(*loop.getBody(), inside, within);
          carried.reproduce(builder, loop.getYieldedValues(), inside, within);
        });
    carried.map(loop.getResults(), cursors, numCursors, known);
  }

  void writeAround(scf::WhileOp loop, IRMapping &known,
                   SmallVector<Value> &cursors) {
    Location loc = loop.getLoc();
    Scalars entering(loop.getBeforeArguments()),
        passed(loop.getConditionOp().getArgs());
    size_t numCursors = cursors.size();
    SmallVector<Value> inits = cursors;
    entering.reproduce(builder, loop.getInits(), known, inits);
    SmallVector<Type> types = llvm::map_to_vector(
        cursors, [](Value cursor) { return cursor.getType(); });
    for (size_t number : passed.numbers)
      types.push_back(loop.getResult(number).getType());
    auto copy =
        scf::WhileOp::create(builder, loc, types, inits, nullptr, nullptr);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(copy.getBeforeBody());
      SmallVector<Value> within(copy.getBeforeArguments());
      IRMapping inside = known;
      entering.map(loop.getBeforeArguments(), within, numCursors, inside);
      scf::ConditionOp condition = loop.getConditionOp();
      Value goesOn = reproduceScalar(builder, condition.getCondition(), inside);
      passed.reproduce(builder, condition.getArgs(), inside, within);
      scf::ConditionOp::create(builder, loc, goesOn, within);

      builder.setInsertionPointToStart(copy.getAfterBody());
      within.assign(copy.getAfterArguments().begin(),
                    copy.getAfterArguments().end());
      inside = known;
      passed.map(loop.getAfterArguments(), within, numCursors, inside);
      write(*loop.getAfterBody(), inside, within);
      entering.reproduce(builder, loop.getYieldOp().getOperands(), inside,
                         within);
      scf::YieldOp::create(builder, loc, within);
    }
    cursors.assign(copy.result_begin(), copy.result_end());
    passed.map(loop.getResults(), cursors, numCursors, known);
  }

  void writeMainloop(LoopRings &loop, IRMapping &known,
                     SmallVector<Value> &cursors) {
    MainloopOp op = loop.loop;
    for (StreamUse &stream : loop.streams)
      reproduceInvariants(stream.load, op, known);
    made.encode(builder, loop, known, cursors);
    writeLoop(
        op, {op.getLowerBound(), op.getUpperBound(), op.getStep()}, known,
        cursors, [&](Value number, SmallVector<Value> &within) {
          IRMapping inside = known;
          inside.map(
              op.getProduceBlock()->getArgument(0),
              iterationAt(builder, op,
                          reproduceScalar(builder, op.getLowerBound(), known),
                          reproduceScalar(builder, op.getUpperBound(), known),
                          number));
          for (auto [index, use] : llvm::enumerate(loop.groups)) {
            SmallVector<Copy> copies;
            for (StreamUse &stream : loop.streams)
              if (stream.use == index)
                copies.push_back({stream.load, made.mapOf(stream), stream.ring,
                                  stream.sharedAlong});
            copy(use.group, copies, inside, within);
          }
        });
  }

  /// Clones the loop-invariant scalars of a load's start in front of the loop.
  /// LICM would not hoist the divisions among them, since the loop might block
  /// forever before it reaches them.
  void reproduceInvariants(StreamLoad &stream, MainloopOp loop,
                           IRMapping &known) {
    SmallVector<Value> scalars(stream.load.getIndices());
    for (ArrayRef<OpFoldResult> parts : stream.start)
      for (OpFoldResult part : parts)
        if (auto value = dyn_cast<Value>(part))
          scalars.push_back(value);
    while (!scalars.empty()) {
      Value scalar = scalars.pop_back_val();
      if (!loop->isAncestor(scalar.getParentBlock()->getParentOp()))
        reproduceScalar(builder, scalar, known);
      else if (Operation *op = scalar.getDefiningOp())
        for (Value operand : op->getOperands())
          if (operand.getType().isIntOrIndex())
            scalars.push_back(operand);
    }
  }

  OpBuilder &builder;
  KernelRings &rings;
  MadeMaps &made;
};
} // namespace

void writeProducer(OpBuilder &builder, Block &body, KernelRings &rings) {
  SmallVector<Value> cursors =
      rings.makeCursors(builder, rings.loops.front().loop.getLoc());
  IRMapping known;
  MadeMaps made(builder, rings, cursors);
  ProducerWriter(builder, rings, made).write(body, known, cursors);
  made.release(builder, cursors);
}

} // namespace tilegpt::tilegpu
