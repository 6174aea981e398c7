// Finds the accesses of the memory of a store while its tile is live.
#include "Memory/EarlyStores.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

/// The memref that a view is a part of, through all views.
static Value memoryOf(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      memref = view.getViewSource();
    else if (auto parts = dyn_cast<memref::ExtractStridedMetadataOp>(op))
      memref = parts.getSource();
    else
      break;
  }
  return memref;
}

/// The memref from whose address a pointer is computed; null if there is not
/// exactly one.
static Value memoryOfPointer(Value pointer) {
  llvm::SetVector<Value> values;
  values.insert(pointer);
  Value found;
  for (size_t number = 0; number < values.size(); ++number) {
    Operation *op = values[number].getDefiningOp();
    if (auto address =
            dyn_cast_or_null<memref::ExtractAlignedPointerAsIndexOp>(op)) {
      Value memory = memoryOf(address.getSource());
      if (found && found != memory)
        return {};
      found = memory;
    } else if (op && isPure(op) && op->getNumRegions() == 0) {
      for (Value operand : op->getOperands())
        if (operand.getType().isIntOrIndex() ||
            isa<LLVM::LLVMPointerType>(operand.getType()))
          values.insert(operand);
    } else if (isa<LLVM::LLVMPointerType>(values[number].getType())) {
      return {};
    }
  }
  return found;
}

/// Whether the memory is disjoint from any other of which this is true.
static bool isWhole(Value memory) {
  if (!memory)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(memory))
    return isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp,
             bufferization::ToBufferOp>(memory.getDefiningOp());
}

/// Whether an op accesses memory through a memref or pointer that may be in
/// `memory`, or calls a function that may. Ops on tensors do not.
static bool mayAccess(Operation *op, Value memory) {
  if (isa<bufferization::BufferizationDialect>(op->getDialect()) &&
      !isa<bufferization::MaterializeInDestinationOp>(op))
    return false;
  const auto mayReach = [&](Value operand) {
    Type type = operand.getType();
    if (!isa<MemRefType, LLVM::LLVMPointerType>(type))
      return false;
    Value other =
        isa<MemRefType>(type) ? memoryOf(operand) : memoryOfPointer(operand);
    return other == memory || !isWhole(other) || !isWhole(memory);
  };
  return (isa<CallOpInterface>(op) ||
          llvm::any_of(op->getOperands(), mayReach)) &&
         !isMemoryEffectFree(op);
}

/// The tiles that may share the buffer of an operand of this use.
static void collectShared(OpOperand &use, llvm::SetVector<Value> &tiles) {
  const auto add = [&](ValueRange values) {
    for (Value value : values)
      if (isa<TensorType>(value.getType()))
        tiles.insert(value);
  };
  Operation *user = use.getOwner();
  if (auto loop = dyn_cast<LoopLikeOpInterface>(user)) {
    if (BlockArgument argument = loop.getTiedLoopRegionIterArg(&use))
      add(argument);
    if (OpResult result = loop.getTiedLoopResult(&use))
      add(result);
  } else if (isa<scf::YieldOp>(user)) {
    add(user->getParentOp()->getResults());
  } else if (auto op = dyn_cast<DestinationStyleOpInterface>(user)) {
    if (op.isDpsInit(&use))
      add(user->getResults());
  } else if (isa<tensor::TensorDialect>(user->getDialect()) ||
             isa<arith::SelectOp>(user)) {
    add(user->getResults());
  }
}

bool tilegpt::cpu::mayBeStoredEarly(
    bufferization::MaterializeInDestinationOp store, tensor::EmptyOp empty,
    Operation *user) {
  if (!isa<MemRefType>(store.getDest().getType()))
    return true;
  llvm::SetVector<Value> tiles;
  llvm::SmallSetVector<Operation *, 8> users;
  users.insert(user);
  for (OpOperand &operand : user->getOpOperands())
    if (operand.get() == empty)
      collectShared(operand, tiles);
  for (size_t number = 0; number < tiles.size(); ++number)
    for (OpOperand &use : tiles[number].getUses()) {
      users.insert(use.getOwner());
      collectShared(use, tiles);
    }

  Block *block = user->getBlock();
  while (!llvm::all_of(users, [&](Operation *each) {
    return block->findAncestorOpInBlock(*each);
  }))
    block = block->getParentOp()->getBlock();
  Operation *first = block->findAncestorOpInBlock(*user), *last = first;
  for (Operation *each : users)
    if (Operation *outer = block->findAncestorOpInBlock(*each);
        last->isBeforeInBlock(outer))
      last = outer;
  Value memory = memoryOf(store.getDest());
  const auto accesses = [&](Operation *op) {
    return op != store && mayAccess(op, memory) ? WalkResult::interrupt()
                                                : WalkResult::advance();
  };
  for (Operation *op = first;; op = op->getNextNode()) {
    if (op->walk(accesses).wasInterrupted())
      return false;
    if (op == last)
      return true;
  }
}
