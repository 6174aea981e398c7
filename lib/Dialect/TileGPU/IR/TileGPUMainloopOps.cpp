// The main loop as a loop: bounds, streams and loop-carried values.
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

OperandRange MainloopOp::getStreams() {
  return cast<YieldOp>(getProduceBlock()->getTerminator()).getValues();
}

Block::BlockArgListType MainloopOp::getStreamArgs() {
  return getConsumeBlock()->getArguments().slice(1, getStreams().size());
}

Block::BlockArgListType MainloopOp::getResidentArgs() {
  return getConsumeBlock()->getArguments().slice(1 + getStreams().size(),
                                                 getResidents().size());
}

OperandRange MainloopOp::getConsumeYield() {
  return cast<YieldOp>(getConsumeBlock()->getTerminator()).getValues();
}

bool MainloopOp::runsAlways() {
  std::optional<int64_t> from = getConstantIntValue(getLowerBound()),
                         to = getConstantIntValue(getUpperBound());
  return from && to && *from < *to;
}

SmallVector<Region *> MainloopOp::getLoopRegions() {
  return {&getProduce(), &getConsume()};
}

MutableArrayRef<OpOperand> MainloopOp::getInitsMutable() {
  return getInitArgsMutable();
}

std::optional<ResultRange> MainloopOp::getLoopResults() { return getResults(); }

Block::BlockArgListType MainloopOp::getRegionIterArgs() {
  return getConsumeBlock()->getArguments().take_back(getInitArgs().size());
}

std::optional<MutableArrayRef<OpOperand>>
MainloopOp::getYieldedValuesMutable() {
  return cast<YieldOp>(getConsumeBlock()->getTerminator()).getValuesMutable();
}

std::optional<SmallVector<Value>> MainloopOp::getLoopInductionVars() {
  return SmallVector<Value>{getProduceBlock()->getArgument(0),
                            getIterationArg()};
}

std::optional<SmallVector<OpFoldResult>> MainloopOp::getLoopLowerBounds() {
  return SmallVector<OpFoldResult>(2, getLowerBound());
}

std::optional<SmallVector<OpFoldResult>> MainloopOp::getLoopUpperBounds() {
  return SmallVector<OpFoldResult>(2, getUpperBound());
}

std::optional<SmallVector<OpFoldResult>> MainloopOp::getLoopSteps() {
  return SmallVector<OpFoldResult>(2, getStep());
}

LogicalResult MainloopOp::verify() {
  if (getInitArgs().getTypes() != getResults().getTypes())
    return emitOpError("expected as many results as initial values, of the "
                       "same types; found ")
           << getInitArgs().getTypes() << " and " << getResults().getTypes();
  return success();
}

LogicalResult MainloopOp::verifyRegions() {
  Block *produce = getProduceBlock();
  if (produce->getNumArguments() != 1 ||
      !produce->getArgument(0).getType().isIndex())
    return emitOpError("expected the induction variable as the only argument "
                       "of 'produce'");
  for (Value stream : getStreams())
    if (!stream.getDefiningOp<tile::LoadOp>() ||
        stream.getDefiningOp()->getBlock() != produce)
      return emitOpError("expected 'produce' to yield tiles that it loads, "
                         "found ")
             << stream.getType();
  SmallVector<Type> expected = {IndexType::get(getContext())};
  llvm::append_range(expected, getStreams().getTypes());
  llvm::append_range(expected, getResidents().getTypes());
  llvm::append_range(expected, getInitArgs().getTypes());
  if (getConsumeBlock()->getArgumentTypes() != TypeRange(expected))
    return emitOpError("expected arguments of 'consume' to be the induction "
                       "variable, the streams, the residents and what is "
                       "carried: ")
           << expected << "; found " << getConsumeBlock()->getArgumentTypes();
  if (getConsumeYield().getTypes() != getInitArgs().getTypes())
    return emitOpError("expected 'consume' to yield ")
           << getInitArgs().getTypes() << ", found "
           << getConsumeYield().getTypes();
  return success();
}
