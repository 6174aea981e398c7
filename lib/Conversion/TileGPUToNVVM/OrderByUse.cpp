// Moves arithmetic to where its result is used. Tiles become registers op by
// op, which would keep every intermediate tile alive as a whole.
#include "TileGPT/Conversion/TileGPUToNVVM/Passes.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_ORDERBYUSE
#include "TileGPT/Conversion/TileGPUToNVVM/Passes.h.inc"
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

/// Arithmetic; functions of the hardware among it, of which MLIR knows only the
/// name. Multiply-adds of LLVM are in the order that a dot gave them.
static bool isArithmetic(Operation &op) {
  if (isa<LLVM::FMAOp>(op))
    return false;
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return call.getIntrin().contains(".approx");
  return isMemoryEffectFree(&op);
}

/// A load of what nobody writes, in a kernel whose accumulators leave few
/// registers: it may wait for its use, other warps hide what that takes.
static bool isLateLoad(Operation &op, bool fewRegisters) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  return fewRegisters && load && load.getInvariant() && !load.getVolatile_();
}

static bool isShared(Value pointer) {
  constexpr unsigned sharedSpace = 3;
  return cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() ==
         sharedSpace;
}

/// A load of a row that is too long for registers, from shared memory.
static bool isPieceOfRow(Operation &op, bool hasLongRows) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  return hasLongRows && load && isShared(load.getAddr());
}

/// Whether an op may change what lies in shared memory, or let others do so.
/// The wait for the launch in front does not: that is about global memory.
static bool changesShared(Operation *op) {
  auto isOther = [](Operation *inner) {
    if (auto store = dyn_cast<LLVM::StoreOp>(inner))
      return !isShared(store.getAddr());
    if (auto text = dyn_cast<LLVM::InlineAsmOp>(inner))
      return text.getAsmString().starts_with("griddepcontrol");
    return isa<LLVM::LoadOp>(inner) || inner->getNumRegions() != 0 ||
           isMemoryEffectFree(inner) || isArithmetic(*inner);
  };
  return op
      ->walk([&](Operation *inner) {
        return isOther(inner) ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Whether a load must stay in front of something between it and its user: of
/// a loop, before which it was put for good, or of what may change what it
/// reads.
static bool mustStay(Operation *load, Operation *user, bool readsShared) {
  for (Operation *op = load->getNextNode(); op != user; op = op->getNextNode())
    if (isa<LoopLikeOpInterface>(op) || (readsShared && changesShared(op)))
      return true;
  return false;
}

/// What makes two elements of 16 bits out of two of 32.
static bool isPacking(Operation &op) {
  return isa<arith::TruncFOp, LLVM::InsertElementOp, LLVM::BitcastOp>(op);
}

/// The last op of the block that makes an operand of `op`; null when there is
/// none.
static Operation *lastSource(Operation &op) {
  Operation *last = nullptr;
  for (Value operand : op.getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (source && source->getBlock() == op.getBlock() &&
        (!last || last->isBeforeInBlock(source)))
      last = source;
  }
  return last;
}

namespace {
struct OrderByUse : tilegpt::tilegpu::impl::OrderByUseBase<OrderByUse> {
  void runOnOperation() override {
    auto plan = getOperation()->getAttrOfType<tilegpt::tilegpu::PlanAttr>(
        tilegpt::tilegpu::PlanAttr::attrName);
    bool fewRegisters = plan && plan.getProducer(),
         hasLongRows =
             getOperation()->hasAttr(tilegpt::tilegpu::stagedRowsName);
    getOperation().walk([&](Block *block) {
      // From the last op on, so that users have their places already.
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block))) {
        bool isPiece = isPieceOfRow(op, hasLongRows),
             isLoad = isPiece || isLateLoad(op, fewRegisters);
        if (op.getNumRegions() != 0 || (!isLoad && !isArithmetic(op)) ||
            op.hasTrait<OpTrait::ConstantLike>())
          continue;
        Operation *user = firstUser(&op);
        if (user && op.getNextNode() != user &&
            !(isLoad && mustStay(&op, user, isPiece)))
          op.moveBefore(user);
      }
      // What takes half of the registers takes them as soon as it can.
      for (Operation &op : llvm::make_early_inc_range(*block))
        if (isPacking(op))
          if (Operation *source = lastSource(op))
            op.moveAfter(source);
    });
  }
};
} // namespace
