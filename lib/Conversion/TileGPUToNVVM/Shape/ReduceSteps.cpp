// The steps of a reduction on the scalars of one thread.
#include "Shape/ReduceSteps.h"
#include "Shape/FoldTree.h"
#include "Thread/ThreadTile.h"
#include "Thread/WarpShuffle.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Scratch.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Whether the enclosing kernel keeps long rows in shared memory.
static bool hasStagedRows(Operation *op) {
  while (op && !op->hasAttr(stagedRowsName))
    op = op->getParentOp();
  return op;
}

ReduceSteps::ReduceSteps(OpBuilder &builder, tile::CombinerOpInterface op)
    : builder(builder), loc(op.getLoc()), op(op),
      exponentials(ExponentialSum::of(op)),
      keepsRowsInShared(hasStagedRows(op)) {
  if (std::optional<IndexedExtreme> extreme = IndexedExtreme::of(op))
    extremes.emplace(builder, loc, *extreme);
}

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
  // Of equal elements the first wins.
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
  // Named reductions are exactly commutative; a region need not be.
  if (op.getKind())
    return join(own, other);
  return join(select(otherFirst, other, own), select(otherFirst, own, other));
}

Accumulator ReduceSteps::shrink(const Accumulator &part, Value maximum,
                                Value origin) {
  Value power = exponentials->power(builder, loc, part[0], origin);
  return {maximum,
          arith::MulFOp::create(builder, loc, part[1], power).getResult()};
}

Value ReduceSteps::maximumOf(ArrayRef<Accumulator> parts) {
  // Two elements at a time before they are widened.
  SmallVector<Value> narrow, wide;
  for (const Accumulator &part : parts) {
    auto widened = part[0].getDefiningOp<arith::ExtFOp>();
    Type type = widened ? widened.getIn().getType() : Type();
    bool isNarrow = type && (type.isBF16() || type.isF16()) &&
                    (narrow.empty() || narrow.front().getType() == type);
    isNarrow ? narrow.push_back(widened.getIn()) : wide.push_back(part[0]);
  }
  for (Value most :
       foldPairs(builder, loc, narrow, [&](Value lhs, Value rhs) -> Value {
         return LLVM::MaximumOp::create(builder, loc, lhs, rhs);
       }))
    wide.push_back(
        arith::ExtFOp::create(builder, loc, builder.getF32Type(), most));
  return foldTree(wide, [&](Value lhs, Value rhs) -> Value {
    return arith::MaximumFOp::create(builder, loc, lhs, rhs);
  });
}

Accumulator ReduceSteps::joinExponentials(ArrayRef<Accumulator> parts) {
  Value maximum = maximumOf(parts);
  Value origin = ExponentialSum::origin(builder, loc, maximum);
  // If rows are read from shared memory, a few chains of FMAs in program order:
  // their operands need not wait for the maximum of the next list.
  constexpr size_t chains = 4;
  size_t count = keepsRowsInShared ? chains : parts.size();
  SmallVector<Value> sums;
  for (auto [number, part] : llvm::enumerate(parts)) {
    Value power = exponentials->power(builder, loc, part[0], origin);
    if (number < count)
      sums.push_back(arith::MulFOp::create(builder, loc, part[1], power));
    else
      sums[number % count] = LLVM::FMAOp::create(builder, loc, part[1], power,
                                                 sums[number % count]);
  }
  Value sum = foldTree(sums, [&](Value lhs, Value rhs) {
    return arith::AddFOp::create(builder, loc, lhs, rhs).getResult();
  });
  return {maximum, sum};
}

Accumulator ReduceSteps::joinUnordered(ArrayRef<Accumulator> accumulators) {
  if (accumulators.size() == 1)
    return accumulators.front();
  if (extremes)
    return extremes->join(accumulators);
  if (exponentials)
    return joinExponentials(accumulators);
  size_t half = accumulators.size() / 2;
  return join(joinUnordered(accumulators.take_front(half)),
              joinUnordered(accumulators.drop_front(half)));
}

void ReduceSteps::joinLanes(MutableArrayRef<Accumulator> accumulators,
                            ArrayRef<int64_t> distances) {
  if (distances.empty())
    return;
  auto exchange = [&](Value value, int64_t distance) {
    return shuffleXor(builder, loc, value, distance);
  };
  if (exponentials) {
    // One power per lane, not one per step.
    for (Accumulator &own : accumulators) {
      Value maximum = own[0];
      for (int64_t distance : distances)
        maximum = arith::MaximumFOp::create(builder, loc, maximum,
                                            exchange(maximum, distance));
      own = shrink(own, maximum, ExponentialSum::origin(builder, loc, maximum));
      for (int64_t distance : distances)
        own[1] = arith::AddFOp::create(builder, loc, own[1],
                                       exchange(own[1], distance));
    }
    return;
  }
  if (extremes) {
    for (Accumulator &own : accumulators)
      own = extremes->joinLanes(own, distances);
    return;
  }
  Value lane = laneNumber(builder, loc);
  for (int64_t distance : distances) {
    Value digit = arith::AndIOp::create(builder, loc, lane,
                                        indexConstant(builder, loc, distance));
    Value otherFirst =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, digit,
                              indexConstant(builder, loc, 0));
    for (Accumulator &own : accumulators) {
      auto other = llvm::map_to_vector<2>(
          own, [&](Value value) { return exchange(value, distance); });
      own = joinExchanged(own, other, otherFirst);
    }
  }
}

Accumulator ReduceSteps::joinAll(ArrayRef<Accumulator> accumulators) {
  if (extremes)
    return extremes->join(accumulators);
  if (exponentials) {
    // From shared memory, enough to amortize their maximum, and few enough to
    // be in registers at once.
    constexpr size_t mostFromShared = 16;
    SmallVector<Accumulator> next;
    while (!accumulators.empty()) {
      size_t count = keepsRowsInShared
                         ? std::min(mostFromShared, accumulators.size())
                         : accumulators.size();
      llvm::append_range(next, accumulators.take_front(count));
      accumulators = accumulators.drop_front(count);
      next = {joinExponentials(next)};
    }
    return next.front();
  }
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
