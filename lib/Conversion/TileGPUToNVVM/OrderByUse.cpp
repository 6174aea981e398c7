// Sinks arithmetic to its first use. Tiles become registers op by op, which
// would keep every intermediate tile live as a whole.
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

/// The first op of the block that uses a result of `op` itself or in its
/// regions; null if there is none or a use is outside of the block.
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

/// Arithmetic, including intrinsics, which MLIR knows only by name. LLVM's FMAs
/// keep the order that a dot gave them.
static bool isArithmetic(Operation &op) {
  if (isa<LLVM::FMAOp>(op))
    return false;
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return call.getIntrin().contains(".approx");
  return isMemoryEffectFree(&op);
}

/// A load of constant memory, in a kernel whose accumulators leave few
/// registers: it may sink to its use, as other warps hide its latency.
static bool isLateLoad(Operation &op, bool fewRegisters) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  return fewRegisters && load && load.getInvariant() && !load.getVolatile_();
}

static bool isShared(Value pointer) {
  constexpr unsigned sharedSpace = 3;
  return cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() ==
         sharedSpace;
}

/// A load from shared memory of a row that is too long for registers.
static bool isPieceOfRow(Operation &op, bool hasLongRows) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  return hasLongRows && load && isShared(load.getAddr());
}

/// Whether an op may modify shared memory, or let others do so. The wait for
/// the previous launch does not: it concerns global memory.
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

/// Whether a load must not cross something between it and its user: a loop out
/// of which it was hoisted, or a possible write to its memory.
static bool mustStay(Operation *load, Operation *user, bool readsShared) {
  for (Operation *op = load->getNextNode(); op != user; op = op->getNextNode())
    if (isa<LoopLikeOpInterface>(op) || (readsShared && changesShared(op)))
      return true;
  return false;
}

/// Packs two 32-bit elements into two of 16 bits.
static bool isPacking(Operation &op) {
  return isa<arith::TruncFOp, LLVM::InsertElementOp, LLVM::BitcastOp>(op);
}

/// The last op of the block that defines an operand of `op`; null if there is
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
      // Backwards, so that users are already in place.
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
      // Ops that halve the number of registers move as early as possible.
      for (Operation &op : llvm::make_early_inc_range(*block))
        if (isPacking(op))
          if (Operation *source = lastSource(op))
            op.moveAfter(source);
    });
  }
};
} // namespace
