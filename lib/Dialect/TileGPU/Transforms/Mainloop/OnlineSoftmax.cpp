// Matches the recurrence of an online softmax in a main loop algebraically: by
// the powers it computes, not by how the exponents are written.
#include "Mainloop/OnlineSoftmax.h"
#include "Mainloop/ShiftInvariance.h"
#include "TileGPT/Dialect/Tile/Analysis/SoftmaxTerms.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;

namespace tilegpt::tilegpu {

static std::optional<OnlineSoftmax> matchOnlySoftmax(LoopLikeOpInterface loop);

/// The other factor of a product of `known`; null if it is no such product.
static Value factorBeside(Value product, Value known) {
  auto op = product.getDefiningOp<arith::MulFOp>();
  if (!op)
    return {};
  if (op.getLhs() == known)
    return op.getRhs();
  return op.getRhs() == known ? op.getLhs() : Value();
}

/// Whether an op sums a tile along an axis.
static bool isSumOf(Operation *op, Value tile) {
  auto reduce = dyn_cast_or_null<tile::ReduceOp>(op);
  return reduce && reduce.getKind() == tile::ReduceKind::Add &&
         reduce.getSources().front() == tile;
}

/// The tile that a sum, possibly of several steps, reduces; null for others.
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

/// The tile of which a value is the row maximum; null for others.
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

/// Whether multiplying by a tile at most doubles absolute values, rounding
/// included.
static bool isAtMostTwo(Value factor) {
  constexpr double most = 1.99;
  SplatElementsAttr constant;
  return matchPattern(factor, m_Constant(&constant)) &&
         constant.getElementType().isF32() &&
         std::abs(constant.getSplatValue<APFloat>().convertToDouble()) <= most;
}

namespace {
class Match {
public:
  Match(LoopLikeOpInterface loop, Block &body, tile::DotOp dot)
      : loop(loop), body(body), carried(loop.getRegionIterArgs()),
        yields(body.getTerminator()->getOperands()) {
    match.loop = dyn_cast<MainloopOp>(loop.getOperation());
    match.dot = dot;
  }

  std::optional<OnlineSoftmax> run() {
    unsigned output = *yieldedAs(match.dot.getResult());
    match.output = carried[output];
    match.lhs = match.dot.getLhs();
    match.newAcc = match.dot.getAcc();
    // Each softmax of a loop has a maximum of its own.
    auto isMaximum = [&](unsigned number) {
      return findMaximum(number) && checkExponentials() &&
             shrinks(match.newAcc, match.output) && findSum();
    };
    if (!findExponentials() ||
        llvm::none_of(llvm::seq<unsigned>(yields.size()), isMaximum))
      return std::nullopt;
    match.shiftedUse = findOtherReader();
    if (match.shiftedUse)
      return match;
    match.shiftedUse = findShiftedUse(
        loop,
        {loop->getResult(match.maximum), loop->getResult(match.sum),
         loop->getResult(output), match.shift, match.isBinary},
        [&](LoopLikeOpInterface next, unsigned maximum,
            ArrayRef<unsigned> scaled) {
          return goesOn(next, maximum, scaled);
        });
    return match;
  }

private:
  /// Whether another loop continues this recurrence, such as a masked loop
  /// after one over keys that need no mask.
  bool goesOn(LoopLikeOpInterface next, unsigned maximum,
              ArrayRef<unsigned> scaled) const {
    std::optional<OnlineSoftmax> other = matchOnlySoftmax(next);
    if (!other || other->shiftedUse || other->maximum != maximum ||
        other->isBinary != match.isBinary ||
        other->scale.isNegative != match.scale.isNegative ||
        !other->scale.hasFactorOf(match.scale) ||
        !other->shift.hasFactorOf(match.shift))
      return false;
    unsigned parts[] = {other->sum, *yieldedAs(other->dot.getResult())};
    llvm::sort(parts);
    return scaled == ArrayRef(parts);
  }

