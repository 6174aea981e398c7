// Finds the recurrence of an online softmax in a main loop by its algebra: what
// is raised to which power, not how the exponents are spelled.
#include "Mainloop/OnlineSoftmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// `b^x`.
struct Power {
  Value exponent;
  bool isBinary; ///< b is 2, not e
};
} // namespace

static std::optional<Power> powerOf(Value value) {
  value = throughBroadcast(value);
  if (!value)
    return std::nullopt;
  if (auto power = value.getDefiningOp<math::Exp2Op>())
    return Power{power.getOperand(), true};
  if (auto power = value.getDefiningOp<math::ExpOp>())
    return Power{power.getOperand(), false};
  return std::nullopt;
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
    bool isStep = isa<tile::ReshapeOp, tile::ExpandDimsOp>(op) ||
                  isSumOf(op, op->getNumOperands() ? op->getOperand(0) : tile);
    if (!isStep)
      break;
    tile = op->getOperand(0);
  }
  return tile == sum ? Value() : tile;
}

/// The tile whose maximum along the rows a value is; null for others.
static Value maximumOf(Value value) {
  auto reduce = throughBroadcast(value).getDefiningOp<tile::ReduceOp>();
  auto tile =
      reduce ? cast<RankedTensorType>(reduce.getSources().front().getType())
             : RankedTensorType();
  return reduce && reduce.getKind() == tile::ReduceKind::Max &&
                 int64_t(reduce.getAxis()) == tile.getRank() - 1
             ? reduce.getSources().front()
             : Value();
}

namespace {
class Match {
public:
  Match(MainloopOp loop, tile::DotOp dot) : loop(loop) {
    match.loop = loop;
    match.dot = dot;
  }

  std::optional<OnlineSoftmax> run() {
    unsigned output = *yieldedAs(match.dot.getResult());
    match.output = loop.getRegionIterArgs()[output];
    match.lhs = match.dot.getLhs();
    match.newAcc = match.dot.getAcc();
    auto rounded = match.lhs.getDefiningOp<tile::CastOp>();
    match.exponentials = rounded ? rounded.getSource() : match.lhs;
    bool isMatch = findMaximum() && checkExponentials() &&
                   shrinks(match.newAcc, match.output) && findSum() &&
                   onlyQuotientsAreUsed(output);
    return isMatch ? std::optional(match) : std::nullopt;
  }

private:
  /// A carried value that becomes the larger of itself and a maximum of rows.
  bool findMaximum() {
    for (auto [number, yielded] : llvm::enumerate(loop.getConsumeYield())) {
      Value carried = loop.getRegionIterArgs()[number];
      Operation *larger = yielded.getDefiningOp();
      if (!isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(larger))
        continue;
      for (unsigned side : {0, 1}) {
        if (larger->getOperand(side) != carried)
          continue;
        if (Value scores = maximumOf(larger->getOperand(1 - side))) {
          match.maximum = number;
          match.newMaximum = yielded;
          match.scores = scores;
          return true;
        }
      }
    }
    return false;
  }

  /// e = b^(c·S - c·m').
  bool checkExponentials() {
    std::optional<Power> power = powerOf(match.exponentials);
    if (!power)
      return false;
    match.isBinary = power->isBinary;
    Value atoms[] = {match.scores, match.newMaximum};
    SmallVector<LinearTerm> terms = linearForm(power->exponent, atoms);
    if (terms.size() != 2)
      return false;
    if (terms[0].tile != match.scores)
      std::swap(terms[0], terms[1]);
    match.scale = terms[0];
    match.isIncreasing = match.scale.isPositive();
    return terms[0].tile == match.scores && terms[1].tile == match.newMaximum &&
           terms[0].hasFactorOf(terms[1]) &&
           terms[0].isNegative != terms[1].isNegative;
  }

  /// Whether `newer` is `older` · b^(c·m - c·m').
  bool shrinks(Value newer, Value older) {
    Value factor = factorBeside(newer, older);
    std::optional<Power> power =
        factor ? powerOf(factor) : std::optional<Power>();
    if (!power || power->isBinary != match.isBinary)
      return false;
    Value maximum = loop.getRegionIterArgs()[match.maximum];
    Value atoms[] = {maximum, match.newMaximum};
    SmallVector<LinearTerm> terms = linearForm(power->exponent, atoms);
    if (terms.size() != 2)
      return false;
    if (terms[0].tile != maximum)
      std::swap(terms[0], terms[1]);
    return terms[0].tile == maximum && terms[1].tile == match.newMaximum &&
           terms[0].hasFactorOf(match.scale) &&
           terms[1].hasFactorOf(match.scale) &&
           terms[0].isNegative == match.scale.isNegative &&
           terms[1].isNegative != match.scale.isNegative;
  }

  /// l' = l·a + Σ e.
  bool findSum() {
    for (auto [number, yielded] : llvm::enumerate(loop.getConsumeYield())) {
      Value older = loop.getRegionIterArgs()[number];
      auto add = yielded.getDefiningOp<arith::AddFOp>();
      if (!add)
        continue;
      for (auto [shrunk, newer] : {std::pair(add.getLhs(), add.getRhs()),
                                   std::pair(add.getRhs(), add.getLhs())})
        if (shrinks(shrunk, older) && summandsOf(newer) == match.exponentials) {
          match.sum = number;
          match.newSum = yielded;
          match.total = newer;
          return true;
        }
    }
    return false;
  }

  /// Whether behind the loop only quotients of the weighted sum and the sum are
  /// used: numbers that do not change when both are scaled.
  bool onlyQuotientsAreUsed(unsigned output) {
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
    return llvm::all_of(
               sum.getUsers(),
               [&](Operation *user) {
                 auto broadcast = dyn_cast<tile::BroadcastOp>(user);
                 return broadcast &&
                        llvm::all_of(
                            broadcast->getUsers(), [&](Operation *other) {
                              return isQuotient(other, broadcast.getResult());
                            });
               }) &&
           llvm::all_of(weighted.getUsers(), [&](Operation *user) {
             auto quotient = dyn_cast<arith::DivFOp>(user);
             return quotient && quotient.getLhs() == weighted &&
                    throughBroadcast(quotient.getRhs()) == sum;
           });
  }

  MainloopOp loop;
  OnlineSoftmax match = {};
};
} // namespace

std::optional<OnlineSoftmax> matchSoftmax(MainloopOp loop) {
  SmallVector<tile::DotOp> deferred;
  for (auto &[dot, kind] :
       scheduleDots(*loop.getConsumeBlock(), loop.getRegionIterArgs()))
    if (kind == DotSchedule::Deferred)
      deferred.push_back(dot);
  return deferred.size() == 1 ? Match(loop, deferred.front()).run()
                              : std::nullopt;
}

} // namespace tilegpt::tilegpu
