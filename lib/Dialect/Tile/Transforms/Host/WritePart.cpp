// Creates the kernel that computes a part of a loop from the original kernel.
#include "Host/LoopWriter.h"
#include "KernelExpressions.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tile {

namespace {

/// The identity of a reduction; null if every part may start with the original
/// initial value.
TypedAttr identityOf(const CarriedTile &tile, Type element) {
  OpBuilder builder(element.getContext());
  switch (tile.kind) {
  case ReduceKind::Add:
  case ReduceKind::Xor:
    return builder.getZeroAttr(element);
  case ReduceKind::Mul:
    return builder.getOneAttr(element);
  default:
    return {};
  }
}

class PartWriter : LoopWriter {
public:
  using LoopWriter::LoopWriter;

  std::optional<PartKernel>
  run(function_ref<std::optional<ArgumentAxis>(ArgumentAxis)> sizeOf,
      StringRef &reason) {
    while (loop->getNextNode() != body()->getTerminator())
      body()->getTerminator()->getPrevNode()->erase();
    dropUnused();
    if (!takeSizesFromIns(sizeOf)) {
      reason = "the size of an out is not that of any input";
      return std::nullopt;
    }
    PartKernel part;
    addArguments(part.ins);
    multiplyGrid();
    shareIterations();
    store();
    skipWhereEmpty();
    part.kernel = std::move(copy);
    return part;
  }

private:
  /// Drops outs that are not read from the arguments of a part: their sizes are
  /// those of other arguments.
  bool takeSizesFromIns(
      function_ref<std::optional<ArgumentAxis>(ArgumentAxis)> sizeOf) {
    const auto isSize = [](Operation *user) { return isa<DimOp>(user); };
    for (BlockArgument out : copy->getOuts()) {
      isRead.push_back(!llvm::all_of(out.getUsers(), isSize));
      if (isRead.back())
        continue;
      for (Operation *user : llvm::make_early_inc_range(out.getUsers())) {
        auto dim = cast<DimOp>(user);
        auto other = sizeOf({out.getArgNumber(), int64_t(dim.getAxis())});
        if (!other)
          return false;
        dim.getViewMutable().assign(copy->getArguments()[other->argument]);
        dim.setAxis(other->axis);
      }
    }
    bool hasAll = true;
    mapExpressions(*copy, [&](Attribute source) -> Attribute {
      auto place = dyn_cast<DenseI64ArrayAttr>(source);
      if (!place || place.size() != 2 || !copy->isOut(place[0]) ||
          isRead[place[0] - copy->getNumIns()])
        return source;
      auto other = sizeOf({unsigned(place[0]), place[1]});
      hasAll &= other.has_value();
      return other ? DenseI64ArrayAttr::get(
                         source.getContext(),
                         {int64_t(other->argument), other->axis})
                   : source;
    });
    return hasAll;
  }

  void addArguments(SmallVectorImpl<unsigned> &ins) {
    const unsigned numIns = copy->getNumIns();
    llvm::append_range(ins, llvm::seq<unsigned>(0, numIns));
    SmallVector<int64_t> numbers(ins.begin(), ins.end());
    llvm::BitVector gone(body()->getNumArguments());
    for (auto [number, isKept] : llvm::enumerate(isRead)) {
      numbers.push_back(int64_t(ins.size()));
      if (isKept)
        ins.push_back(numIns + number);
      else
        gone.set(numIns + number);
    }
    renumber([&](int64_t argument) { return numbers[argument]; });
    body()->eraseArguments(gone);
    for (ViewType type : partialTypes(deal))
      partials.push_back(body()->addArgument(type, loc));
    copy->setNumOuts(partials.size());
  }

  /// Multiplies the first grid axis, so that all parts of a block are adjacent.
  void multiplyGrid() {
    SmallVector<Attribute> grid(copy->getGrid().getValue());
    auto along = cast<ExprAttr>(grid.front());
    AffineMap blocks = along.getMap();
    grid[0] = ExprAttr::get(builder.getContext(),
                            AffineMap::get(blocks.getNumDims(),
                                           blocks.getNumSymbols(),
                                           blocks.getResult(0) * deal.parts),
                            along.getSources());
    copy->setGridAttr(builder.getArrayAttr(grid));

    SmallVector<Operation *> own;
    builder.setInsertionPointToStart(body());
    for (size_t axis = 0; axis < grid.size(); ++axis) {
      place.push_back(BlockIdOp::create(builder, loc, axis));
      own.push_back(place.back().getDefiningOp());
    }
    Value parts = number(deal.parts);
    part = arith::RemUIOp::create(builder, loc, place[0], parts);
    place[0] = arith::DivUIOp::create(builder, loc, place[0], parts);
    copy->walk([&](Operation *op) {
      if (llvm::is_contained(own, op))
        return;
      if (auto id = dyn_cast<BlockIdOp>(op)) {
        id.replaceAllUsesWith(place[id.getAxis()]);
      } else if (auto count = dyn_cast<NumBlocksOp>(op);
                 count && count.getAxis() == 0) {
        builder.setInsertionPointAfter(count);
        auto blocks = arith::DivUIOp::create(builder, loc, count, parts);
        count.getResult().replaceAllUsesExcept(blocks.getResult(), blocks);
      }
    });
  }

