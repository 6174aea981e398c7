// Writes every loop-carried tile to a single buffer. For a `for` it is the
// iteration argument's; for a `while`, whose two regions pass tiles back and
// forth, they are buffers created before it.
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_TIELOOPTILES
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;

static bool isTile(Value value) {
  return isa<RankedTensorType>(value.getType());
}

/// Where a tile carried by inner loops is: its initial buffer.
static Value beginningOf(Value tile) {
  while (auto loop = tile.getDefiningOp<scf::ForOp>())
    tile = loop.getInits()[cast<OpResult>(tile).getResultNumber()];
  return tile;
}

/// True for a tile that is made before the loop that carries `argument`.
static bool isOlder(Operation *op, Value argument) {
  auto carried = dyn_cast_or_null<BlockArgument>(argument);
  return carried && !carried.getOwner()->getParentOp()->isProperAncestor(op);
}

/// True for values that may share the buffer of another iteration argument than
/// `own`: the loop forwards it, whole or in part, or one of several. A branch
/// that may yield a tile from before the loop counts as well: its other tile,
/// computed in the buffer of `own`, would share a result with that one.
static bool passesOn(Value value, Value own, bool inBranch = false) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return value != own;
  auto mayBe = [own](Value other) {
    return passesOn(other, own, /*inBranch=*/true);
  };
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    return mayBe(branch.thenYield().getOperand(number)) ||
           mayBe(branch.elseYield().getOperand(number));
  }
  if (isa<scf::ForOp>(op))
    return passesOn(beginningOf(value), own, inBranch);
  if (isa<arith::SelectOp>(op) && !isTile(op->getOperand(0)))
    return llvm::any_of(op->getOperands().drop_front(), mayBe);
  return isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, tensor::CastOp>(op) ||
         (inBranch && isOlder(op, own));
}

/// A separate copy of a tile.
static Value copyAside(OpBuilder &builder, Location loc, Value tile) {
  return bufferization::AllocTensorOp::create(
      builder, loc, cast<RankedTensorType>(tile.getType()),
      /*dynamicSizes=*/ValueRange(), /*copy=*/tile);
}

/// True for tiles that may be loop-carried ones: the argument itself, loops
/// initialized with it, and branches that yield one.
static bool mayBeCarried(Value tile) {
  tile = beginningOf(tile);
  if (auto argument = dyn_cast<BlockArgument>(tile))
    return isa<scf::ForOp>(argument.getOwner()->getParentOp());
  Operation *op = tile.getDefiningOp();
  if (isa<arith::SelectOp>(op) && !isTile(op->getOperand(0)))
    return llvm::any_of(op->getOperands().drop_front(), mayBeCarried);
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch)
    return false;
  const unsigned number = cast<OpResult>(tile).getResultNumber();
  return mayBeCarried(branch.thenYield().getOperand(number)) ||
         mayBeCarried(branch.elseYield().getOperand(number));
}

/// Initializes a loop with copies of tiles that the enclosing loop carries and
/// uses elsewhere, and of those selected by a branch.
static void beginApart(scf::ForOp loop) {
  OpBuilder builder(loop);
  for (OpOperand &init : loop.getInitsMutable()) {
    Value tile = init.get();
    if (!isTile(tile) || !mayBeCarried(tile))
      continue;
    auto argument = dyn_cast<BlockArgument>(tile);
    if (argument ? !argument.hasOneUse()
                 : isa<scf::IfOp, arith::SelectOp>(tile.getDefiningOp()))
      init.set(copyAside(builder, loop.getLoc(), tile));
  }
}

static void tie(scf::ForOp loop) {
  beginApart(loop);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  OpBuilder builder(yield);
  SmallVector<std::pair<BlockArgument, OpOperand *>> moved;
  for (auto [argument, yielded] :
       llvm::zip_equal(loop.getRegionIterArgs(), yield->getOpOperands()))
    if (isTile(argument) && beginningOf(yielded.get()) != argument)
      moved.push_back({argument, &yielded});

  // Swapped tiles are copied before the first of them is overwritten.
  for (auto [argument, yielded] : moved)
    if (passesOn(yielded->get(), argument))
      yielded->set(copyAside(builder, loop.getLoc(), yielded->get()));
  // A tile yielded for several arguments is computed in the buffer of the
  // first.
  DenseMap<Value, Value> placed;
  for (auto [argument, yielded] : moved) {
    Value &tile = placed[yielded->get()];
    tile = bufferization::MaterializeInDestinationOp::create(
               builder, loop.getLoc(), argument.getType(),
               tile ? tile : yielded->get(), argument)
               .getResult();
    yielded->set(tile);
  }
}

