// Erases dead ops bottom-up. A set of candidates visits each op once, even when
// several ops read its result.
#include "EraseDead.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilegpt::tilegpu {

void eraseDead(ArrayRef<Operation *> ops) {
  llvm::SetVector<Operation *> candidates(ops.begin(), ops.end());
  while (!candidates.empty()) {
    Operation *op = candidates.pop_back_val();
    if (!op || !isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      candidates.insert(operand.getDefiningOp());
    op->erase();
  }
}

void eraseDead(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

} // namespace tilegpt::tilegpu