  void shareIterations() {
    builder.setInsertionPoint(loop);
    countIterations();
    isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                    part, number(0));
    first = mul(part, share);
    for (auto [at, tile] : llvm::enumerate(deal.state))
      beginPart(at, tile);
    Value from = add(loop.getLowerBound(), mul(first, loop.getStep())),
          to = arith::MinSIOp::create(builder, loc, loop.getUpperBound(),
                                      add(from, mul(share, loop.getStep())));
    loop.setLowerBound(from);
    loop.setUpperBound(to);
    for (unsigned maximum : maxima())
      guardMaximum(maximum);
  }

  static bool isSplatOf(Value tile, TypedAttr element) {
    Attribute constant;
    if (auto splat = tile.getDefiningOp<SplatOp>())
      return matchPattern(splat.getValue(), m_Constant(&constant)) &&
             constant == element;
    SplatElementsAttr elements;
    return matchPattern(tile, m_Constant(&elements)) &&
           elements.getSplatValue<Attribute>() == element;
  }

  Value splat(Value scalar, RankedTensorType type) {
    return SplatOp::create(builder, loc, type, scalar,
                           builder.getI64ArrayAttr(type.getShape()));
  }

  /// Only the first part starts with the loop's initial value; the others start
  /// with the identity.
  void beginPart(unsigned at, const CarriedTile &tile) {
    OpOperand &init = loop.getInitsMutable()[at];
    auto type = cast<RankedTensorType>(init.get().getType());
    TypedAttr identity = identityOf(tile, type.getElementType());
    if (!identity || isSplatOf(init.get(), identity))
      return;
    Value nothing =
        splat(arith::ConstantOp::create(builder, loc, identity), type);
    init.assign(
        arith::SelectOp::create(builder, loc, isFirst, init.get(), nothing));
  }

  llvm::SmallSetVector<unsigned, 2> maxima() {
    llvm::SmallSetVector<unsigned, 2> numbers;
    for (const CarriedTile &tile : deal.state)
      if (tile.isWeighted())
        numbers.insert(tile.maximum);
    return numbers;
  }

  /// The original loop sees a key of each row in its first tiles, but a later
  /// part may start with tiles that hide all keys of a row. These must
  /// contribute nothing: as long as the maximum is minus infinity, zero is
  /// subtracted instead. Not in the first part, which computes what the
  /// original would.
  void guardMaximum(unsigned number) {
    Value maximum = loop.getYieldedValues()[number];
    auto type = cast<RankedTensorType>(maximum.getType());
    auto element = cast<FloatType>(type.getElementType());
    const auto scalar = [&](const APFloat &value) {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getFloatAttr(element, value));
    };
    const llvm::fltSemantics &semantics = element.getFloatSemantics();
    Value low = scalar(APFloat::getInf(semantics, /*Negative=*/true)),
          instead = arith::SelectOp::create(
              builder, loc, isFirst, low, scalar(APFloat::getZero(semantics))),
          lows = splat(low, type), numbers = splat(instead, type);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(maximum);
    auto isLow = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                       maximum, lows);
    auto guarded =
        arith::SelectOp::create(builder, loc, isLow, numbers, maximum);
    SmallPtrSet<Operation *, 4> others = {isLow, guarded,
                                          loop.getBody()->getTerminator()};
    maximum.replaceAllUsesExcept(guarded, others);
  }

  void store() {
    builder.setInsertionPointAfter(loop);
    Value at = add(firstPart(place), part);
    for (auto [number, partial] : llvm::enumerate(partials))
      StoreOp::create(builder, loc, loop.getResult(number),
                      windowOf(partial, at), originOf(number), /*mask=*/Value(),
                      /*order=*/DenseI64ArrayAttr());
  }

  /// Skips a part without iterations, unless it is the first.
  void skipWhereEmpty() {
    builder.setInsertionPoint(loop);
    Value hasSome = arith::CmpIOp::create(
              builder, loc, arith::CmpIPredicate::ult, first, trips),
          isNeeded = arith::OrIOp::create(builder, loc, isFirst, hasSome);
    builder.setInsertionPoint(body()->getTerminator());
    auto branch = scf::IfOp::create(builder, loc, isNeeded);
    SetVector<Operation *> condition;
    BackwardSliceOptions options;
    options.inclusive = true;
    (void)getBackwardSlice(isNeeded, &condition, options);
    Operation *end = branch.thenBlock()->getTerminator();
    for (Operation &op : llvm::make_early_inc_range(
             llvm::make_range(body()->begin(), branch->getIterator())))
      if (!condition.contains(&op))
        op.moveBefore(end);
  }

  SmallVector<bool> isRead; ///< by out of the original
  SmallVector<Value> partials, place;
  Value part, isFirst;
  Value first; ///< iteration of this part, counted from the loop's first
};

} // namespace

std::optional<PartKernel>
writePart(const LoopDeal &deal,
          function_ref<std::optional<ArgumentAxis>(ArgumentAxis)> sizeOf,
          StringRef &reason) {
  return PartWriter(deal).run(sizeOf, reason);
}

} // namespace tilegpt::tile
