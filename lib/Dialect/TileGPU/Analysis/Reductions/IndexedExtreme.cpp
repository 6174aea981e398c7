// Builds and matches the combiner of extremes and their first indices.
#include "TileGPT/Dialect/TileGPU/Analysis/Reductions/IndexedExtreme.h"
#include "Reductions/RegionReduction.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;

namespace tilegpt::tilegpu {

Value IndexedExtreme::combine(OpBuilder &builder, Location loc, Value lhs,
                              Value rhs) const {
  return tile::combine(
      builder, loc, isMaximum ? tile::ReduceKind::Max : tile::ReduceKind::Min,
      nan, lhs, rhs);
}

Value IndexedExtreme::holds(OpBuilder &builder, Location loc, Value x,
                            Value extreme) const {
  if (!isa<FloatType>(x.getType()))
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, x,
                                 extreme);
  // Without propagation the extreme is NaN only if all values are.
  Value number = nan == tile::NaNPolicy::Propagate ? x : extreme;
  auto compare = [&](arith::CmpFPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
  };
  return arith::OrIOp::create(
      builder, loc, compare(arith::CmpFPredicate::OEQ, x, extreme),
      compare(arith::CmpFPredicate::UNO, number, number));
}

void IndexedExtreme::buildCombiner(OpBuilder &builder, Location loc,
                                   Region &region, TypeRange types) const {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(2 * types.size(), loc);
  SmallVector<Type> both(types);
  llvm::append_range(both, types);
  Block *block = builder.createBlock(&region, {}, both, locations);
  Value x = block->getArgument(0), i = block->getArgument(1),
        y = block->getArgument(2), j = block->getArgument(3);
  Value isGreater = tile::beats(builder, loc, isMaximum, nan, y, x),
        isLess = tile::beats(builder, loc, isMaximum, nan, x, y),
        isEarlier = arith::CmpIOp::create(builder, loc,
                                          arith::CmpIPredicate::slt, j, i),
        // Of equal elements the first wins.
      wins = arith::SelectOp::create(
          builder, loc, isLess, isGreater,
          arith::OrIOp::create(builder, loc, isGreater, isEarlier));
  auto choose = [&](Value yes, Value no) -> Value {
    return arith::SelectOp::create(builder, loc, wins, yes, no);
  };
  tile::YieldOp::create(builder, loc, ValueRange{choose(y, x), choose(j, i)});
}

tile::ReduceOp IndexedExtreme::reduce(OpBuilder &builder, Location loc, Value x,
                                      Value indices, int64_t axis,
                                      bool keepdims) const {
  Type element = getElementTypeOrSelf(x.getType()),
       index = getElementTypeOrSelf(indices.getType());
  auto op = createRegionReduction(
      builder, loc, {x, indices}, axis,
      {tile::identityOf(isMaximum ? tile::ReduceKind::Max
                                  : tile::ReduceKind::Min,
                        nan, element),
       tile::identityOf(tile::ReduceKind::Min, nan, index)},
      keepdims);
  buildCombiner(builder, loc, op.getCombiner(), {element, index});
  return op;
}

std::optional<IndexedExtreme> IndexedExtreme::of(tile::CombinerOpInterface op) {
  if (op.getKind() == tile::ReduceKind::ArgMax)
    return IndexedExtreme(/*isMaximum=*/true, op.getNanPolicy());
  if (op.getKind() == tile::ReduceKind::ArgMin)
    return IndexedExtreme(/*isMaximum=*/false, op.getNanPolicy());
  if (op.getKind() || op.getSources().size() != 2)
    return std::nullopt;
  auto types = llvm::map_to_vector(op.getSources(), [](Value source) {
    return getElementTypeOrSelf(source.getType());
  });
  if (!types[0].isIntOrFloat() || !types[1].isInteger())
    return std::nullopt;
  OpBuilder builder(op->getContext());
  for (bool isMaximum : {true, false})
    for (tile::NaNPolicy nan :
         {tile::NaNPolicy::Propagate, tile::NaNPolicy::Ignore}) {
      IndexedExtreme extreme(isMaximum, nan);
      Region region;
      extreme.buildCombiner(builder, op.getLoc(), region, types);
      if (OperationEquivalence::isRegionEquivalentTo(
              &region, &op.getCombiner(),
              OperationEquivalence::IgnoreLocations))
        return extreme;
    }
  return std::nullopt;
}

} // namespace tilegpt::tilegpu
