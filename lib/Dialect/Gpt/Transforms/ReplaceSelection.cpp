// Replaces selections by the tensors they choose.
#include "ReplaceSelection.h"
#include "TileGPT/Dialect/Gpt/IR/Values.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilegpt::gpt {

/// Erases the op that defines `value`, and what only that op reads, if nothing
/// uses it: unread results would still count as uses of what they read.
static void eraseUnread(Value value) {
  llvm::SetVector<Operation *> left;
  auto consider = [&](Value value) {
    if (Operation *op = value.getDefiningOp())
      left.insert(op);
  };
  consider(value);
  while (!left.empty()) {
    Operation *op = left.pop_back_val();
    if (!isOpTriviallyDead(op) && !(op->use_empty() && ownsCache(op)))
      continue;
    llvm::for_each(op->getOperands(), consider);
    op->erase();
  }
}

LogicalResult replaceSelection(SelectOp select) {
  FailureOr<double> value =
      getNumber(select, select.getValue(), "the value to select by");
  if (failed(value))
    return failure();
  Value chosen = select.getLhs(), other = select.getRhs();
  if (*value == 0)
    std::swap(chosen, other);
  select.replaceAllUsesWith(chosen);
  select.erase();
  eraseUnread(other);
  return success();
}

} // namespace tilegpt::gpt
