// Finds the recurrence of an online softmax in a fed loop.
#include "Mainloop/OnlineSoftmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// `x` of `x·c`, c the same scalar for every element; null c is 1.
struct Scaled {
  Value factor;
  OpFoldResult scalar;
};
} // namespace

static Scaled scaledOf(Value value) {
  if (auto product = value.getDefiningOp<arith::MulFOp>())
    for (auto [factor, other] :
         {std::pair(product.getLhs(), product.getRhs()),
          std::pair(product.getRhs(), product.getLhs())}) {
      if (auto splat = other.getDefiningOp<tile::SplatOp>())
        return {factor, splat.getValue()};
      else if (SplatElementsAttr constant;
               matchPattern(other, m_Constant(&constant)))
        return {factor, constant.getSplatValue<Attribute>()};
    }
  return {value, {}};
}

/// The factor beside `known` in a product of two; null when there is none.
static Value factorBeside(Value product, Value known) {
  auto op = product.getDefiningOp<arith::MulFOp>();
  if (!op)
    return {};
  if (op.getLhs() == known)
    return op.getRhs();
  return op.getRhs() == known ? op.getLhs() : Value();
}

static Value throughBroadcast(Value value) {
  auto broadcast = value ? value.getDefiningOp<tile::BroadcastOp>() : nullptr;
  return broadcast ? broadcast.getSource() : value;
}

/// The exponent of a power of two; null when a value is none.
static Value exponentOf(Value value) {
  auto power = value ? value.getDefiningOp<math::Exp2Op>() : nullptr;
  return power ? power.getOperand() : Value();
}

/// Whether an op adds up a tile along an axis.
static bool isSumOf(Operation *op, Value tile) {
  auto reduce = dyn_cast_or_null<tile::ReduceOp>(op);
  return reduce && reduce.getKind() == tile::ReduceKind::Add &&
         reduce.getSources().front() == tile;
}

/// What a sum adds up, if need be in several steps; null when it is none.
static Value summandsOf(Value sum) {
  Value tile = sum;
  while (Operation *op = tile.getDefiningOp()) {
    bool isStep = isa<tile::ReshapeOp>(op) || isSumOf(op, op->getOperand(0));
    if (!isStep)
      break;
    tile = op->getOperand(0);
  }
  return tile == sum ? Value() : tile;
}

/// Whether behind the loop only quotients of the weighted sum and the sum are
/// used: numbers that do not change when both are scaled.
static bool onlyQuotientsAreUsed(const OnlineSoftmax &match, unsigned output) {
  scf::ForOp loop = match.loop;
  if (!loop.getResult(match.maximum).use_empty())
    return false;
  Value sum = loop.getResult(match.sum), weighted = loop.getResult(output);
  if (sum.hasOneUse() && isSumOf(*sum.getUsers().begin(), sum))
    sum = (*sum.getUsers().begin())->getResult(0);
  auto isQuotient = [&](Operation *user, Value divisor) {
    auto quotient = dyn_cast<arith::DivFOp>(user);
    return quotient && quotient.getLhs() == weighted &&
           quotient.getRhs() == divisor;
  };
  return llvm::all_of(sum.getUsers(),
                      [&](Operation *user) {
                        auto broadcast = dyn_cast<tile::BroadcastOp>(user);
                        return broadcast &&
                               llvm::all_of(broadcast->getUsers(),
                                            [&](Operation *other) {
                                              return isQuotient(
                                                  other, broadcast.getResult());
                                            });
                      }) &&
         llvm::all_of(weighted.getUsers(), [&](Operation *user) {
           auto quotient = dyn_cast<arith::DivFOp>(user);
           return quotient && quotient.getLhs() == weighted &&
                  throughBroadcast(quotient.getRhs()) == sum;
         });
}

std::optional<OnlineSoftmax> matchSoftmax(FedLoop fed) {
  if (fed.trailing.size() != 1)
    return std::nullopt;
  scf::ForOp loop = fed.loop;
  OnlineSoftmax match{};
  match.loop = loop;
  match.dot = fed.trailing.front().dot;
  unsigned output = fed.trailing.front().number;
  match.output = loop.getRegionIterArg(output);
  match.lhs = match.dot.getLhs();
  match.newAcc = match.dot.getAcc();
  auto rounded = match.lhs.getDefiningOp<tile::CastOp>();
  match.exponentials = rounded ? rounded.getSource() : match.lhs;
  Value exponent = exponentOf(match.exponentials);
  auto difference = exponent ? exponent.getDefiningOp<math::FmaOp>() : nullptr;
  Value alpha = throughBroadcast(factorBeside(match.newAcc, match.output));
  if (!difference || !exponentOf(alpha))
    return std::nullopt;
  match.scores = difference.getA();
  match.scale = difference.getB();

  // The maximum, and what both exponents subtract of it.
  auto negated =
      throughBroadcast(difference.getC()).getDefiningOp<arith::NegFOp>();
  if (!negated)
    return std::nullopt;
  Scaled subtracted = scaledOf(negated.getOperand());
  match.newMaximum = subtracted.factor;
  auto larger = match.newMaximum.getDefiningOp<arith::MaximumFOp>();
  if (!larger)
    return std::nullopt;
  bool hasMaximum = false, hasSum = false;
  for (auto [number, yielded] : llvm::enumerate(loop.getYieldedValues())) {
    if (yielded == match.newMaximum) {
      match.maximum = number;
      hasMaximum = true;
    }
    auto add = yielded.getDefiningOp<arith::AddFOp>();
    if (!add)
      continue;
    for (auto [older, newer] : {std::pair(add.getLhs(), add.getRhs()),
                                std::pair(add.getRhs(), add.getLhs())}) {
      Value shrinks = factorBeside(older, loop.getRegionIterArg(number));
      if (throughBroadcast(shrinks) == alpha &&
          summandsOf(newer) == match.exponentials) {
        match.sum = number;
        match.newSum = yielded;
        match.total = newer;
        hasSum = true;
      }
    }
  }
  if (!hasMaximum || !hasSum)
    return std::nullopt;
  Value maximum = loop.getRegionIterArg(match.maximum);
  Scaled shrink = scaledOf(exponentOf(alpha));
  auto fall = shrink.factor.getDefiningOp<arith::SubFOp>();
  bool isShift = fall && fall.getLhs() == maximum &&
                 fall.getRhs() == match.newMaximum &&
                 shrink.scalar == subtracted.scalar &&
                 (larger.getLhs() == maximum || larger.getRhs() == maximum);
  if (!isShift || !onlyQuotientsAreUsed(match, output))
    return std::nullopt;
  return match;
}

} // namespace tilegpt::tilegpu
