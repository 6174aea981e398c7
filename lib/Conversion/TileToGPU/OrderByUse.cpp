// Moves arithmetic to where its result is used. Tiles become registers op by
// op, which would keep every intermediate tile alive as a whole.
#include "TileGPT/Conversion/TileToGPU/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_ORDERBYUSE
#include "TileGPT/Conversion/TileToGPU/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;

/// The first op of the block that uses a result of `op` itself or inside of it;
/// null when a use lies outside of the block or there is none.
static Operation *firstUser(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    if (!ancestor)
      return nullptr;
    if (!first || ancestor->isBeforeInBlock(first))
      first = ancestor;
  }
  return first;
}

namespace {
struct OrderByUse : tilegpt::tilegpu::impl::OrderByUseBase<OrderByUse> {
  void runOnOperation() override {
    getOperation().walk([](Block *block) {
      // From the last op on, so that users have their places already.
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block))) {
        if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op) ||
            op.hasTrait<OpTrait::ConstantLike>())
          continue;
        Operation *user = firstUser(&op);
        if (user && op.getNextNode() != user)
          op.moveBefore(user);
      }
    });
  }
};
} // namespace
