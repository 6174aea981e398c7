// Evaluates size expressions and conditions with overflow and division checks.
#include "TileGPT/Dialect/Tile/IR/ExprEval.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using llvm::Expected;

namespace tilegpt::tile {

/// The value of one symbol.
static Expected<int64_t> symbolValue(Attribute source,
                                     const ExprSymbols &symbols) {
  if (auto name = dyn_cast<StringAttr>(source))
    return symbols.param(name.getValue());
  ArrayRef<int64_t> place = cast<DenseI64ArrayAttr>(source).asArrayRef();
  if (place.size() == 1)
    return symbols.scalar(place[0]);
  return symbols.dim(place[0], place[1]);
}

/// The function a kernel's text divides by.
static StringRef nameOf(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::FloorDiv:
    return "floordiv";
  case AffineExprKind::CeilDiv:
    return "ceildiv";
  default:
    return "mod";
  }
}

static llvm::Error checkDivisor(AffineExprKind kind, int64_t divisor) {
  bool divides = kind != AffineExprKind::Add && kind != AffineExprKind::Mul;
  if (!divides || divisor > 0)
    return llvm::Error::success();
  return llvm::createStringError("expected a positive divisor in " +
                                 nameOf(kind) + ", found " + Twine(divisor));
}

static Expected<int64_t> evaluateBinary(AffineExprKind kind, int64_t lhs,
                                        int64_t rhs) {
  if (llvm::Error error = checkDivisor(kind, rhs))
    return error;
  int64_t result = 0;
  bool overflow = false;
  switch (kind) {
  case AffineExprKind::Add:
    overflow = llvm::AddOverflow(lhs, rhs, result);
    break;
  case AffineExprKind::Mul:
    overflow = llvm::MulOverflow(lhs, rhs, result);
    break;
  case AffineExprKind::FloorDiv:
    result = llvm::divideFloorSigned(lhs, rhs);
    break;
  case AffineExprKind::CeilDiv:
    result = llvm::divideCeilSigned(lhs, rhs);
    break;
  case AffineExprKind::Mod:
    result = llvm::mod(lhs, rhs);
    break;
  default:
    llvm_unreachable("not a binary expression");
  }
  if (overflow)
    return llvm::createStringError(
        "size expression does not fit 64 bits: %lld %s %lld",
        static_cast<long long>(lhs), kind == AffineExprKind::Add ? "+" : "*",
        static_cast<long long>(rhs));
  return result;
}

static Expected<int64_t> evaluateExpr(AffineExpr expr, ArrayAttr sources,
                                      const ExprSymbols &symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbolValue(sources[symbol.getPosition()], symbols);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Expected<int64_t> lhs = evaluateExpr(binary.getLHS(), sources, symbols);
  if (!lhs)
    return lhs;
  Expected<int64_t> rhs = evaluateExpr(binary.getRHS(), sources, symbols);
  if (!rhs)
    return rhs;
  return evaluateBinary(expr.getKind(), *lhs, *rhs);
}

Expected<int64_t> evaluate(ExprAttr expr, const ExprSymbols &symbols) {
  return evaluateExpr(expr.getMap().getResult(0), expr.getSources(), symbols);
}

bool holds(Comparison comparison, int64_t lhs, int64_t rhs) {
  switch (comparison) {
  case Comparison::EQ:
    return lhs == rhs;
  case Comparison::LT:
    return lhs < rhs;
  case Comparison::LE:
    return lhs <= rhs;
  case Comparison::GT:
    return lhs > rhs;
  case Comparison::GE:
    return lhs >= rhs;
  }
  llvm_unreachable("all comparisons are handled");
}

Expected<bool> evaluate(ConditionAttr condition, const ExprSymbols &symbols) {
  Expected<int64_t> lhs = evaluate(condition.getLhs(), symbols);
  if (!lhs)
    return lhs.takeError();
  Expected<int64_t> rhs = evaluate(condition.getRhs(), symbols);
  if (!rhs)
    return rhs.takeError();
  return holds(condition.getComparison(), *lhs, *rhs);
}

Expected<AffineExpr> combine(AffineExprKind kind, AffineExpr lhs,
                             AffineExpr rhs) {
  auto left = dyn_cast<AffineConstantExpr>(lhs),
       right = dyn_cast<AffineConstantExpr>(rhs);
  auto known = [&](int64_t one, int64_t other) -> Expected<AffineExpr> {
    Expected<int64_t> value = evaluateBinary(kind, one, other);
    if (!value)
      return value.takeError();
    return getAffineConstantExpr(*value, lhs.getContext());
  };
  if (left && right)
    return known(left.getValue(), right.getValue());
  if (right)
    if (llvm::Error error = checkDivisor(kind, right.getValue()))
      return error;
  // Upstream folds the constants of (x + 1) + 2 and (x * 2) * 3.
  if (auto inner = dyn_cast<AffineBinaryOpExpr>(lhs);
      inner && right && inner.getKind() == kind &&
      (kind == AffineExprKind::Add || kind == AffineExprKind::Mul))
    if (auto constant = dyn_cast<AffineConstantExpr>(inner.getRHS())) {
      Expected<AffineExpr> folded =
          known(constant.getValue(), right.getValue());
      if (!folded)
        return folded;
    }
  return getAffineBinaryOpExpr(kind, lhs, rhs);
}

Expected<AffineExpr> replaceSymbols(AffineExpr expr,
                                    ArrayRef<AffineExpr> replacements) {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return replacements[symbol.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  Expected<AffineExpr> lhs = replaceSymbols(binary.getLHS(), replacements);
  if (!lhs)
    return lhs;
  Expected<AffineExpr> rhs = replaceSymbols(binary.getRHS(), replacements);
  if (!rhs)
    return rhs;
  return combine(expr.getKind(), *lhs, *rhs);
}

} // namespace tilegpt::tile
