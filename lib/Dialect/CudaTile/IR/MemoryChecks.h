// Checks shared by accesses through views and through pointers.
#ifndef TILEGPT_LIB_DIALECT_CUDATILE_IR_MEMORYCHECKS_H
#define TILEGPT_LIB_DIALECT_CUDATILE_IR_MEMORYCHECKS_H

#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"

namespace tilegpt::cuda_tile {

/// An order is one of several; weak accesses have no scope, all others one.
llvm::LogicalResult verifyOrder(mlir::Operation *op, MemoryOrder order,
                                std::optional<MemoryScope> scope,
                                llvm::ArrayRef<MemoryOrder> allowed);

/// Orders of loads, of stores, and of atomic updates.
inline constexpr MemoryOrder loadOrders[] = {
    MemoryOrder::Weak, MemoryOrder::Relaxed, MemoryOrder::Acquire};
inline constexpr MemoryOrder storeOrders[] = {
    MemoryOrder::Weak, MemoryOrder::Relaxed, MemoryOrder::Release};
inline constexpr MemoryOrder atomicOrders[] = {
    MemoryOrder::Relaxed, MemoryOrder::Acquire, MemoryOrder::Release,
    MemoryOrder::AcqRel};

/// Whether pointers are those of a multicast object, which only multimem ops
/// access.
inline bool isMulticast(PointerClassAttr pointerClass) {
  return pointerClass && pointerClass.getValue() == PointerClass::Multicast;
}

/// An update is one for elements of a type.
llvm::LogicalResult verifyUpdate(mlir::Operation *op, AtomicMode mode,
                                 mlir::Type elementType);

} // namespace tilegpt::cuda_tile

#endif
