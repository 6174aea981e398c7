// Resolves the symbols of size expressions.
#include "GridExpressions.h"
#include "TileGPT/Target/LLVM/Postfix.h"

using namespace mlir;
using tilegpt::bundle::Expression;

namespace tilegpt::target {

std::vector<Expression> postfixOf(tile::ExprAttr expr) {
  std::vector<Expression> postfix;
  appendPostfix(
      expr.getMap().getResult(0),
      [&](unsigned symbol) {
        ArrayRef<int64_t> at =
            cast<DenseI64ArrayAttr>(expr.getSources()[symbol]).asArrayRef();
        return at.size() == 2 ? Expression::dim(at[0], at[1])
                              : Expression::scalar(at[0]);
      },
      postfix);
  return postfix;
}

} // namespace tilegpt::target
