// Sinks arithmetic to its first use. Tiles become registers op by op, which
// would keep every intermediate tile live as a whole. Ops do not sink across a
// loop, or many loads, if this would keep more registers live there.
#include "BlockOrder.h"
#include "Thread/InlinePtx.h"
#include "TileGPT/Conversion/TileGPUToNVVM/Passes.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_ORDERBYUSE
#include "TileGPT/Conversion/TileGPUToNVVM/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;

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

/// Whether an op waits for dots in flight.
static bool awaitsDots(Operation *op) {
  auto text = dyn_cast<LLVM::InlineAsmOp>(op);
  return text && text.getAsmString().starts_with("wgmma.wait_group");
}

static int64_t registerBitsOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  Type element = getElementTypeOrSelf(type);
  constexpr int64_t pointerBits = 64;
  return (vector ? vector.getNumElements() : 1) *
         (element.isIntOrFloat() ? int64_t(element.getIntOrFloatBitWidth())
                                 : pointerBits);
}

/// Whether an op loads from global memory.
static bool isGlobalLoad(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return !isShared(load.getAddr());
  auto text = dyn_cast<LLVM::InlineAsmOp>(op);
  return text && text.getAsmString().contains("ld.global");
}

/// Whether computing a value after an op (a loop, or the first of many loads)
/// instead of before it keeps more registers live there: its operands that
/// nothing else uses there or later. Only for float arithmetic: integers are
/// mostly indices, which are cheap, and elements of a vector are in registers
/// already.
static bool staysAheadOf(Operation *place, Operation *op) {
  if (op->getNumResults() != 1 ||
      !isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())) ||
      isa<LLVM::ExtractElementOp, LLVM::ExtractValueOp, LLVM::InsertElementOp,
          LLVM::BitcastOp>(op))
    return false;
  auto isLive = [&](Operation *user) {
    Operation *ancestor = place->getBlock()->findAncestorOpInBlock(*user);
    return user != op && ancestor && !ancestor->isBeforeInBlock(place);
  };
  int64_t held = 0;
  for (Value operand :
       llvm::SmallDenseSet<Value>(op->operand_begin(), op->operand_end())) {
    Operation *source = operand.getDefiningOp();
    if (source && !source->hasTrait<OpTrait::ConstantLike>() &&
        llvm::none_of(operand.getUsers(), isLive))
      held += registerBitsOf(operand.getType());
  }
  return held > registerBitsOf(op->getResult(0).getType());
}

/// Keeps LLVM from sinking the computation of a 16- or 32-bit value.
static void pin(Value value) {
  Type type = value.getType(), held = type;
  const int64_t bits = registerBitsOf(type);
  if (!LLVM::isCompatibleType(type) || isa<LLVM::LLVMPointerType>(type) ||
      (bits != 16 && bits != 32))
    return;
  OpBuilder builder(value.getContext());
  const Location loc = value.getLoc();
  builder.setInsertionPointAfterValue(value);
  Value pinned = value;
  llvm::SmallPtrSet<Operation *, 2> own;
  if (!type.isF32()) {
    held = builder.getIntegerType(unsigned(bits));
    pinned = LLVM::BitcastOp::create(builder, loc, held, pinned);
    own.insert(pinned.getDefiningOp());
  }
  LLVM::InlineAsmOp text = tilegpt::tilegpu::inlinePtx(
      builder, loc, held, pinned, /*code=*/"",
      type.isF32() ? "=f,0" : (bits == 16 ? "=h,0" : "=r,0"));
  own.insert(text);
  pinned = text.getResult(0);
  if (held != type)
    pinned = LLVM::BitcastOp::create(builder, loc, type, pinned);
  value.replaceAllUsesExcept(pinned, own);
}

/// Pins values that are computed before a loop and next used after it.
static void pinAheadOf(Operation *loop) {
  Block *block = loop->getBlock();
  for (Operation &op : llvm::make_early_inc_range(
           llvm::make_range(block->begin(), loop->getIterator()))) {
    bool isUsedInside = false, isUsedLater = false;
    for (Operation *user : op.getUsers()) {
      Operation *ancestor = block->findAncestorOpInBlock(*user);
      isUsedInside |= ancestor == loop;
      isUsedLater |= ancestor && loop->isBeforeInBlock(ancestor);
    }
    if (isUsedLater && !isUsedInside && isMemoryEffectFree(&op) &&
        staysAheadOf(loop, &op))
      pin(op.getResult(0));
  }
}

/// Packs two 32-bit elements into two of 16 bits.
static bool isPacking(Operation &op) {
  return isa<arith::TruncFOp, LLVM::InsertElementOp, LLVM::BitcastOp>(op);
}

namespace {
/// Reorders the ops of one block.
class BlockByUse {
public:
  BlockByUse(Block &block, bool fewRegisters, bool hasLongRows)
      : block(block), fewRegisters(fewRegisters), hasLongRows(hasLongRows),
        order(block) {
    for (Operation &op : block) {
      const bool isLoop = isa<LoopLikeOpInterface>(op);
      if (isLoop || isGlobalLoad(&op))
        pressures.push_back(&op);
      if (isLoop || awaitsDots(&op))
        barriers.push_back(&op);
      if (hasLongRows && (isLoop || changesShared(&op)))
        writers.push_back(&op);
    }
  }

