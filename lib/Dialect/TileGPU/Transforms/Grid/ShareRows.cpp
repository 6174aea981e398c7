// Splits the rows of a loop across the blocks of a cluster: each block takes
// its part of the first axis of the loop-carried values, and all exchange them
// after the loop.
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/BlockCopies.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include <map>

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SHAREROWS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// An operand number, and the axis along which the operand must be split.
using Source = std::pair<unsigned, int64_t>;

/// The operands to split so that an op's result can be computed in parts along
/// an axis; nullopt if it cannot.
std::optional<SmallVector<Source>> sourcesOf(Operation *op, int64_t axis,
                                             int64_t parts) {
  using Sources = std::optional<SmallVector<Source>>;
  auto nothing = [] { return SmallVector<Source>(); };
  auto first = [](int64_t along) {
    return SmallVector<Source>{Source(0, along)};
  };
  RankedTensorType type = tileOf(op->getResult(0));
  if (op->getNumResults() != 1 || type.getDimSize(axis) % parts != 0)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Sources>(op)
      .Case<tile::SplatOp, tile::IotaOp>(
          [&](auto) -> Sources { return nothing(); })
      .Case([&](arith::ConstantOp constant) -> Sources {
        if (isa<SplatElementsAttr>(constant.getValue()))
          return nothing();
        return std::nullopt;
      })
      .Case([&](tile::LoadOp load) -> Sources {
        if (load.getMask() || load.getOrder())
          return std::nullopt;
        return nothing();
      })
      .Case([&](tile::BroadcastOp broadcast) -> Sources {
        RankedTensorType source = tileOf(broadcast.getSource());
        int64_t from = axis - (type.getRank() - source.getRank());
        if (from < 0 || source.getDimSize(from) == 1)
          return nothing();
        return first(from);
      })
      .Case([&](tile::ExpandDimsOp expand) -> Sources {
        int64_t added = expand.getAxis();
        return first(axis < added ? axis : axis - 1);
      })
      .Case([&](tile::ReduceOp reduce) -> Sources {
        int64_t reduced = reduce.getAxis();
        if (!reduce.getKind() || (reduce.getKeepdims() && axis == reduced))
          return std::nullopt;
        bool isBefore = reduce.getKeepdims() || axis < reduced;
        return first(isBefore ? axis : axis + 1);
      })
      .Case([&](tile::ReshapeOp reshape) -> Sources {
        // Leading rows of the result are leading rows of the source.
        RankedTensorType source = tileOf(reshape.getSource());
        if (axis != 0 || source.getDimSize(0) % parts != 0)
          return std::nullopt;
        return first(0);
      })
      .Default([&](Operation *) -> Sources {
        if (!tile::isElementwise(op))
          return std::nullopt;
        SmallVector<Source> sources;
        for (OpOperand &operand : op->getOpOperands())
          if (tileOf(operand.get()))
            sources.emplace_back(operand.getOperandNumber(), axis);
        return sources;
      });
}

class Sharing {
public:
  Sharing(tile::KernelOp kernel, scf::ForOp loop, int64_t parts)
      : kernel(kernel), loop(loop), parts(parts), builder(loop) {}

  /// Whether the loop only loads and computes, and all it carries can be split.
  bool isPossible() {
    for (Operation &op : loop.getBody()->without_terminator())
      if ((op.getNumRegions() != 0 && !isa<tile::ReduceOp>(op)) ||
          (!isa<tile::LoadOp>(op) && !isMemoryEffectFree(&op)))
        return false;
    if (loop.getNumResults() == 0)
      return false;
    for (auto [init, argument, yielded] :
         llvm::zip_equal(loop.getInits(), loop.getRegionIterArgs(),
                         loop.getYieldedValues())) {
      RankedTensorType type = tileOf(argument);
      if (!type || type.getRank() != 2 || !canCut(init, 0) ||
          !canCut(yielded, 0))
        return false;
    }
    return true;
  }

  void run() {
    Location loc = loop.getLoc();
    builder.setInsertionPointToStart(kernel.getEntryBlock());
    ArriveClusterOp::create(builder, loc, /*relaxed=*/true);
    part = Arithmetic(builder, loc)
               .rem(tile::BlockIdOp::create(builder, loc, 0), parts);
    builder.setInsertionPoint(loop);
    SmallVector<Value> inits = llvm::map_to_vector(
        loop.getInits(), [&](Value init) { return cut(init, 0); });
    shared = scf::ForOp::create(builder, loc, loop.getLowerBound(),
                                loop.getUpperBound(), loop.getStep(), inits);
    scalars.map(loop.getInductionVar(), shared.getInductionVar());
    builder.setInsertionPointToStart(shared.getBody());
    SmallVector<Value> yielded = llvm::map_to_vector(
        loop.getYieldedValues(), [&](Value value) { return cut(value, 0); });
    scf::YieldOp::create(builder, loc, yielded);
    builder.setInsertionPoint(loop);
    meet();
    loop.erase();
  }

private:
  bool isInLoop(Operation *op) { return op->getBlock() == loop.getBody(); }

