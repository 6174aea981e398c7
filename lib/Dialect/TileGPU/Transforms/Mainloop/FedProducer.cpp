// The producer of a fed loop: one thread that keeps all rings full.
#include "Mainloop/FedRoles.h"
#include "TileGPT/Dialect/TileGPU/Analysis/GridWalk.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

CursorType FedRing::getCursorType() {
  return cast<SharedType>(buffers.getType()).getCursorType();
}

Value FedRing::getSlot(OpBuilder &builder, Value cursor) {
  SharedType stage = cast<SharedType>(buffers.getType()).getStageType();
  return SlotOp::create(builder, load.load->getLoc(), stage, buffers, cursor);
}

SmallVector<Value> FedPipes::makeCursors(OpBuilder &builder) {
  SmallVector<Value> cursors;
  for (ArrayRef<FedRing> rings :
       {ArrayRef(staying), ArrayRef(leading), ArrayRef(trailing)})
    for (FedRing ring : rings)
      cursors.push_back(CursorOp::create(builder, match.loop.getLoc(),
                                         ring.getCursorType(), Value()));
  return cursors;
}

static Value makeBarriers(OpBuilder &builder, Location loc, int64_t stages,
                          PlanAttr plan) {
  auto words = SharedType::get(builder.getContext(), {2 * stages},
                               builder.getI64Type(), /*swizzle=*/0,
                               /*padding=*/0);
  return PipeOp::create(builder, loc,
                        PipeType::get(builder.getContext(), stages),
                        AllocOp::create(builder, loc, words, nullptr),
                        builder.getI64IntegerAttr(plan.getWarps()));
}

static FedRing makeRing(OpBuilder &builder, WindowLoad load, int64_t stages,
                        PlanAttr plan) {
  Location loc = load.load->getLoc();
  Value map = TensorMapOp::create(builder, loc, load.getMapType(), load.root);
  Value buffers =
      AllocOp::create(builder, loc, load.getRingType(stages), nullptr);
  return {load, map, buffers, makeBarriers(builder, loc, stages, plan)};
}

/// The loop around a fed one whose tiles are drawn, with a ring of two numbers.
static FedWalk makeWalk(OpBuilder &builder, FedLoop &match, PlanAttr plan) {
  constexpr int64_t stages = 2;
  for (Operation *around = match.loop->getParentOp();
       auto loop = dyn_cast<scf::ForOp>(around);
       around = around->getParentOp()) {
    if (!loop->hasAttr(drawnName))
      continue;
    Location loc = loop.getLoc();
    auto words = SharedType::get(builder.getContext(), {stages},
                                 builder.getI32Type(), /*swizzle=*/0,
                                 /*padding=*/0);
    return {loop, AllocOp::create(builder, loc, words, nullptr),
            makeBarriers(builder, loc, stages, plan)};
  }
  return {};
}

FedPipes makeFedPipes(OpBuilder &builder, FedLoop match, PlanAttr plan) {
  FedPipes pipes{match, {}, {}, {}, makeWalk(builder, match, plan)};
  for (LeadingDot &dot : match.leading) {
    pipes.staying.push_back(makeRing(builder, dot.lhs, stagesOfStaying, plan));
    pipes.leading.push_back(makeRing(builder, dot.rhs, plan.getStages(), plan));
  }
  for (TrailingDot &dot : match.trailing)
    pipes.trailing.push_back(
        makeRing(builder, dot.rhs, plan.getStages(), plan));
  return pipes;
}

Value FedWalk::makeCursor(OpBuilder &builder) {
  return CursorOp::create(
      builder, barriers.getLoc(),
      CursorType::get(builder.getContext(),
                      cast<PipeType>(barriers.getType()).getStages()),
      Value());
}

