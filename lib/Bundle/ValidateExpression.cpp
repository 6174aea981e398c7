// Expressions: postfix, evaluated on a stack of bounded depth.
#include "ValidateExpression.h"

using namespace tilegpt;
using namespace tilegpt::bundle;
using runtime::concat;

std::string bundle::expressionProblem(std::span<const Expression> expression,
                                      std::span<const Argument> actuals) {
  unsigned depth = 0;
  for (const Expression &node : expression) {
    switch (node.op) {
    case ExpressionOp::Dim:
      if (node.argument >= actuals.size() ||
          actuals[node.argument].kind != ArgumentKind::View ||
          node.axis >= actuals[node.argument].rank)
        return concat("refers to size ", node.axis, " of argument ",
                      node.argument, ", which does not exist");
      ++depth;
      break;
    case ExpressionOp::Scalar:
      if (node.argument >= actuals.size() ||
          actuals[node.argument].kind != ArgumentKind::Scalar ||
          actuals[node.argument].type > ElementType::I64)
        return concat("refers to argument ", node.argument,
                      ", which is not an integer scalar");
      ++depth;
      break;
    case ExpressionOp::Constant:
      ++depth;
      break;
    default:
      if (depth < 2)
        return "has an operation without operands";
      --depth;
    }
    if (depth > maxExpressionDepth)
      return concat("needs a stack of more than ", maxExpressionDepth,
                    " values");
  }
  return depth == 1 ? "" : concat("expected one value, got ", depth);
}
