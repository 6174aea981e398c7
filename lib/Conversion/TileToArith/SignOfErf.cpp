// Upstream's erf negates the result if the operand is less than zero, which -0
// is not.
#include "TileGPT/Conversion/TileToArith/SignOfErf.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::tile {

void keepSignOfErf(Operation *function) {
  function->walk([](math::ErfOp op) {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Value odd =
        math::CopySignOp::create(builder, op.getLoc(), op, op.getOperand());
    op.getResult().replaceAllUsesExcept(odd, odd.getDefiningOp());
  });
}

} // namespace tilegpt::tile