void FedWalk::write(OpBuilder &builder, Value first, Value tiles,
                    SmallVector<Value> &values,
                    function_ref<Value(Value, SmallVector<Value> &)> body) {
  Location loc = barriers.getLoc();
  // Not whether a tile is below `tiles`: of a range that is known LLVM makes
  // 16-bit arithmetic, which is none of a warp's.
  Value none = arith::ConstantIndexOp::create(builder, loc, noTile);
  Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        first, tiles);
  SmallVector<Value> inits = {
      arith::SelectOp::create(builder, loc, isThere, first, none)};
  inits.append(values);
  auto walk = scf::WhileOp::create(builder, loc, TypeRange(ValueRange(inits)),
                                   inits, nullptr, nullptr);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(walk.getBeforeBody());
  ValueRange before = walk.getBeforeArguments();
  Value goesOn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                       before.front(), none);
  scf::ConditionOp::create(builder, loc, goesOn, before);
  builder.setInsertionPointToStart(walk.getAfterBody());
  ValueRange after = walk.getAfterArguments();
  SmallVector<Value> within(after.drop_front());
  SmallVector<Value> next = {body(after.front(), within)};
  next.append(within);
  scf::YieldOp::create(builder, loc, next);
  ValueRange results = walk.getResults();
  values.assign(results.drop_front().begin(), results.end());
}

namespace {
class FedProducer {
public:
  FedProducer(OpBuilder &builder, FedPipes &pipes)
      : builder(builder), pipes(pipes) {}

  /// Writes what the producer does of a block; cursors go in as they are before
  /// the block and come out as they are behind it.
  void write(Block &block, IRMapping &known, SmallVector<Value> &cursors) {
    for (auto loop : block.getOps<scf::ForOp>())
      if (loop == pipes.walk.loop)
        writeWalk(known, cursors);
      else if (loop->isAncestor(pipes.match.loop))
        writeLoop(loop, known, cursors);
  }

private:
  /// Draws the next tile once all copies for this one are on their way: the
  /// later, the better blocks even out.
  void writeWalk(IRMapping &known, SmallVector<Value> &cursors) {
    FedWalk &walk = pipes.walk;
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
                 Value next = DrawTileOp::create(builder, loc, tiles);
                 SendOp::create(builder, loc, next, walk.words, walk.barriers,
                                place);
                 within.push_back(AdvanceOp::create(builder, loc, place));
                 return next;
               });
    cursors.pop_back();
  }

  void writeLoop(scf::ForOp loop, IRMapping &known,
                 SmallVector<Value> &cursors) {
    Location loc = loop.getLoc();
    bool isFed = loop == pipes.match.loop;
    if (isFed)
      copyAll(pipes.staying, /*first=*/0, known, cursors);
    Value from = reproduceScalar(builder, loop.getLowerBound(), known),
          to = reproduceScalar(builder, loop.getUpperBound(), known),
          step = reproduceScalar(builder, loop.getStep(), known);
    auto copy = scf::ForOp::create(builder, loc, from, to, step, cursors);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(copy.getBody());
    IRMapping inside = known;
    inside.map(loop.getInductionVar(), copy.getInductionVar());
    SmallVector<Value> within(copy.getRegionIterArgs());
    if (isFed) {
      copyAll(pipes.leading, pipes.getFirstLeading(), inside, within);
      copyAll(pipes.trailing, pipes.getFirstTrailing(), inside, within);
    } else {
      write(*loop.getBody(), inside, within);
    }
    scf::YieldOp::create(builder, loc, within);
    cursors.assign(copy.result_begin(), copy.result_end());
  }

  void copyAll(ArrayRef<FedRing> rings, size_t first, IRMapping &known,
               SmallVector<Value> &cursors) {
    for (auto [ring, cursor] :
         llvm::zip(rings, MutableArrayRef(cursors).drop_front(first)))
      cursor = copyTile(ring, cursor, known);
  }

  /// Starts the copy of a tile; returns the place of the next one.
  Value copyTile(FedRing ring, Value cursor, IRMapping &known) {
    Location loc = ring.load.load->getLoc();
    SmallVector<Value> place = ring.load.getFirstElement(builder, known);
    AcquireOp::create(builder, loc, ring.barriers, cursor,
                      ring.load.getBytes());
    TmaLoadOp::create(builder, loc, ring.map, place,
                      ring.getSlot(builder, cursor), ring.barriers, cursor);
    return AdvanceOp::create(builder, loc, cursor);
  }

  OpBuilder &builder;
  FedPipes &pipes;
};
} // namespace

void writeFedProducer(OpBuilder &builder, Block &body, FedPipes &pipes) {
  SmallVector<Value> cursors = pipes.makeCursors(builder);
  IRMapping known;
  FedProducer(builder, pipes).write(body, known, cursors);
}

} // namespace tilegpt::tilegpu
