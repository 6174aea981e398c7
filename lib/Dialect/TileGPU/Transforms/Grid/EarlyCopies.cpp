// Hoists groups of copies, and turns loads into copies.
#include "Grid/EarlyCopies.h"
#include "MoveAhead.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Splits copies of launch-invariant memory out of a branch that has other
/// copies too, into a branch before it.
static void splitCopies(scf::IfOp group, EarlyAccesses &accesses) {
  if (group.getNumResults() || !group.getElseRegion().empty() ||
      !llvm::all_of(group.thenBlock()->without_terminator(), [](Operation &op) {
        return isPure(&op) || isa<CopyOp>(op);
      }))
    return;
  SmallVector<CopyOp> early, others;
  for (auto copy : group.thenBlock()->getOps<CopyOp>())
    (accesses.isOwn(copy.getView()) && !copy.getRows() ? early : others)
        .push_back(copy);
  if (early.empty() || others.empty())
    return;
  OpBuilder builder(group);
  auto apart = scf::IfOp::create(builder, group.getLoc(), group.getCondition());
  builder.setInsertionPoint(apart.thenBlock()->getTerminator());
  IRMapping mapping;
  for (Operation &op : group.thenBlock()->without_terminator())
    if (isPure(&op) || llvm::is_contained(early, &op))
      builder.clone(op, mapping);
  for (CopyOp copy : early)
    copy.erase();
}

void bringCopiesForward(AwaitLaunchOp wait, EarlyAccesses &accesses) {
  for (auto group :
       llvm::make_early_inc_range(wait->getBlock()->getOps<scf::IfOp>()))
    if (wait->isBeforeInBlock(group))
      splitCopies(group, accesses);
  OpSet movable, moved;
  bool isCut = false;
  SmallVector<Operation *> writes;
  for (Operation *op = wait->getNextNode(); op; op = op->getNextNode()) {
    bool isCopies = false, isEarly = true;
    op->walk([&](Operation *inner) {
      if (isa<CopyOp, CopyRunOp>(inner)) {
        Value view = inner->getOperand(0);
        isCopies = true;
        // Row indices are written at their original place.
        auto copy = dyn_cast<CopyOp>(inner);
        isEarly &= accesses.isOwn(view) && !accesses.meetsAny(writes, view) &&
                   !(copy && copy.getRows());
      } else if (isa<CopyAtOp>(inner)) {
        isCopies = true;
        isEarly = false;
      } else if (isAccess(inner) && AccessOperands(inner).isWrite) {
        writes.push_back(inner);
      }
    });
    bool isGroup = isCopies || isa<CommitCopiesOp>(op);
    if (isKnownAt(wait, op, movable) && isEarly &&
        (isGroup ? !isa<LoopLikeOpInterface>(op) : isPure(op))) {
      movable.insert(op);
      if (!isGroup || (isCut && isa<CommitCopiesOp>(op)))
        continue;
      addSources(op, movable, moved);
      moved.insert(op);
    } else if (isa<LoopLikeOpInterface>(op)) {
      break;
    } else if (isGroup) {
      isCut = true;
    }
  }
  for (Operation *op : moved)
    op->moveBefore(wait);
}

/// The loads in the wait's block that are used after it and can become copies
/// before it. Moves the ops that they depend on before the wait.
static SmallVector<tile::LoadOp> findCopyable(AwaitLaunchOp wait,
                                              EarlyAccesses &accesses) {
  int64_t bytes = 0;
  return accesses.findLoads(wait, [&](tile::LoadOp load) {
    int64_t size = bufferOf(load).getNumBytes();
    if (!isWorthCopying(load, accesses.getFacts()) ||
        firstUser(load)->isBeforeInBlock(wait) || bytes + size > mostEarlyBytes)
      return false;
    bytes += size;
    return true;
  });
}

/// Reads a buffer instead of a load. If the tile's only use is a layout
/// conversion, reads it in that layout.
static Operation *readInsteadOf(tile::LoadOp load, AllocOp buffer,
                                OpBuilder &builder) {
  Operation *used = load;
  if (load->hasOneUse())
    if (auto convert = dyn_cast<ConvertLayoutOp>(*load->getUsers().begin()))
      used = convert;
  auto read = ReadOp::create(builder, load.getLoc(),
                             used->getResult(0).getType(), buffer);
  used->getResult(0).replaceAllUsesWith(read);
  used->erase();
  if (used != load)
    load.erase();
  return read;
}

/// A buffer that is written later may overlap the one that is read: waits until
/// all threads have read it.
static void closeBehind(Operation *read, OpBuilder &builder) {
  for (Operation *op = read->getNextNode(); op; op = op->getNextNode()) {
    bool writes = op->walk([](Operation *inner) {
                      return isa<WriteOp, CopyOp, CopyRunOp>(inner)
                                 ? WalkResult::interrupt()
                                 : WalkResult::advance();
                    }).wasInterrupted();
    if (isa<BarrierOp>(op))
      return;
    if (!writes)
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    BarrierOp::create(builder, read->getLoc());
    return;
  }
}

void copyLoadsForward(AwaitLaunchOp wait, EarlyAccesses &accesses) {
  SmallVector<tile::LoadOp> loads = findCopyable(wait, accesses);
  if (loads.empty())
    return;
  Location loc = wait.getLoc();
  SmallVector<AllocOp> buffers;
  OpBuilder builder(wait);
  for (tile::LoadOp load : loads) {
    AllocOp buffer = AllocOp::create(builder, load.getLoc(), bufferOf(load),
                                     /*offset=*/IntegerAttr());
    CopyOp::create(builder, load.getLoc(), load.getView(), load.getIndices(),
                   /*rows=*/Value(), buffer, /*first=*/Value(),
                   analyzeAccess(load, accesses.getFacts()).isInside);
    buffers.push_back(buffer);
  }
  CommitCopiesOp::create(builder, loc);

  SmallVector<Operation *> reads;
  for (auto [load, buffer] : llvm::zip_equal(loads, buffers)) {
    builder.setInsertionPoint(firstUser(load));
    reads.push_back(readInsteadOf(load, buffer, builder));
    closeBehind(reads.back(), builder);
  }
  builder.setInsertionPoint(
      *llvm::min_element(reads, [](Operation *lhs, Operation *rhs) {
        return lhs->isBeforeInBlock(rhs);
      }));
  WaitCopiesOp::create(builder, loc, 0);
  BarrierOp::create(builder, loc);
}

} // namespace tilegpt::tilegpu
