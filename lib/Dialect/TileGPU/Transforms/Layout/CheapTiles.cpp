// Clones tiles that are free to rematerialize, and finds expensive functions.
#include "Layout/CheapTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool isCheap(Operation *op) {
  return isa<tile::SplatOp, tile::IotaOp>(op) ||
         (isa<arith::ConstantOp>(op) &&
          isa<RankedTensorType>(op->getResult(0).getType()));
}

bool isLongFunction(Operation *op) {
  return isa<math::SinOp, math::CosOp, math::TanOp, math::AsinOp, math::AcosOp,
             math::AtanOp, math::Atan2Op, math::SinhOp, math::CoshOp,
             math::AsinhOp, math::AcoshOp, math::AtanhOp, math::ExpM1Op,
             math::Log1pOp, math::Log2Op, math::Log10Op, math::PowFOp,
             math::CbrtOp, math::ErfOp, math::ErfcOp>(op);
}

/// Whether an op creates a free tile or inserts unit axes into one.
static bool isFree(Operation *op) {
  while (auto expand = dyn_cast_or_null<tile::ExpandDimsOp>(op))
    op = expand.getSource().getDefiningOp();
  return op && isCheap(op);
}

void cloneCheapTiles(tile::KernelOp kernel) {
  SmallVector<Operation *> cheap;
  kernel.walk([&](Operation *op) {
    if (isFree(op) && !op->use_empty())
      cheap.push_back(op);
  });
  // Users first: each clone gets sources of its own.
  for (Operation *op : llvm::reverse(cheap)) {
    OpBuilder builder(op);
    for (OpOperand &use :
         llvm::make_early_inc_range(llvm::drop_begin(op->getUses())))
      use.set(builder.clone(*op)->getResult(0));
  }
}

} // namespace tilegpt::tilegpu
