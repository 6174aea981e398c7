// The steps of a reduction on the scalars of one thread.
#include "Shape/ReduceSteps.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Scratch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

Accumulator ReduceSteps::identity() {
  SmallVector<Type> types = accumulatorTypes(op);
  if (!op.getKind())
    return llvm::map_to_vector<2>(*op.getIdentities(), [&](Attribute value) {
      return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(value))
          .getResult();
    });
  Accumulator result = {arith::ConstantOp::create(
      builder, loc,
      tile::identityOf(*op.getKind(), op.getNanPolicy(), types.front()))};
  if (tile::isArgReduction(op))
    result.push_back(arith::ConstantIntOp::create(builder, loc, types[1], 0));
  return result;
}

Accumulator ReduceSteps::begin(ValueRange elements, int64_t position) {
  SmallVector<Type> types = accumulatorTypes(op);
  Accumulator result(elements);
  if (result.front().getType() != types.front())
    result.front() =
        arith::ExtFOp::create(builder, loc, types.front(), result.front());
  if (tile::isArgReduction(op))
    result.push_back(
        arith::ConstantIntOp::create(builder, loc, types[1], position));
  return result;
}

void ReduceSteps::movePositions(Accumulator &accumulator, Value base) {
  if (!tile::isArgReduction(op))
    return;
  Value distance =
      arith::IndexCastOp::create(builder, loc, accumulator[1].getType(), base);
  accumulator[1] =
      arith::AddIOp::create(builder, loc, accumulator[1], distance);
}

Accumulator ReduceSteps::select(Value condition, const Accumulator &yes,
                                const Accumulator &no) {
  Accumulator result;
  for (auto [left, right] : llvm::zip_equal(yes, no))
    result.push_back(
        arith::SelectOp::create(builder, loc, condition, left, right));
  return result;
}

Value ReduceSteps::isBetter(Value value, Value best) {
  return tile::beats(builder, loc, op.getKind() == tile::ReduceKind::ArgMax,
                     op.getNanPolicy(), value, best);
}

Accumulator ReduceSteps::joinInOrder(const Accumulator &before,
                                     const Accumulator &after) {
  if (tile::isArgReduction(op))
    return select(isBetter(after[0], before[0]), after, before);
  return join(before, after);
}

Accumulator ReduceSteps::join(const Accumulator &lhs, const Accumulator &rhs) {
  if (!op.getKind())
    return Accumulator(tile::inlineCombiner(builder, op, lhs, rhs));
  if (!tile::isArgReduction(op))
    return {tile::combine(builder, loc, *op.getKind(), op.getNanPolicy(),
                          lhs.front(), rhs.front())};
  // The first of equals wins.
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, /*width=*/1);
  Value isWorse = isBetter(lhs[0], rhs[0]);
  Value isEarlier = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, rhs[1], lhs[1]);
  Value winsTie =
      arith::AndIOp::create(builder, loc, isEarlier,
                            arith::XOrIOp::create(builder, loc, isWorse, yes));
  Value wins =
      arith::OrIOp::create(builder, loc, isBetter(rhs[0], lhs[0]), winsTie);
  return select(wins, rhs, lhs);
}

Accumulator ReduceSteps::joinExchanged(const Accumulator &own,
                                       const Accumulator &other,
                                       Value otherFirst) {
  // What has a name is commutative to the last bit; a region need not be.
  if (op.getKind())
    return join(own, other);
  return join(select(otherFirst, other, own), select(otherFirst, own, other));
}

Accumulator ReduceSteps::joinAll(ArrayRef<Accumulator> accumulators) {
  constexpr size_t maxChains = 8;
  size_t length = llvm::divideCeil(accumulators.size(), maxChains);
  SmallVector<Accumulator> chains;
  for (; !accumulators.empty(); accumulators = accumulators.drop_front(
                                    std::min(length, accumulators.size()))) {
    ArrayRef<Accumulator> chain = accumulators.take_front(length);
    Accumulator &sum = chains.emplace_back(chain.front());
    for (const Accumulator &next : chain.drop_front())
      sum = joinInOrder(sum, next);
  }
  while (chains.size() > 1) {
    SmallVector<Accumulator> joined;
    for (size_t number = 0; number < chains.size(); number += 2)
      joined.push_back(number + 1 == chains.size()
                           ? chains[number]
                           : joinInOrder(chains[number], chains[number + 1]));
    chains = std::move(joined);
  }
  return chains.front();
}

SmallVector<Value> ReduceSteps::finish(const Accumulator &accumulator) {
  if (tile::isArgReduction(op))
    return {accumulator[1]};
  SmallVector<Value> results;
  for (auto [value, type] :
       llvm::zip_equal(accumulator, op->getResultTypes())) {
    Type element = getElementTypeOrSelf(type);
    results.push_back(
        value.getType() == element
            ? value
            : arith::TruncFOp::create(builder, loc, element, value)
                  .getResult());
  }
  return results;
}

} // namespace tilegpt::tilegpu
