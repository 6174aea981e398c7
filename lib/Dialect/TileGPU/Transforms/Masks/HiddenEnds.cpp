// Compares the bounds of a loop with those of its mask, as quotients of sums of
// scalars.
#include "Masks/HiddenEnds.h"
#include "Masks/AffineCondition.h"
#include "Masks/IdleIterations.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// ⌊(constant + Σ factor · scalar) / divisor⌋.
struct RoundedSum {
  llvm::SmallMapVector<Value, int64_t, 4> terms;
  int64_t constant = 0, divisor = 1;

  /// Adds an integer, with divisor 1, times a factor.
  void add(const RoundedSum &integer, int64_t factor) {
    for (auto [scalar, each] : integer.terms)
      terms[scalar] += divisor * factor * each;
    constant += divisor * factor * integer.constant;
    terms.remove_if([](auto &term) { return term.second == 0; });
  }

  /// Divides by what all factors and the divisor have in common.
  void reduce() {
    int64_t common = divisor;
    for (auto [scalar, factor] : terms)
      common = std::gcd(common, factor);
    for (auto &[scalar, factor] : terms)
      factor /= common;
    constant = llvm::divideFloorSigned(constant, common);
    divisor /= common;
  }

  /// Whether a number divides this, for all scalars.
  bool isMultipleOf(int64_t number) {
    reduce();
    return divisor == 1 && constant % number == 0 &&
           llvm::all_of(terms,
                        [&](auto &term) { return term.second % number == 0; });
  }

  /// Whether this is at least as large as another one, for all scalars.
  bool isAtLeast(RoundedSum other) const {
    RoundedSum self = *this;
    self.reduce();
    other.reduce();
    return self.divisor == other.divisor &&
           self.terms.size() == other.terms.size() &&
           llvm::all_of(self.terms,
                        [&](auto &term) {
                          return other.terms.lookup(term.first) == term.second;
                        }) &&
           self.constant >= other.constant;
  }
};

/// Scalars of a kernel as minima or maxima of quotients.
class RoundedSums {
public:
  RoundedSums(int64_t gridAxis, bool takesLeast)
      : gridAxis(gridAxis), takesLeast(takesLeast) {}

  bool isNumber(Value scalar) const {
    auto id = scalar.getDefiningOp<tile::BlockIdOp>();
    return id && int64_t(id.getAxis()) == gridAxis;
  }

  bool dependsOnNumber(Value scalar) const {
    Operation *op = scalar.getDefiningOp();
    return isNumber(scalar) ||
           (op && llvm::any_of(op->getOperands(), [&](Value operand) {
              return dependsOnNumber(operand);
            }));
  }

  /// The factor of the block id.
  int64_t factorOfNumber(const RoundedSum &quotient) const {
    return number ? quotient.terms.lookup(number) : 0;
  }

  /// The quotients whose minimum or maximum a scalar is; none if there are no
  /// such ones.
  SmallVector<RoundedSum> of(Value scalar) {
    SmallVector<RoundedSum> found = decompose(scalar);
    if (found.empty() && !dependsOnNumber(scalar))
      found.push_back(atom(scalar));
    return found;
  }

  /// A scalar that is an integer sum.
  std::optional<RoundedSum> sumOf(Value scalar) {
    SmallVector<RoundedSum> found = of(scalar);
    return found.size() == 1 && found.front().divisor == 1
               ? std::optional(std::move(found.front()))
               : std::nullopt;
  }

private:
  static RoundedSum atom(Value scalar) {
    RoundedSum quotient;
    quotient.terms.insert({scalar, 1});
    return quotient;
  }

