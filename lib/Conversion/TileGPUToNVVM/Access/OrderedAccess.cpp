// Fences and barriers around ordered accesses, and broadcasts of loaded values
// to replicas.
#include "Access/OrderedAccess.h"
#include "Thread/InlinePtx.h"
#include "Thread/SharedTile.h"
#include "Thread/WarpShuffle.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Scratch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using tilegpt::tile::MemoryOrder;
using tilegpt::tile::MemoryScope;

namespace tilegpt::tilegpu {

StringRef syncScope(MemoryScope scope) {
  switch (scope) {
  case MemoryScope::Block:
    return "block";
  case MemoryScope::Device:
    return "device";
  case MemoryScope::System:
    return "";
  }
  llvm_unreachable("all scopes are handled");
}

/// Makes what one thread has seen or done visible to the device or system;
/// within the block a barrier suffices.
static void emitFence(OpBuilder &builder, Location loc, MemoryScope scope) {
  if (scope == MemoryScope::Block)
    return;
  StringRef text = scope == MemoryScope::Device ? "fence.acq_rel.gpu;"
                                                : "fence.acq_rel.sys;";
  inlinePtx(builder, loc, TypeRange(), ValueRange(), text, "~{memory}");
}

void emitRelease(OpBuilder &builder, Location loc, MemoryOrder order,
                 MemoryScope scope) {
  if (order != MemoryOrder::Release && order != MemoryOrder::AcqRel)
    return;
  emitBarrier(builder, loc);
  emitFence(builder, loc, scope);
}

void emitAcquire(OpBuilder &builder, Location loc, MemoryOrder order,
                 MemoryScope scope) {
  if (order != MemoryOrder::Acquire && order != MemoryOrder::AcqRel)
    return;
  emitFence(builder, loc, scope);
  emitBarrier(builder, loc);
}

Value offsetPointer(OpBuilder &builder, Location loc, Value pointer,
                    tile::PtrType type, Value offset) {
  if (!offset.getType().isInteger(64))
    offset = arith::ExtSIOp::create(builder, loc, builder.getI64Type(), offset);
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             typeInMemory(type.getPointee()), pointer,
                             ArrayRef<LLVM::GEPArg>(offset));
}

Value allOf(OpBuilder &builder, Location loc, ArrayRef<Value> conditions) {
  Value all;
  for (Value condition : conditions)
    if (condition)
      all =
          all ? arith::AndIOp::create(builder, loc, all, condition).getResult()
              : condition;
  return all;
}

void shareCopies(OpBuilder &builder, Operation *op, ThreadTile &tile,
                 MutableArrayRef<Value> registers) {
  Location loc = op->getLoc();
  LayoutAttr layout = tile.getLayout();
  auto isCopy = [](const LayoutMode &mode) { return mode.isReplicated(); };
  Value lane = laneNumber(builder, loc);
  if (llvm::any_of(layout.getLanes(), isCopy)) {
    Value first = lane;
    int64_t weight = 1;
    for (auto [mode, digit] :
         llvm::zip_equal(layout.getLanes(),
                         digitsOf(builder, loc, lane, layout.getLanes()))) {
      if (mode.isReplicated())
        first = arith::SubIOp::create(
            builder, loc, first,
            arith::MulIOp::create(builder, loc, digit,
                                  indexConstant(builder, loc, weight)));
      weight *= mode.extent;
    }
    for (Value &value : registers)
      value = shuffleFrom(builder, loc, value, first);
  }
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SharedType buffer = getCopiesBuffer(type);
  if (!buffer)
    return;
  Value warp = warpNumber(builder, loc);
  Value place[] = {indexConstant(builder, loc, 0),
                   numberOf(builder, loc, warp, layout.getWarps(),
                            [&](auto &mode) { return !isCopy(mode); }),
                   lane};
  Value copy = numberOf(builder, loc, warp, layout.getWarps(), isCopy);
  SharedTile shared(builder, loc, buffer, scratchPointer(builder, op), place);
  emitBarrier(builder, loc);
  {
    OpBuilder::InsertionGuard guard(builder);
    auto then = scf::IfOp::create(
        builder, loc,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, copy,
                              indexConstant(builder, loc, 0)));
    builder.setInsertionPointToStart(&then.getThenRegion().front());
    for (auto [reg, value] : llvm::enumerate(registers))
      shared.store({int64_t(reg), 0, 0}, value);
  }
  emitBarrier(builder, loc);
  for (auto [reg, value] : llvm::enumerate(registers))
    value = shared.load({int64_t(reg), 0, 0}, 1).front();
}

} // namespace tilegpt::tilegpu
