// Decides which rings the main loops of a kernel need, and which ones they
// share.
#include "Mainloop/MainloopRings.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/Analysis/GridWalk.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Multicast.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;

namespace tilegpt::tilegpu {

CursorType RingGroup::getCursorType() const {
  return CursorType::get(barriers.getContext(),
                         cast<PipeType>(barriers.getType()).getStages());
}

int64_t RingGroup::getStageBytes() const {
  int64_t bytes = 0;
  for (Value ring : buffers) {
    SharedType type = cast<SharedType>(ring.getType());
    int64_t stage = type.getElementType().getIntOrFloatBitWidth() / 8;
    for (int64_t size : type.getShape().drop_front())
      stage *= size;
    bytes += stage;
  }
  return bytes;
}

Value RingGroup::getSlot(OpBuilder &builder, Location loc, unsigned number,
                         Value cursor) const {
  return SlotOp::create(builder, loc, buffers[number], cursor);
}

LoopRings *KernelRings::find(Operation *op) {
  auto *found =
      llvm::find_if(loops, [&](LoopRings &loop) { return loop.loop == op; });
  return found == loops.end() ? nullptr : found;
}

ResidentRing *KernelRings::findResident(Operation *op) {
  auto *found = llvm::find_if(
      residents, [&](ResidentRing &ring) { return ring.load.load == op; });
  return found == residents.end() ? nullptr : found;
}

bool KernelRings::encodesMaps() const {
  return llvm::any_of(loops, [](const LoopRings &loop) {
    return llvm::any_of(loop.streams,
                        [](const StreamUse &stream) { return !stream.map; });
  });
}

bool KernelRings::isIn(Operation *op) {
  return llvm::any_of(
      loops, [&](LoopRings &loop) { return op->isAncestor(loop.loop); });
}

SmallVector<Value> KernelRings::makeCursors(OpBuilder &builder, Location loc) {
  return llvm::map_to_vector(groups, [&](RingGroup &group) -> Value {
    return CursorOp::create(builder, loc, group.getCursorType(), Value());
  });
}

/// Allocates shared memory for `count` integers.
static Value makeWords(OpBuilder &builder, Location loc, int64_t count,
                       Type type) {
  return AllocOp::create(builder, loc,
                         SharedType::get(builder.getContext(), {count}, type,
                                         /*swizzle=*/0, /*padding=*/0),
                         nullptr);
}

/// \param blocks  of a cluster that fill the ring together.
static Value makeBarriers(OpBuilder &builder, Location loc, int64_t stages,
                          PlanAttr plan, int64_t blocks = 1) {
  return PipeOp::create(
      builder, loc, PipeType::get(builder.getContext(), stages, blocks),
      makeWords(builder, loc, 2 * stages, builder.getI64Type()),
      plan.getWarps());
}

/// The descriptor that a launch encodes; null if it cannot.
/// \param blocks  that each copy a part of the tile.
static Value makeMap(OpBuilder &builder, const StreamLoad &load,
                     int64_t blocks = 1) {
  if (!load.isOfArgument())
    return {};
  return TensorMapOp::create(builder, tile::LoadOp(load.load).getLoc(),
                             load.getMapType(blocks), load.root);
}

namespace {
/// How the consumers read a stream.
struct Reads {
  bool now = false, late = false, byOthers = false;
};
} // namespace

static Reads readsOf(BlockArgument stream, MainloopOp loop) {
  auto schedule =
      scheduleDots(*loop.getConsumeBlock(), loop.getRegionIterArgs());
  Reads reads;
  for (Operation *user : stream.getUsers()) {
    auto dot = dyn_cast<tile::DotOp>(user);
    DotSchedule kind = dot ? schedule.lookup(dot) : DotSchedule::InPlace;
    reads.now |= kind != DotSchedule::Deferred;
    reads.byOthers |= kind == DotSchedule::InPlace;
    reads.late |=
        kind == DotSchedule::InFlight || kind == DotSchedule::Deferred;
  }
  return reads;
}

namespace {
class RingMaker {
public:
  RingMaker(OpBuilder &builder, KernelRings &rings, PlanAttr plan)
      : builder(builder), rings(rings), plan(plan) {}