  /// Finds the exponentials that the dot's left operand is computed from:
  /// rounded, times factors, or replaced by zero where a mask says so. These
  /// depend on neither dots nor carried values.
  bool findExponentials() {
    Value tile = match.lhs;
    bool mayGrow = false;
    auto isGiven = [&](Value operand) {
      return isMadeWithoutDots(operand, body, carried);
    };
    while (Operation *op = tile.getDefiningOp()) {
      if (op->getBlock() != &body)
        return false;
      if (auto rounded = dyn_cast<tile::CastOp>(op)) {
        tile = rounded.getSource();
        summed.clear();
      } else if (auto product = dyn_cast<arith::MulFOp>(op)) {
        bool isLeft = isGiven(product.getRhs());
        Value factor = isLeft ? product.getRhs() : product.getLhs();
        if (!isGiven(factor))
          return false;
        mayGrow |= !isAtMostTwo(factor);
        tile = isLeft ? product.getLhs() : product.getRhs();
        summed.clear();
      } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
        bool keepsTrue = isZeroTile(select.getFalseValue());
        if (!isGiven(select.getCondition()) ||
            !(keepsTrue || isZeroTile(select.getTrueValue())))
          return false;
        summed.push_back(tile);
        tile = keepsTrue ? select.getTrueValue() : select.getFalseValue();
      } else {
        break;
      }
    }
    summed.push_back(tile);
    match.exponentials = tile;
    // Exponentials may reach 2¹⁵ before the maximum is updated.
    return !mayGrow || !cast<RankedTensorType>(match.lhs.getType())
                            .getElementType()
                            .isF16();
  }

  /// Matches a carried value that is updated to the maximum of itself and a row
  /// maximum.
  bool findMaximum(unsigned number) {
    Value yielded = yields[number];
    Operation *larger = yielded.getDefiningOp();
    if (!isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(larger))
      return false;
    for (unsigned side : {0, 1}) {
      if (larger->getOperand(side) != carried[number])
        continue;
      SmallVector<LinearTerm> terms =
          linearForm(larger->getOperand(1 - side), {});
      if (terms.size() != 1 || terms[0].isNegative)
        continue;
      if (Value scores = maximumOf(terms[0].tile)) {
        maximumFactors = terms[0].factors;
        match.maximum = number;
        match.newMaximum = yielded;
        match.subtracted = guardedMaximum(yielded);
        match.scores = scores;
        return true;
      }
    }
    return false;
  }

  /// An op of the loop that reads the new maximum, or a value computed from it,
  /// for more than the maximum, the sum and the dot; null if there is none.
  Operation *findOtherReader() {
    llvm::SetVector<Value> values;
    values.insert(match.newMaximum);
    for (size_t i = 0; i < values.size(); ++i)
      for (OpOperand &use : values[i].getUses()) {
        Operation *user = body.findAncestorOpInBlock(*use.getOwner());
        bool isResult =
            use.get() == match.newMaximum || use.get() == match.newSum;
        if (user == match.dot || (user == body.getTerminator() && isResult))
          continue;
        if (user == body.getTerminator())
          return use.get().getDefiningOp();
        if (isa<tile::DotOp>(user) || user->getNumResults() == 0)
          return user;
        values.insert_range(user->getResults());
      }
    return nullptr;
  }

  /// e = b^(c·S - d·m').
  bool checkExponentials() {
    std::optional<Exponential> power = exponentialOf(match.exponentials);
    if (!power)
      return false;
    match.isBinary = power->isBinary;
    Value atoms[] = {match.scores, match.subtracted};
    SmallVector<LinearTerm> terms = linearForm(power->exponent, atoms);
    if (terms.size() != 2)
      return false;
    if (terms[0].tile != match.scores)
      std::swap(terms[0], terms[1]);
    match.scale = terms[0];
    match.shift = terms[1];
    match.shift.isNegative = match.scale.isNegative;
    match.isIncreasing = match.scale.isPositive() && match.shift.isPositive();
    return terms[0].tile == match.scores && terms[1].tile == match.subtracted &&
           terms[0].isNegative != terms[1].isNegative &&
           (maximumFactors.empty() || match.shift.isPositive()) &&
           match.scale.hasFactorOf(match.shift.times(maximumFactors));
  }

