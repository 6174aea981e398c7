// Legality of a fusion with respect to memory.
#include "Fusion/CheckMemory.h"
#include "Normalize/TensorSizes.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using llvm::createStringError;
using llvm::Error;

namespace tilegpt::tile {

/// Whether two tensors are memory of the same global or value.
static bool shareMemory(Value lhs, Value rhs) {
  Value left = rootOf(lhs), right = rootOf(rhs);
  if (left == right)
    return true;
  auto get = left.getDefiningOp<GetGlobalOp>(),
       other = right.getDefiningOp<GetGlobalOp>();
  return get && other && get.getName() == other.getName();
}

/// Checks that two tensors of an append do not alias: the appended tensor is
/// only read through the producer's result.
static Error checkAppended(LaunchOp producer, LaunchOp consumer) {
  for (auto [number, out] : llvm::enumerate(producer.getOuts())) {
    if (!isUpdate(out))
      continue;
    for (auto [other, operand] : llvm::enumerate(producer->getOperands()))
      if (isa<RankedTensorType>(operand.getType()) &&
          other != producer.getIns().size() + number &&
          shareMemory(out, operand))
        return createStringError("the producer also accesses the appended "
                                 "tensor through another operand");
    for (Value operand : consumer->getOperands())
      if (isa<RankedTensorType>(operand.getType()) &&
          operand != producer.getResult(number) && shareMemory(out, operand))
        return createStringError("the consumer also reads the appended tensor "
                                 "through another operand");
    for (Operation *op = producer->getNextNode(); op != consumer;
         op = op->getNextNode())
      if (auto between = dyn_cast<LaunchOp>(op))
        for (Value operand : between->getOperands())
          if (isa<RankedTensorType>(operand.getType()) &&
              shareMemory(out, operand))
            return createStringError("a launch between the two accesses the "
                                     "appended tensor");
  }
  return Error::success();
}

/// Whether `writer` updates an operand of `reader` in place.
static bool updatesOperand(LaunchOp writer, LaunchOp reader) {
  return llvm::any_of(writer.getOuts(), [&](Value out) {
    return isUpdate(out) && llvm::any_of(reader->getOperands(), [&](Value in) {
             return isa<RankedTensorType>(in.getType()) && shareMemory(out, in);
           });
  });
}

Error checkMemory(FusionEdge edge, FusionKind kind) {
  LaunchOp producer = edge.producer, consumer = edge.consumer;
  if (producer->hasAttr(keepAttr) || consumer->hasAttr(keepAttr))
    return createStringError("a launch has tile.keep");
  if (producer->getBlock() != consumer->getBlock())
    return createStringError("the launches are in different blocks");
  const bool isAppend = kind == FusionKind::Append;
  if (!isAppend && isUpdate(producer.getOuts()[edge.result]))
    return createStringError("the producer updates the tensor in place");
  if (isAppend)
    if (Error error = checkAppended(producer, consumer))
      return error;
  for (OpOperand &operand : consumer->getOpOperands())
    if (!isAppend && operand.get().getDefiningOp() == producer &&
        operand.getOperandNumber() != edge.operand) {
      if (operand.get() == edge.tensor())
        return createStringError("the consumer uses the tensor twice");
      if (kind != FusionKind::Epilogue || !operand.get().hasOneUse() ||
          operand.getOperandNumber() >= consumer.getIns().size() ||
          isUpdate(
              producer
                  .getOuts()[cast<OpResult>(operand.get()).getResultNumber()]))
        return createStringError(
            "the consumer also uses another result of the producer");
    }
  if (edge.operand >= consumer.getIns().size())
    return createStringError("the consumer updates the tensor in place");
  // The producer moves down to the consumer.
  for (Value result : producer.getResults())
    for (Operation *user : result.getUsers()) {
      Operation *ancestor = consumer->getBlock()->findAncestorOpInBlock(*user);
      if (ancestor && ancestor->isBeforeInBlock(consumer))
        return createStringError(
            "something between the two reads what the producer writes");
    }
  for (Operation *op = producer->getNextNode(); op != consumer;
       op = op->getNextNode())
    if (auto between = dyn_cast<LaunchOp>(op))
      for (Value out : between.getOuts())
        for (Value operand : producer->getOperands())
          if (isUpdate(out) && isa<RankedTensorType>(operand.getType()) &&
              shareMemory(out, operand))
            return createStringError(
                "a launch between the two updates what the producer "
                "reads");
  if (updatesOperand(consumer, producer) ||
      (!isAppend && updatesOperand(producer, consumer)))
    return createStringError(
        "one of the two updates a tensor in place that the other reads");
  return Error::success();
}

} // namespace tilegpt::tile
