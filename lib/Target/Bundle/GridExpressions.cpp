// Flattens an affine expression tree into postfix order.
#include "GridExpressions.h"
#include "mlir/IR/AffineExpr.h"

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

static void append(AffineExpr expr, ArrayAttr sources,
                   std::vector<Expression> &postfix) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    postfix.push_back(Expression::constant(constant.getValue()));
    return;
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    ArrayRef<int64_t> at =
        cast<DenseI64ArrayAttr>(sources[symbol.getPosition()]).asArrayRef();
    postfix.push_back(at.size() == 2 ? Expression::dim(at[0], at[1])
                                     : Expression::scalar(at[0]));
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  append(binary.getLHS(), sources, postfix);
  append(binary.getRHS(), sources, postfix);
  postfix.push_back(Expression::apply(operationOf(expr.getKind())));
}

std::vector<Expression> postfixOf(tile::ExprAttr expr) {
  std::vector<Expression> postfix;
  append(expr.getMap().getResult(0), expr.getSources(), postfix);
  return postfix;
}

} // namespace tilegpt::target
