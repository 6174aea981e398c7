// Interval arithmetic with saturation.
#include "TileGPT/Dialect/Tile/IR/ExprRange.h"
#include "TileGPT/Dialect/Tile/IR/ExprEval.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tile {

static constexpr int64_t minusInfinity = std::numeric_limits<int64_t>::min();
static constexpr int64_t plusInfinity = std::numeric_limits<int64_t>::max();

static bool isInfinite(int64_t value) {
  return value == minusInfinity || value == plusInfinity;
}

/// An overflow saturates to the infinity on its side. Minus and plus infinity
/// are never added: both are lower or both are upper ends.
static int64_t addEnds(int64_t lhs, int64_t rhs) {
  if (isInfinite(lhs))
    return lhs;
  if (isInfinite(rhs))
    return rhs;
  int64_t sum;
  if (!llvm::AddOverflow(lhs, rhs, sum))
    return sum;
  return lhs < 0 ? minusInfinity : plusInfinity;
}

static int64_t multiplyEnds(int64_t lhs, int64_t rhs) {
  if (lhs == 0 || rhs == 0)
    return 0;
  int64_t product;
  if (!isInfinite(lhs) && !isInfinite(rhs) &&
      !llvm::MulOverflow(lhs, rhs, product))
    return product;
  return (lhs < 0) == (rhs < 0) ? plusInfinity : minusInfinity;
}

static Interval multiply(Interval lhs, Interval rhs) {
  int64_t ends[] = {multiplyEnds(lhs.lo, rhs.lo), multiplyEnds(lhs.lo, rhs.hi),
                    multiplyEnds(lhs.hi, rhs.lo), multiplyEnds(lhs.hi, rhs.hi)};
  return {*llvm::min_element(ends), *llvm::max_element(ends)};
}

/// Whether all values of a divisor are positive, and there are some:
/// contradictory facts leave none.
static bool isPositive(Interval divisor) {
  return divisor.lo > 0 && divisor.lo <= divisor.hi;
}

/// Divides by a positive interval; rounding is monotonic, so the bounds of the
/// quotient come from bounds of the operands.
static Interval divide(Interval lhs, Interval rhs,
                       int64_t (*divideInts)(int64_t, int64_t)) {
  if (!isPositive(rhs))
    return {};
  auto quotient = [&](int64_t value, int64_t divisor) -> int64_t {
    if (isInfinite(value))
      return value;
    return divideInts(value, divisor);
  };
  int64_t ends[] = {quotient(lhs.lo, rhs.lo), quotient(lhs.lo, rhs.hi),
                    quotient(lhs.hi, rhs.lo), quotient(lhs.hi, rhs.hi)};
  return {*llvm::min_element(ends), *llvm::max_element(ends)};
}

/// The remainder of a positive divisor; exact if the quotient is constant.
static Interval remainder(Interval lhs, Interval rhs) {
  if (!isPositive(rhs))
    return {};
  if (rhs.lo == rhs.hi && !isInfinite(lhs.lo) && !isInfinite(lhs.hi) &&
      llvm::divideFloorSigned(lhs.lo, rhs.lo) ==
          llvm::divideFloorSigned(lhs.hi, rhs.lo))
    return {llvm::mod(lhs.lo, rhs.lo), llvm::mod(lhs.hi, rhs.lo)};
  if (lhs.lo >= 0 && lhs.hi < rhs.lo)
    return lhs;
  return {0, rhs.hi == plusInfinity ? plusInfinity : rhs.hi - 1};
}

Interval rangeOf(AffineExpr expr, ArrayRef<Interval> unknowns) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return unknowns[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Interval lhs = rangeOf(binary.getLHS(), unknowns);
  Interval rhs = rangeOf(binary.getRHS(), unknowns);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return {addEnds(lhs.lo, rhs.lo), addEnds(lhs.hi, rhs.hi)};
  case AffineExprKind::Mul:
    return multiply(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return divide(lhs, rhs, llvm::divideFloorSigned);
  case AffineExprKind::CeilDiv:
    return divide(lhs, rhs, llvm::divideCeilSigned);
  case AffineExprKind::Mod:
    return remainder(lhs, rhs);
  default:
    llvm_unreachable("leaves are handled above");
  }
}

/// `expr` over unknowns; null if one of its symbols is unknown, or a divisor is
/// not a positive constant.
static AffineExpr overUnknowns(ExprAttr expr, const RangeSymbols &symbols) {
  SmallVector<AffineExpr> replacements;
  for (Attribute source : expr.getSources()) {
    AffineExpr replacement;
    if (auto name = dyn_cast<StringAttr>(source)) {
      replacement = symbols.param(name.getValue());
    } else {
      ArrayRef<int64_t> place = cast<DenseI64ArrayAttr>(source).asArrayRef();
      replacement = place.size() == 1 ? symbols.scalar(place[0])
                                      : symbols.dim(place[0], place[1]);
    }
    if (!replacement)
      return {};
    replacements.push_back(replacement);
  }
  llvm::Expected<AffineExpr> replaced =
      replaceSymbols(expr.getMap().getResult(0), replacements);
  if (replaced)
    return *replaced;
  // An expression that cannot be evaluated cannot be proved either.
  llvm::consumeError(replaced.takeError());
  return {};
}

std::optional<bool> decide(ConditionAttr condition,
                           const RangeSymbols &symbols) {
  AffineExpr lhs = overUnknowns(condition.getLhs(), symbols);
  AffineExpr rhs = overUnknowns(condition.getRhs(), symbols);
  if (!lhs || !rhs)
    return std::nullopt;
  // The difference, simplified: equal unknowns on both sides cancel.
  Interval difference =
      rangeOf(simplifyAffineExpr(lhs - rhs, 0, symbols.unknowns.size()),
              symbols.unknowns);
  auto known = [](bool always, bool never) -> std::optional<bool> {
    if (always)
      return true;
    return never ? std::optional<bool>(false) : std::nullopt;
  };
  auto [lo, hi] = difference;
  switch (condition.getComparison()) {
  case Comparison::EQ:
    return known(lo == 0 && hi == 0, lo > 0 || hi < 0);
  case Comparison::LT:
    return known(hi < 0, lo >= 0);
  case Comparison::LE:
    return known(hi <= 0, lo > 0);
  case Comparison::GT:
    return known(lo > 0, hi <= 0);
  case Comparison::GE:
    return known(lo >= 0, hi < 0);
  }
  llvm_unreachable("all comparisons are handled above");
}

} // namespace tilegpt::tile