  /// Streams that are read and released at the same time share barriers.
  /// Consecutive loops share the rings of tiles with equal types.
  void add(MainloopOp op) {
    LoopRings loop{op, {}, {}};
    SmallVector<SmallVector<SharedType>> types;
    for (auto [stream, argument] :
         llvm::zip_equal(op.getStreams(), op.getStreamArgs())) {
      StreamLoad load = *matchStream(stream.getDefiningOp<tile::LoadOp>());
      Reads reads = readsOf(argument, op);
      auto *use = llvm::find_if(loop.groups, [&](GroupUse &use) {
        return use.isReadNow == reads.now && use.isReleasedLate == reads.late &&
               use.isComputedWith == reads.byOthers;
      });
      if (use == loop.groups.end()) {
        loop.groups.push_back({0, reads.now, reads.late, reads.byOthers});
        types.emplace_back();
        use = &loop.groups.back();
      }
      unsigned number = use - loop.groups.begin();
      types[number].push_back(load.getRingType(plan.getStages()));
      std::optional<int64_t> axis = axisSharedInCluster(load, plan);
      loop.streams.push_back(
          {load,
           makeMap(builder, load, axis ? plan.getMulticastAlong(*axis) : 1),
           number, unsigned(types[number].size() - 1), axis});
    }
    llvm::SmallDenseSet<unsigned> taken;
    for (auto [number, use] : llvm::enumerate(loop.groups)) {
      ArrayRef<SharedType> wanted = types[number];
      bool isShared = llvm::any_of(loop.streams, [&](const StreamUse &stream) {
        return stream.use == number && stream.sharedAlong;
      });
      int64_t blocks = isShared ? plan.getMulticast() : 1;
      use.group =
          findGroup(wanted, blocks, taken).value_or(rings.groups.size());
      if (use.group == rings.groups.size())
        rings.groups.push_back(makeGroup(op.getLoc(), wanted, blocks));
      taken.insert(use.group);
    }
    shared.insert(taken.begin(), taken.end());
    rings.loops.push_back(std::move(loop));
    for (Value resident : op.getResidents())
      addResident(resident);
  }

private:
  void addResident(Value tile) {
    auto load = tile.getDefiningOp<tile::LoadOp>();
    if (!load || rings.findResident(load))
      return;
    std::optional<StreamLoad> stream = matchStream(load);
    if (!stream || !stream->isOfArgument() || !stream->isReproducible())
      return;
    SharedType type = stream->getRingType(plan.getResidentStages());
    rings.residents.push_back(
        {*stream, makeMap(builder, *stream), unsigned(rings.groups.size())});
    rings.groups.push_back(makeGroup(load.getLoc(), {type}, /*blocks=*/1));
  }

  std::optional<unsigned>
  findGroup(ArrayRef<SharedType> types, int64_t blocks,
            const llvm::SmallDenseSet<unsigned> &taken) {
    for (auto [number, group] : llvm::enumerate(rings.groups)) {
      bool fits =
          shared.contains(number) && !taken.contains(number) &&
          cast<PipeType>(group.barriers.getType()).getBlocks() == blocks &&
          llvm::equal(group.buffers, types, [](Value ring, SharedType type) {
            return ring.getType() == type;
          });
      if (fits)
        return number;
    }
    return std::nullopt;
  }

  RingGroup makeGroup(Location loc, ArrayRef<SharedType> types,
                      int64_t blocks) {
    RingGroup group;
    for (SharedType type : types)
      group.buffers.push_back(AllocOp::create(builder, loc, type, nullptr));
    group.barriers =
        makeBarriers(builder, loc, types.front().getShape()[0], plan, blocks);
    return group;
  }