  void run() {
    // Backwards, so that users are already in place.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      sink(op);
    // Ops that halve the number of registers move as early as possible.
    for (Operation &op : llvm::make_early_inc_range(block))
      if (isPacking(op))
        if (Operation *source = lastSource(op))
          order.moveAfter(&op, source);
    batchLoads();
  }

private:
  void sink(Operation &op) {
    bool isPiece = isPieceOfRow(op, hasLongRows),
         isLoad = isPiece || isLateLoad(op, fewRegisters);
    if (op.getNumRegions() != 0 || (!isLoad && !isArithmetic(op)) ||
        op.hasTrait<OpTrait::ConstantLike>())
      return;
    Operation *user = firstUser(&op);
    if (!user || op.getNextNode() == user ||
        (isLoad && mustStay(&op, user, isPiece)))
      return;
    Operation *pressure = pressureBetween(&op, user);
    if (pressure && staysAheadOf(pressure, &op))
      return;
    auto own = placeOf(pressures, &op);
    const bool isPressure = own != pressures.end() && *own == &op;
    if (isPressure)
      pressures.erase(own);
    order.moveBefore(&op, user);
    if (isPressure)
      pressures.insert(placeOf(pressures, &op), &op);
  }

  /// The first op of the block that uses a result of `op` itself or in its
  /// regions; null if there is none or a use is outside of the block.
  Operation *firstUser(Operation *op) const {
    Operation *first = nullptr;
    for (Operation *user : op->getUsers()) {
      Operation *ancestor = block.findAncestorOpInBlock(*user);
      if (!ancestor)
        return nullptr;
      if (!first || order.isBefore(ancestor, first))
        first = ancestor;
    }
    return first;
  }

  using Ops = SmallVector<Operation *>;

  /// The first of these ops, which are in order, that is not before `op`.
  Ops::iterator placeOf(Ops &ops, Operation *op) const {
    return llvm::lower_bound(ops, op, [&](Operation *a, Operation *b) {
      return order.isBefore(a, b);
    });
  }

  bool areBetween(Ops &ops, Operation *op, Operation *user) const {
    auto next = placeOf(ops, op);
    return next != ops.end() && order.isBefore(*next, user);
  }

  /// Whether a load must not cross something between it and its user: a loop
  /// out of which it was hoisted, dots that hide its latency, or a possible
  /// write to its memory.
  bool mustStay(Operation *load, Operation *user, bool readsShared) {
    return areBetween(barriers, load, user) ||
           (readsShared && areBetween(writers, load, user));
  }

  /// The first loop between an op and its first user, or the first of loads of
  /// more elements than a thread should have in flight; null if there is
  /// neither.
  Operation *pressureBetween(Operation *op, Operation *user) {
    constexpr int64_t mostBits = 64 * 32;
    Operation *firstLoad = nullptr;
    int64_t bits = 0;
    for (Operation *each :
         llvm::make_range(placeOf(pressures, op), pressures.end())) {
      if (!order.isBefore(each, user))
        break;
      if (isa<LoopLikeOpInterface>(each))
        return firstLoad ? firstLoad : each;
      if (!firstLoad)
        firstLoad = each;
      for (Type type : each->getResultTypes())
        bits += registerBitsOf(type);
      if (bits > mostBits)
        return firstLoad;
    }
    return nullptr;
  }

  /// The last op of the block that defines an operand of `op`; null if there is
  /// none.
  Operation *lastSource(Operation &op) const {
    Operation *last = nullptr;
    for (Value operand : op.getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (source && source->getBlock() == &block &&
          (!last || order.isBefore(last, source)))
        last = source;
    }
    return last;
  }

  /// Collects the arithmetic that an op depends on behind `place`, and the op,
  /// in order; false if it depends on anything else there.
  bool collectMoved(Operation *op, Operation *place,
                    llvm::SetVector<Operation *> &moved) const {
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source || source->getBlock() != &block ||
          order.isBefore(source, place) || moved.contains(source))
        continue;
      if (source->getNumRegions() != 0 || !isMemoryEffectFree(source) ||
          !collectMoved(source, place, moved))
        return false;
    }
    moved.insert(op);
    return true;
  }

  /// Moves loads that have sunk to their uses together, in batches of a few
  /// registers, so that their latencies overlap.
  void batchLoads() {
    constexpr int64_t mostBits = 16 * 32;
    Operation *first = nullptr;
    int64_t bits = 0;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto text = dyn_cast<LLVM::InlineAsmOp>(op);
      if (op.getNumRegions() != 0 || awaitsDots(&op) ||
          (text && text.getAsmString().starts_with("griddepcontrol")))
        first = nullptr;
      if (!isLateLoad(op, fewRegisters))
        continue;
      int64_t own = registerBitsOf(op.getResult(0).getType());
      llvm::SetVector<Operation *> moved;
      if (first && bits + own <= mostBits && collectMoved(&op, first, moved)) {
        for (Operation *each : moved)
          order.moveBefore(each, first);
        bits += own;
      } else {
        first = &op;
        bits = own;
      }
    }
  }

  Block &block;
  bool fewRegisters, hasLongRows;
  BlockOrder order;
  Ops pressures; ///< loops and loads from global memory, in order
  Ops barriers;  ///< loops and waits for dots, in order
  Ops writers;   ///< loops and ops that may write shared memory, in order
};

struct OrderByUse : tilegpt::tilegpu::impl::OrderByUseBase<OrderByUse> {
  void runOnOperation() override {
    auto plan = getOperation()->getAttrOfType<tilegpt::tilegpu::PlanAttr>(
        tilegpt::tilegpu::PlanAttr::attrName);
    bool fewRegisters = plan && plan.getProducer(),
         hasLongRows =
             getOperation()->hasAttr(tilegpt::tilegpu::stagedRowsName);
    getOperation().walk([&](Block *block) {
      BlockByUse(*block, fewRegisters, hasLongRows).run();
      for (Operation &loop : *block)
        if (isa<LoopLikeOpInterface>(loop))
          pinAheadOf(&loop);
    });
  }
};
} // namespace
