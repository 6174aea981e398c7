// Verifiers of accesses through pointers, of globals and of tokens.
#include "MemoryChecks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

LogicalResult verifyOrder(Operation *op, MemoryOrder order,
                          std::optional<MemoryScope> scope,
                          ArrayRef<MemoryOrder> allowed) {
  if (!llvm::is_contained(allowed, order)) {
    InFlightDiagnostic error = op->emitOpError("expected order ");
    llvm::interleaveComma(
        allowed, error, [&](MemoryOrder one) { error << stringifyEnum(one); });
    return error << ", found " << stringifyEnum(order);
  }
  if (order == MemoryOrder::Weak && scope)
    return op->emitOpError("expected no scope of a weak access, found ")
           << stringifyEnum(*scope);
  if (order != MemoryOrder::Weak && !scope)
    return op->emitOpError("expected a scope, tl_blk, device or sys, of a ")
           << stringifyEnum(order) << " access";
  return success();
}

LogicalResult verifyUpdate(Operation *op, AtomicMode mode, Type type) {
  auto expected = [&](bool holds, StringRef types) -> LogicalResult {
    if (holds)
      return success();
    return op->emitOpError("expected ")
           << types << " for update " << stringifyEnum(mode) << ", found "
           << type;
  };
  if (mode == AtomicMode::AddF)
    return expected(isBaseFloat(type), "f16, bf16, f32 or f64");
  if (mode == AtomicMode::Xchg)
    return expected(isNumber(type) &&
                        (widthOf(type) == 32 || widthOf(type) == 64),
                    "32 or 64 bits");
  return expected(type.isInteger(32) || type.isInteger(64), "i32 or i64");
}

} // namespace tilegpt::cuda_tile

using namespace tilegpt::cuda_tile;

/// Pointers point to elements of a tile of their shape, as does the mask.
static LogicalResult verifyPointers(Operation *op, TileType pointers,
                                    TileType value, Value mask) {
  auto pointer = cast<PointerType>(pointers.getElementType());
  Type pointee = pointer.getPointeeType();
  if (isMulticast(pointer.getPointerClass()))
    return op->emitOpError("expected pointers to memory that is not "
                           "multicast, found ")
           << pointers;
  if (pointee != value.getElementType())
    return op->emitOpError("expected elements of the type pointed to, ")
           << pointee << ", found " << value.getElementType();
  if (pointers.getShape() != value.getShape())
    return op->emitOpError("expected a pointer for each element of ")
           << value << ", found " << pointers;
  if (mask && cast<TileType>(mask.getType()).getShape() != value.getShape())
    return op->emitOpError("expected a mask of the shape of ")
           << value << ", found " << mask.getType();
  return success();
}

LogicalResult LoadPtrTkoOp::verify() {
  if (failed(verifyPointers(*this, getSource().getType(), getResult().getType(),
                            getMask())))
    return failure();
  if (getPaddingValue() && getPaddingValue().getType() != getResult().getType())
    return emitOpError("expected padding of the result's type, ")
           << getResult().getType() << ", found "
           << getPaddingValue().getType();
  return verifyOrder(*this, getMemoryOrderingSemantics(), getMemoryScope(),
                     loadOrders);
}

LogicalResult StorePtrTkoOp::verify() {
  if (failed(verifyPointers(*this, getDestination().getType(),
                            getValue().getType(), getMask())))
    return failure();
  return verifyOrder(*this, getMemoryOrderingSemantics(), getMemoryScope(),
                     storeOrders);
}

LogicalResult AtomicCASTkoOp::verify() {
  TileType value = getVal().getType();
  if (failed(verifyPointers(*this, getPointers().getType(), value, getMask())))
    return failure();
  unsigned width = widthOf(value.getElementType());
  if (width != 32 && width != 64)
    return emitOpError("expected elements of 32 or 64 bits, found ")
           << value.getElementType();
  return verifyOrder(*this, getMemoryOrderingSemantics(), getMemoryScope(),
                     atomicOrders);
}

LogicalResult AtomicRMWTkoOp::verify() {
  TileType value = getArg().getType();
  if (failed(
          verifyPointers(*this, getPointers().getType(), value, getMask())) ||
      failed(verifyUpdate(*this, getMode(), value.getElementType())))
    return failure();
  return verifyOrder(*this, getMemoryOrderingSemantics(), getMemoryScope(),
                     atomicOrders);
}

//===----------------------------------------------------------------------===//
// Memory of the module and of a block
//===----------------------------------------------------------------------===//

LogicalResult GlobalOp::verify() {
  if (getValue().getType().getRank() == 1)
    return success();
  return emitOpError("expected a tile of rank 1, found ")
         << getValue().getType();
}

LogicalResult GetGlobalOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto global = symbols.lookupNearestSymbolFrom<GlobalOp>(*this, getNameAttr());
  if (!global)
    return emitOpError("expected the name of a global, found @") << getName();
  Type stored = global.getValue().getElementType();
  auto pointer = cast<PointerType>(getResult().getType().getElementType());
  if (pointer.getPointeeType() == stored)
    return success();
  return emitOpError("expected a pointer to ")
         << stored << ", as @" << getName() << " holds, found " << pointer;
}

LogicalResult AllocaOp::verify() {
  Type element = cast<PointerType>(getResult().getType().getElementType())
                     .getPointeeType();
  uint64_t bytes = llvm::divideCeil(widthOf(element), 8);
  uint64_t alignment = getAlignment();
  if (!llvm::isPowerOf2_64(alignment))
    return emitOpError("expected an alignment that is a power of two, found ")
           << alignment;
  if (alignment < bytes)
    return emitOpError("expected an alignment of at least ")
           << bytes << " bytes, the size of " << element << ", found "
           << alignment;
  return success();
}

LogicalResult JoinTokensOp::verify() {
  if (getTokens().size() >= 2)
    return success();
  return emitOpError("expected two tokens or more, found ")
         << getTokens().size();
}