  SmallVector<RoundedSum> decompose(Value scalar) {
    if (isNumber(scalar)) {
      number = number ? number : scalar;
      return {atom(number)};
    }
    APInt constant;
    if (matchPattern(scalar, m_ConstantInt(&constant))) {
      RoundedSum quotient;
      quotient.constant = constant.getSExtValue();
      return {quotient};
    }
    Operation *op = scalar.getDefiningOp();
    if (!op)
      return {};
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
            tile::AssumeOp>(op))
      return of(op->getOperand(0));
    if (takesLeast ? isa<arith::MinSIOp, arith::MinUIOp>(op)
                   : isa<arith::MaxSIOp, arith::MaxUIOp>(op)) {
      SmallVector<RoundedSum> lhs = of(op->getOperand(0)),
                              rhs = of(op->getOperand(1));
      if (lhs.empty() || rhs.empty())
        return {};
      llvm::append_range(lhs, rhs);
      return lhs;
    }
    if (isa<arith::AddIOp>(op)) {
      for (auto [one, other] :
           {std::pair(op->getOperand(0), op->getOperand(1)),
            std::pair(op->getOperand(1), op->getOperand(0))})
        if (std::optional<RoundedSum> sum = sumOf(other))
          return add(of(one), *sum, 1);
      return {};
    }
    if (isa<arith::SubIOp>(op)) {
      std::optional<RoundedSum> sum = sumOf(op->getOperand(1));
      return sum ? add(of(op->getOperand(0)), *sum, -1)
                 : SmallVector<RoundedSum>();
    }
    return divideOrMultiply(op);
  }

  static SmallVector<RoundedSum> add(SmallVector<RoundedSum> quotients,
                                     const RoundedSum &sum, int64_t factor) {
    for (RoundedSum &quotient : quotients)
      quotient.add(sum, factor);
    return quotients;
  }

  /// A product or quotient of a scalar and a positive constant.
  SmallVector<RoundedSum> divideOrMultiply(Operation *op) {
    if (!isa<arith::MulIOp, arith::DivUIOp, arith::DivSIOp, arith::CeilDivUIOp,
             arith::CeilDivSIOp>(op))
      return {};
    std::optional<int64_t> right = getConstantIntValue(op->getOperand(1));
    if (!right || *right <= 0)
      return {};
    if (isa<arith::MulIOp>(op)) {
      std::optional<RoundedSum> sum = sumOf(op->getOperand(0));
      RoundedSum product;
      if (sum)
        product.add(*sum, *right);
      return sum ? SmallVector<RoundedSum>{product} : SmallVector<RoundedSum>();
    }
    SmallVector<RoundedSum> quotients = of(op->getOperand(0));
    for (RoundedSum &quotient : quotients) {
      if (isa<arith::CeilDivUIOp, arith::CeilDivSIOp>(op))
        quotient.constant += (*right - 1) * quotient.divisor;
      quotient.divisor *= *right;
    }
    return quotients;
  }

  int64_t gridAxis;
  bool takesLeast;
  Value number; ///< the first op for the block id
};

/// The check of one bound.
class BoundCheck {
public:
  BoundCheck(scf::ForOp loop, int64_t gridAxis, bool isEnd)
      : loop(loop), range(loop, loop.getInductionVar()),
        sums(gridAxis, /*takesLeast=*/isEnd), isEnd(isEnd),
        bound(isEnd ? loop.getUpperBound() : loop.getLowerBound()) {}

  /// Checks the bound as far as it depends on the block id.
  bool run() {
    if (!sums.dependsOnNumber(bound))
      return true;
    parts = sums.of(bound);
    if (parts.empty())
      return false;
    all = parts;
    llvm::erase_if(parts, [&](const RoundedSum &part) {
      return sums.factorOfNumber(part) == 0;
    });
    if (llvm::any_of(parts, [&](const RoundedSum &part) {
          return sums.factorOfNumber(part) < 0;
        }))
      return false;
    return isHidden();
  }

  /// Checks the bound as far as it is no multiple of a number.
  bool runUpToMultiple(int64_t number) {
    parts = sums.of(bound);
    if (parts.empty())
      return false;
    all = parts;
    llvm::erase_if(parts,
                   [&](RoundedSum &part) { return part.isMultipleOf(number); });
    return parts.empty() || isHidden();
  }

private:
  bool isHidden() {
    SmallVector<OnlineSoftmax, 2> softmaxes = matchSoftmaxes(loop);
    return softmaxes.empty() ? isIdle() : areHidden(softmaxes);
  }

  /// Hidden scores neither raise the maximum of a row nor make it NaN if it
  /// starts with a number, or if the row sees the first key before them.
  bool areHidden(ArrayRef<OnlineSoftmax> softmaxes) {
    return hasOnlySoftmaxes(loop, *loop.getBody(), softmaxes) &&
           llvm::all_of(softmaxes, [&](const OnlineSoftmax &softmax) {
             SoftmaxMask mask = findSoftmaxMask(softmax);
             tile = cast<RankedTensorType>(softmax.scores.getType());
             bool isGuarded =
                 mask.hidesByInfinity && isGuardedMaximum(loop, softmax);
             return softmax.isIncreasing &&
                    (isGuarded ||
                     (isEnd && isConstantIntValue(loop.getLowerBound(), 0) &&
                      seesFirst(mask.condition))) &&
                    isHidden(mask.condition);
           });
  }

  bool isIdle() {
    SmallVector<IdleMask> masks = findIdleMasks(loop, *loop.getBody());
    return llvm::any_of(masks, [&](const IdleMask &mask) {
      tile = mask.type;
      return isHidden(mask.condition);
    });
  }

