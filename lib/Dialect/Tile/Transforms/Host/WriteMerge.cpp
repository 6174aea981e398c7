// Creates the kernel that combines the parts of a loop and continues like the
// original.
#include "Host/LoopWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tile {

namespace {

class MergeWriter : LoopWriter {
public:
  using LoopWriter::LoopWriter;

  OwningOpRef<KernelOp> run() {
    const unsigned numIns = copy->getNumIns(), count = deal.state.size();
    renumber([&](int64_t argument) {
      return argument < numIns ? argument : argument + count;
    });
    for (auto [number, type] : llvm::enumerate(partialTypes(deal)))
      partials.push_back(body()->insertArgument(numIns + number, type, loc));
    builder.setInsertionPoint(loop);
    countIterations();
    SmallVector<Value> place;
    for (size_t axis = 0; axis < deal.blocks.size(); ++axis)
      place.push_back(BlockIdOp::create(builder, loc, axis));
    base = firstPart(place);
    Value one = number(1),
          used =
              arith::MaxUIOp::create(builder, loc, ceildiv(trips, share), one);
    auto merge =
        scf::ForOp::create(builder, loc, one, used, one, readPart(number(0)));
    builder.setInsertionPointToStart(merge.getBody());
    SmallVector<Value> older(merge.getRegionIterArgs()),
        newer = readPart(merge.getInductionVar());
    scf::YieldOp::create(builder, loc, combine(older, newer));
    loop.replaceAllUsesWith(merge.getResults());
    loop.erase();
    loop = {};
    dropUnused();
    return std::move(copy);
  }

private:
  SmallVector<Value> readPart(Value part) {
    Value at = add(base, part);
    SmallVector<Value> tiles;
    for (auto [number, partial] : llvm::enumerate(partials)) {
      RankedTensorType type = tileAt(number);
      tiles.push_back(LoadOp::create(
          builder, loc, type, windowOf(partial, at), originOf(number),
          /*mask=*/Value(), builder.getI64ArrayAttr(type.getShape()),
          PadKind::Zero, /*order=*/DenseI64ArrayAttr()));
    }
    return tiles;
  }

  SmallVector<Value> combine(ArrayRef<Value> older, ArrayRef<Value> newer) {
    SmallVector<Value> all(older.size());
    for (auto [number, tile] : llvm::enumerate(deal.state))
      if (!tile.isWeighted())
        all[number] = reduce(tile, older[number], newer[number]);
    for (auto [number, tile] : llvm::enumerate(deal.state)) {
      if (!tile.isWeighted())
        continue;
      Value sum;
      for (ArrayRef<Value> part : {older, newer}) {
        Value weight = weigh(tile, part[tile.maximum], all[tile.maximum]),
              term = arith::MulFOp::create(builder, loc, part[number], weight);
        sum = sum ? arith::AddFOp::create(builder, loc, sum, term).getResult()
                  : term;
      }
      all[number] = sum;
    }
    return all;
  }

  Value reduce(const CarriedTile &tile, Value older, Value newer) {
    if (!tile.combine)
      return isa<FloatType>(getElementTypeOrSelf(older))
                 ? arith::AddFOp::create(builder, loc, older, newer).getResult()
                 : arith::AddIOp::create(builder, loc, older, newer)
                       .getResult();
    IRMapping operands;
    const bool isSecond = llvm::is_contained(deal.loop.getRegionIterArgs(),
                                             tile.combine->getOperand(1));
    operands.map(tile.combine->getOperand(isSecond), older);
    operands.map(tile.combine->getOperand(!isSecond), newer);
    return builder.clone(*tile.combine, operands)->getResult(0);
  }

  /// b^(d·m - d·m') of the loop, for these maxima.
  Value weigh(const CarriedTile &tile, Value older, Value newer) {
    llvm::DenseMap<Value, Value> made = {
        {deal.loop.getRegionIterArg(tile.maximum), older},
        {deal.loop.getYieldedValues()[tile.maximum], newer}};
    return cloneWith(made, tile.factor);
  }

  /// A value of the original loop body, recomputed with these operands.
  Value cloneWith(llvm::DenseMap<Value, Value> &made, Value value) {
    if (Value known = made.lookup(value))
      return known;
    if (deal.loop.isDefinedOutsideOfLoop(value))
      return mapping.lookup(value);
    Operation *op = value.getDefiningOp();
    IRMapping operands;
    for (Value operand : op->getOperands())
      operands.map(operand, cloneWith(made, operand));
    return made[value] = builder.clone(*op, operands)->getResult(0);
  }

  SmallVector<Value> partials;
  Value base;
};

} // namespace

OwningOpRef<KernelOp> writeMerge(const LoopDeal &deal) {
  return MergeWriter(deal).run();
}

} // namespace tilegpt::tile
