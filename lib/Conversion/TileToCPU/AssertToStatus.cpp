// Turns assertions into early returns with the number of the failed one.
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_ASSERTTOSTATUS
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;

namespace {
struct AssertToStatus : tilegpt::cpu::impl::AssertToStatusBase<AssertToStatus> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    SmallVector<cf::AssertOp> asserts;
    function.walk([&](cf::AssertOp op) { asserts.push_back(op); });
    OpBuilder builder(&getContext());
    SmallVector<StringRef> messages;
    for (cf::AssertOp op : asserts) {
      messages.push_back(op.getMsg());
      Block *block = op->getBlock();
      Block *rest = block->splitBlock(op->getNextNode());
      Block *failed =
          builder.createBlock(&function.getBody(), function.getBody().end());
      Value status = arith::ConstantIntOp::create(builder, op.getLoc(),
                                                  messages.size(), 32);
      func::ReturnOp::create(builder, op.getLoc(), status);
      builder.setInsertionPoint(op);
      cf::CondBranchOp::create(builder, op.getLoc(), op.getArg(), rest, failed);
    }
    if (!messages.empty())
      function->setAttr("tilegpt.asserts", builder.getStrArrayAttr(messages));
    for (cf::AssertOp op : asserts)
      op.erase();
  }
};
} // namespace
