// Clones tiles that cost nothing.
#include "Layout/CheapTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool isCheap(Operation *op) {
  return isa<tile::SplatOp, tile::IotaOp>(op) ||
         (isa<arith::ConstantOp>(op) &&
          isa<RankedTensorType>(op->getResult(0).getType()));
}

void cloneCheapTiles(tile::KernelOp kernel) {
  SmallVector<Operation *> cheap;
  kernel.walk([&](Operation *op) {
    if (isCheap(op) && !op->use_empty())
      cheap.push_back(op);
  });
  for (Operation *op : cheap) {
    OpBuilder builder(op);
    for (OpOperand &use :
         llvm::make_early_inc_range(llvm::drop_begin(op->getUses())))
      use.set(builder.clone(*op)->getResult(0));
  }
}

} // namespace tilegpt::tilegpu
