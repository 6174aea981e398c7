// Flattens an affine expression tree into postfix order.
#include "TileGPT/Target/LLVM/Postfix.h"

using namespace mlir;
using tilegpt::bundle::Expression;
using tilegpt::bundle::ExpressionOp;

namespace tilegpt::target {

static ExpressionOp operationOf(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Add:
    return ExpressionOp::Add;
  case AffineExprKind::Mul:
    return ExpressionOp::Mul;
  case AffineExprKind::Mod:
    return ExpressionOp::Mod;
  case AffineExprKind::FloorDiv:
    return ExpressionOp::FloorDiv;
  case AffineExprKind::CeilDiv:
    return ExpressionOp::CeilDiv;
  default:
    llvm_unreachable("not a binary expression");
  }
}

void appendPostfix(AffineExpr expr,
                   llvm::function_ref<Expression(unsigned)> ofSymbol,
                   std::vector<Expression> &postfix) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    postfix.push_back(Expression::constant(constant.getValue()));
    return;
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    postfix.push_back(ofSymbol(symbol.getPosition()));
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  appendPostfix(binary.getLHS(), ofSymbol, postfix);
  appendPostfix(binary.getRHS(), ofSymbol, postfix);
  postfix.push_back(Expression::apply(operationOf(expr.getKind())));
}

} // namespace tilegpt::target