  /// Whether `newer` is `older` · b^(d·m - d·m').
  bool shrinks(Value newer, Value older) {
    Value factor = factorBeside(newer, older);
    std::optional<Exponential> power =
        factor ? exponentialOf(factor) : std::optional<Exponential>();
    if (!power || power->isBinary != match.isBinary)
      return false;
    Value maximum = carried[match.maximum];
    Value atoms[] = {maximum, match.subtracted};
    SmallVector<LinearTerm> terms = linearForm(power->exponent, atoms);
    if (terms.size() != 2)
      return false;
    if (terms[0].tile != maximum)
      std::swap(terms[0], terms[1]);
    return terms[0].tile == maximum && terms[1].tile == match.subtracted &&
           terms[0].hasFactorOf(match.shift) &&
           terms[1].hasFactorOf(match.shift) &&
           terms[0].isNegative == match.shift.isNegative &&
           terms[1].isNegative != match.shift.isNegative;
  }

  /// l' = l·a + Σ e.
  bool findSum() {
    for (auto [number, yielded] : llvm::enumerate(yields)) {
      Value older = carried[number];
      auto add = yielded.getDefiningOp<arith::AddFOp>();
      if (!add)
        continue;
      for (auto [shrunk, newer] : {std::pair(add.getLhs(), add.getRhs()),
                                   std::pair(add.getRhs(), add.getLhs())})
        if (shrinks(shrunk, older) &&
            llvm::is_contained(summed, summandsOf(newer))) {
          match.sum = number;
          match.newSum = yielded;
          match.total = newer;
          return true;
        }
    }
    return false;
  }

  LoopLikeOpInterface loop;
  Block &body;
  Block::BlockArgListType carried;
  ValueRange yields;
  SmallVector<OpFoldResult> maximumFactors; ///< k
  SmallVector<Value> summed;                ///< e, possibly masked
  OnlineSoftmax match = {};
};
} // namespace

/// The deferred dots of a loop.
static SmallVector<tile::DotOp> deferredDots(LoopLikeOpInterface loop,
                                             Block &body) {
  SmallVector<tile::DotOp> dots;
  for (auto &[dot, kind] : scheduleDots(body, loop.getRegionIterArgs()))
    if (kind == DotSchedule::Deferred)
      dots.push_back(dot);
  return dots;
}

static SmallVector<OnlineSoftmax, 2> matchSoftmaxes(LoopLikeOpInterface loop,
                                                    Block &body) {
  SmallVector<OnlineSoftmax, 2> matches;
  for (tile::DotOp dot : deferredDots(loop, body))
    if (std::optional<OnlineSoftmax> match = Match(loop, body, dot).run())
      matches.push_back(*match);
    else
      return {};
  return matches;
}

static std::optional<OnlineSoftmax> onlyOne(ArrayRef<OnlineSoftmax> matches) {
  return matches.size() == 1 ? std::optional(matches.front()) : std::nullopt;
}

static std::optional<OnlineSoftmax> matchOnlySoftmax(LoopLikeOpInterface loop) {
  if (auto mainloop = dyn_cast<MainloopOp>(loop.getOperation()))
    return onlyOne(matchSoftmaxes(mainloop));
  auto plain = dyn_cast<scf::ForOp>(loop.getOperation());
  return plain ? matchSoftmax(plain) : std::nullopt;
}

SmallVector<OnlineSoftmax, 2> matchSoftmaxes(MainloopOp loop) {
  return matchSoftmaxes(loop, *loop.getConsumeBlock());
}

SmallVector<OnlineSoftmax, 2> matchSoftmaxes(scf::ForOp loop) {
  return matchSoftmaxes(loop, *loop.getBody());
}

std::optional<OnlineSoftmax> matchSoftmax(MainloopOp loop, tile::DotOp dot) {
  return Match(loop, *loop.getConsumeBlock(), dot).run();
}

std::optional<OnlineSoftmax> matchSoftmax(scf::ForOp loop) {
  return onlyOne(matchSoftmaxes(loop));
}

bool hasOnlySoftmaxes(LoopLikeOpInterface loop, Block &body,
                      ArrayRef<OnlineSoftmax> softmaxes) {
  llvm::SmallDenseSet<unsigned> parts;
  for (OnlineSoftmax softmax : softmaxes)
    for (unsigned part :
         {softmax.maximum, softmax.sum, *yieldedAs(softmax.dot.getResult())})
      parts.insert(part);
  return parts.size() == loop->getNumResults() &&
         llvm::all_of(body, [](Operation &op) {
           return isa<tile::LoadOp, tile::GatherOp, tile::LoadAtOp>(op) ||
                  op.hasTrait<OpTrait::IsTerminator>() ||
                  isMemoryEffectFree(&op);
         });
}

} // namespace tilegpt::tilegpu