  /// Whether a condition holds nowhere outside the bound.
  bool isHidden(const PositionCondition &condition) {
    return llvm::all_of(parts, [&](const RoundedSum &part) {
      return isHidden(condition, part);
    });
  }

  bool isHidden(const PositionCondition &condition, const RoundedSum &part) {
    using Kind = PositionCondition::Kind;
    auto hides = [&](const PositionCondition &each) {
      return isHidden(each, part);
    };
    switch (condition.kind) {
    case Kind::Unknown:
      return false;
    case Kind::All:
      return llvm::any_of(condition.parts, hides);
    case Kind::Any:
      return llvm::all_of(condition.parts, hides);
    case Kind::Comparison:
      break;
    }
    std::optional<AffineCondition> affine =
        range.affineOf(condition.comparison);
    if (!affine ||
        (isEnd ? affine->perIteration >= 0 : affine->perIteration <= 0))
      return false;
    std::optional<RoundedSum> limit = limitOf(*affine);
    return limit && (isEnd ? part.isAtLeast(*limit) : limit->isAtLeast(part));
  }

  /// The iteration from which on, or before which, a condition holds nowhere:
  /// that number for which most + perIteration · number < 0.
  std::optional<RoundedSum> limitOf(const AffineCondition &affine) {
    std::optional<RoundedSum> most = leftSideOf(affine);
    if (!most)
      return std::nullopt;
    int64_t step = std::abs(affine.perIteration);
    most->constant +=
        std::max<int64_t>(affine.perRow * (tile.getDimSize(0) - 1), 0) +
        std::max<int64_t>(affine.perColumn * (tile.getDimSize(1) - 1), 0);
    RoundedSum limit;
    limit.add(*most, isEnd ? 1 : -1);
    limit.constant += isEnd ? step : step - 1;
    limit.divisor = step;
    return limit;
  }

  /// Whether a condition holds for all rows in the first column of iteration 0.
  bool seesFirst(const PositionCondition &condition) {
    using Kind = PositionCondition::Kind;
    auto sees = [&](const PositionCondition &part) { return seesFirst(part); };
    switch (condition.kind) {
    case Kind::Unknown:
      return false;
    case Kind::All:
      return llvm::all_of(condition.parts, sees);
    case Kind::Any:
      return llvm::any_of(condition.parts, sees);
    case Kind::Comparison:
      break;
    }
    std::optional<AffineCondition> affine =
        range.affineOf(condition.comparison);
    std::optional<RoundedSum> left =
        affine ? leftSideOf(*affine) : std::nullopt;
    if (!left)
      return false;
    // A loop that ends where a condition on the column does has no iteration
    // unless the condition holds for the first column.
    if (affine->perRow == 0 && affine->perColumn <= 0 &&
        affine->perIteration < 0) {
      std::optional<RoundedSum> limit = limitOf(*affine);
      if (limit && llvm::any_of(all, [&](const RoundedSum &part) {
            return limit->isAtLeast(part);
          }))
        return true;
    }
    return affine->perRow >= 0 && left->constant >= 0 &&
           llvm::all_of(left->terms, [&](auto &term) {
             return isa_and_present<tile::BlockIdOp>(
                        term.first.getDefiningOp()) &&
                    term.second > 0;
           });
  }

  /// The left side of a condition without its terms of row, column and
  /// iteration.
  std::optional<RoundedSum> leftSideOf(const AffineCondition &affine) {
    RoundedSum left;
    left.constant = affine.constant;
    if (!affine.rows.empty())
      return std::nullopt;
    for (auto [scalar, factor] : affine.base) {
      std::optional<RoundedSum> sum = sums.sumOf(scalar);
      if (!sum)
        return std::nullopt;
      left.add(*sum, factor);
    }
    return left;
  }

  scf::ForOp loop;
  IterationRange range;
  RoundedSums sums;
  bool isEnd;
  Value bound;
  SmallVector<RoundedSum> all;   ///< the parts of the bound
  SmallVector<RoundedSum> parts; ///< those to check
  RankedTensorType tile;         ///< that is masked
};
} // namespace

bool hidesOutsideBounds(scf::ForOp loop, int64_t gridAxis) {
  return BoundCheck(loop, gridAxis, /*isEnd=*/false).run() &&
         BoundCheck(loop, gridAxis, /*isEnd=*/true).run();
}

bool hidesUpToMultiple(scf::ForOp loop, int64_t number) {
  constexpr int64_t noAxis = -1;
  return BoundCheck(loop, noAxis, /*isEnd=*/true).runUpToMultiple(number);
}

} // namespace tilegpt::tilegpu