  bool canCut(Value value, int64_t axis) {
    auto [it, isNew] = cuttable.try_emplace({value.getAsOpaquePointer(), axis});
    if (!isNew)
      return it->second;
    if (auto argument = dyn_cast<BlockArgument>(value))
      return it->second = axis == 0 && argument.getOwner() == loop.getBody() &&
                          tileOf(value).getDimSize(0) % parts == 0;
    Operation *op = value.getDefiningOp();
    auto sources = sourcesOf(op, axis, parts);
    if (!sources)
      return false;
    bool can = true;
    for (OpOperand &operand : op->getOpOperands()) {
      auto *source = llvm::find_if(*sources, [&](Source source) {
        return source.first == operand.getOperandNumber();
      });
      Value from = operand.get();
      if (source != sources->end())
        can &= canCut(from, source->second);
      else if (tileOf(from))
        can &= loop.isDefinedOutsideOfLoop(from);
    }
    return cuttable[{value.getAsOpaquePointer(), axis}] = can;
  }

  /// Clones a value that is no tile into the new loop.
  Value again(Value value) {
    if (Value made = scalars.lookupOrNull(value))
      return made;
    if (loop.isDefinedOutsideOfLoop(value))
      return value;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      scalars.map(operand, again(operand));
    builder.clone(*op, scalars);
    return scalars.lookup(value);
  }

  /// This block's part of a tile along an axis.
  Value cut(Value value, int64_t axis) {
    Value &made = pieces[{value.getAsOpaquePointer(), axis}];
    if (made)
      return made;
    if (auto argument = dyn_cast<BlockArgument>(value))
      return made = shared.getRegionIterArg(argument.getArgNumber() - 1);
    Operation *op = value.getDefiningOp();
    OpBuilder::InsertionGuard guard(builder);
    if (!isInLoop(op) && shared)
      builder.setInsertionPoint(shared);
    auto sources = *sourcesOf(op, axis, parts);
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      auto *source = llvm::find_if(sources, [&](Source source) {
        return source.first == operand.getOperandNumber();
      });
      operands.push_back(source != sources.end()
                             ? cut(operand.get(), source->second)
                             : again(operand.get()));
    }
    Operation *piece = builder.clone(*op);
    piece->setOperands(operands);
    RankedTensorType type = tileOf(value);
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] /= parts;
    auto narrow = RankedTensorType::get(shape, type.getElementType());
    retypeTile(piece->getResult(0), narrow);
    Value result = piece->getResult(0);
    if (auto load = dyn_cast<tile::LoadOp>(piece))
      moveTile(load, axis);
    else if (isa<tile::IotaOp>(piece))
      result = moveNumbers(result, shape[0]);
    return pieces[{value.getAsOpaquePointer(), axis}] = result;
  }

  /// Indices count tiles.
  void moveTile(tile::LoadOp load, int64_t axis) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(load);
    Arithmetic math(builder, load.getLoc());
    OpOperand &index = load.getIndicesMutable()[axis];
    index.set(math.add(math.mul(index.get(), parts), part));
  }

  Value moveNumbers(Value numbers, int64_t count) {
    Location loc = numbers.getLoc();
    RankedTensorType type = tileOf(numbers);
    Value first =
        arith::IndexCastOp::create(builder, loc, type.getElementType(),
                                   Arithmetic(builder, loc).mul(part, count));
    Value firsts = tile::SplatOp::create(builder, loc, type, first,
                                         builder.getI64ArrayAttr({count}));
    return arith::AddIOp::create(builder, loc, numbers, firsts);
  }

  /// Every block writes its part to all blocks.
  void meet() {
    Location loc = loop.getLoc();
    SmallVector<Value> buffers;
    for (Value whole : loop.getResults()) {
      RankedTensorType type = tileOf(whole);
      buffers.push_back(AllocOp::create(
          builder, loc,
          SharedType::get(kernel.getContext(), type.getShape(),
                          type.getElementType(), /*swizzle=*/0, /*padding=*/0),
          IntegerAttr()));
    }
    AwaitClusterOp::create(builder, loc);
    for (auto [piece, buffer] : llvm::zip_equal(shared.getResults(), buffers))
      WritePartOp::create(builder, loc, piece, buffer, part);
    ArriveClusterOp::create(builder, loc);
    AwaitClusterOp::create(builder, loc);
    for (auto [whole, buffer] : llvm::zip_equal(loop.getResults(), buffers))
      whole.replaceAllUsesWith(
          ReadOp::create(builder, loc, whole.getType(), buffer));
  }

  tile::KernelOp kernel;
  scf::ForOp loop, shared; ///< the original, and its replacement
  int64_t parts;
  OpBuilder builder;
  Value part;
  IRMapping scalars;
  std::map<std::pair<const void *, int64_t>, bool> cuttable;
  std::map<std::pair<const void *, int64_t>, Value> pieces;
};

struct ShareRows : tilegpu::impl::ShareRowsBase<ShareRows> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    PlanAttr plan = PlanAttr::of(kernel);
    if (!plan || plan.getProducer() || plan.getParts() == 1)
      return;
    SmallVector<scf::ForOp> loops(kernel.getBody().getOps<scf::ForOp>());
    if (loops.size() != 1 || countBlockCopies(kernel) != plan.getParts())
      return;
    Sharing sharing(kernel, loops.front(), plan.getParts());
    if (!sharing.isPossible())
      return;
    sharing.run();
    kernel->setAttr(clusterName,
                    DenseI32ArrayAttr::get(&getContext(),
                                           {int32_t(plan.getParts()), 1, 1}));
  }
};
} // namespace