  OpBuilder &builder;
  KernelRings &rings;
  PlanAttr plan;
  /// Groups of streams, which later loops may share.
  llvm::SmallDenseSet<unsigned> shared;
};
} // namespace

/// The loop around main loops whose tiles are drawn dynamically, with a ring of
/// two indices.
static TileWalk makeWalk(OpBuilder &builder, tile::KernelOp kernel,
                         PlanAttr plan) {
  constexpr int64_t stages = 2;
  TileWalk walk;
  kernel.walk([&](scf::ForOp loop) {
    if (loop->hasAttr(dynamicScheduleName))
      walk.loop = loop;
  });
  if (!walk.loop)
    return walk;
  Location loc = walk.loop.getLoc();
  walk.words = makeWords(builder, loc, stages, builder.getI32Type());
  walk.barriers = makeBarriers(builder, loc, stages, plan);
  return walk;
}

KernelRings makeRings(OpBuilder &builder, tile::KernelOp kernel,
                      PlanAttr plan) {
  KernelRings rings;
  RingMaker maker(builder, rings, plan);
  kernel.walk([&](MainloopOp loop) { maker.add(loop); });
  rings.walk = makeWalk(builder, kernel, plan);
  if (int64_t teams = plan.getTeams(); teams > 1) {
    rings.turns =
        makeWords(builder, kernel.getLoc(), teams, builder.getI64Type());
    InitTurnsOp::create(builder, kernel.getLoc(), rings.turns);
  }
  return rings;
}

Value TileWalk::makeCursor(OpBuilder &builder) {
  return CursorOp::create(
      builder, barriers.getLoc(),
      CursorType::get(builder.getContext(),
                      cast<PipeType>(barriers.getType()).getStages()),
      Value());
}

void TileWalk::write(OpBuilder &builder, Value first, Value tiles,
                     SmallVector<Value> &values,
                     function_ref<Value(Value, SmallVector<Value> &)> body) {
  Location loc = barriers.getLoc();
  // Don't compare with `tiles` here: LLVM narrows values of known range to 16
  // bits, which are no longer uniform across a warp.
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

Value rowsInWindow(OpBuilder &builder, StreamLoad &load,
                   function_ref<Value(Value)> inIteration) {
  if (!load.rows || load.isWholeWindow())
    return {};
  Location loc = load.load.getLoc();
  Arithmetic math(builder, loc);
  auto end = dyn_cast<Value>(load.rows);
  Value rows = end ? inIteration(end)
                   : getValueOrCreateConstantIndexOp(builder, loc, load.rows);
  return math.sub(rows, math.mul(inIteration(load.load.getIndices()[0]),
                                 load.load.getType().getDimSize(0)));
}

void clearBehindWindow(OpBuilder &builder, StreamLoad &load, Value slot,
                       function_ref<Value(Value)> inIteration) {
  Value left = rowsInWindow(builder, load, inIteration);
  if (!left)
    return;
  Location loc = load.load.getLoc();
  Value ends = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, left,
      arith::ConstantIndexOp::create(builder, loc,
                                     load.load.getType().getDimSize(0)));
  auto branch = scf::IfOp::create(builder, loc, ends);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  ClearRowsOp::create(builder, loc, slot, left);
}

bool needsClearedColumns(Value argument, bool hasZeros) {
  auto tile = cast<RankedTensorType>(argument.getType());
  int64_t columns = tile.getDimSize(1);
  bool isRead = llvm::any_of(argument.getUsers(), [&](Operation *user) {
    auto dot = dyn_cast<tile::DotOp>(user);
    return dot && ((dot.getLhs() == argument && !dot.getTransposeA()) ||
                   (dot.getRhs() == argument && dot.getTransposeB()));
  });
  return isRead && !hasZeros &&
         columns * tile.getElementTypeBitWidth() / 8 % AsyncDotOp::stepBytes !=
             0;
}

void clearBehindColumns(OpBuilder &builder, Value argument, Value slot,
                        bool hasZeros) {
  if (needsClearedColumns(argument, hasZeros))
    ClearColumnsOp::create(
        builder, argument.getLoc(), slot,
        cast<RankedTensorType>(argument.getType()).getDimSize(1));
}

} // namespace tilegpt::tilegpu