namespace {
/// Removes tiles from the values carried by a `while`: each is kept in a
/// buffer.
class WhileBuffers {
public:
  explicit WhileBuffers(scf::WhileOp loop)
      : loop(loop), loc(loop.getLoc()), builder(loop) {}

  void run() {
    if (llvm::none_of(loop.getInits(), isTile) &&
        llvm::none_of(loop.getResults(), isTile))
      return;
    SmallVector<Value> carried = makeBuffers(loop.getInits()),
                       passed = makeBuffers(loop.getResults());
    write(loop.getInits(), carried);
    scf::ConditionOp condition = loop.getConditionOp();
    scf::YieldOp yield = loop.getYieldOp();
    builder.setInsertionPoint(condition);
    write(condition.getArgs(), passed);
    builder.setInsertionPoint(yield);
    write(yield.getOperands(), carried);
    condition.getArgsMutable().assign(withoutTiles(condition.getArgs()));
    yield->setOperands(withoutTiles(yield.getOperands()));
    readInstead(loop.getBeforeBody(), carried);
    readInstead(loop.getAfterBody(), passed);

    builder.setInsertionPoint(loop);
    SmallVector<Value> inits = withoutTiles(loop.getInits()),
                       results = withoutTiles(loop.getResults());
    auto bare = scf::WhileOp::create(builder, loc,
                                     ValueRange(results).getTypes(), inits);
    bare.getBefore().takeBody(loop.getBefore());
    bare.getAfter().takeBody(loop.getAfter());
    auto number = bare.getResults().begin();
    for (auto [result, buffer] : llvm::zip_equal(loop.getResults(), passed))
      result.replaceAllUsesWith(buffer ? read(result.getType(), buffer)
                                       : Value(*number++));
    loop.erase();
  }

private:
  static SmallVector<Value> withoutTiles(ValueRange values) {
    return llvm::filter_to_vector(values,
                                  [](Value value) { return !isTile(value); });
  }

  /// One per tile, null for other values.
  SmallVector<Value> makeBuffers(ValueRange values) {
    return llvm::map_to_vector(values, [&](Value value) -> Value {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (!type)
        return {};
      return memref::AllocOp::create(
          builder, loc,
          MemRefType::get(type.getShape(), type.getElementType()));
    });
  }

  Value read(Type type, Value buffer) {
    return bufferization::ToTensorOp::create(builder, loc, type, buffer,
                                             /*restrict=*/true);
  }

  /// Tiles that may already be in one of these buffers are copied before the
  /// first of them is overwritten.
  void write(ValueRange values, ArrayRef<Value> buffers) {
    SmallVector<Value> written;
    for (Value value : values)
      written.push_back(isTile(value) && liesInBuffer(value)
                            ? copyAside(builder, loc, value)
                            : value);
    for (auto [value, buffer] : llvm::zip_equal(written, buffers)) {
      if (!buffer)
        continue;
      Value held = bufferization::ToBufferOp::create(
          builder, loc, buffer.getType(), value, /*read_only=*/true);
      linalg::CopyOp::create(builder, loc, held, buffer);
    }
  }

  static bool liesInBuffer(Value value) {
    return passesOn(value, /*own=*/Value()) ||
           value.getDefiningOp<bufferization::ToTensorOp>();
  }

  /// The arguments of a region that are tiles, read from their buffers.
  void readInstead(Block *block, ArrayRef<Value> buffers) {
    builder.setInsertionPointToStart(block);
    for (auto [argument, buffer] :
         llvm::zip_equal(block->getArguments(), buffers))
      if (buffer)
        argument.replaceAllUsesWith(read(argument.getType(), buffer));
    block->eraseArguments(
        [](BlockArgument argument) { return isTile(argument); });
  }

  scf::WhileOp loop;
  Location loc;
  OpBuilder builder;
};

struct TieLoopTiles : tilegpt::cpu::impl::TieLoopTilesBase<TieLoopTiles> {
  void runOnOperation() override {
    getOperation().walk([](scf::ForOp loop) { tie(loop); });
    SmallVector<scf::WhileOp> loops;
    getOperation().walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops)
      WhileBuffers(loop).run();
  }
};
} // namespace
