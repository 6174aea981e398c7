// Evaluators of what a block of a kernel asks about itself (parameters, grid),
// and of its assertions and promises.
#include "TileGPT/Reference/Frame.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::formatv;

namespace tilegpt::reference {

static llvm::Error evaluateParam(tile::ParamOp op, Frame &frame) {
  frame.defineIndex(op, frame.kernel()->sizes.lookup(op.getName()));
  return llvm::Error::success();
}

static llvm::Error evaluateBlockId(tile::BlockIdOp op, Frame &frame) {
  frame.defineIndex(op, frame.blockId(op.getAxis()));
  return llvm::Error::success();
}

static llvm::Error evaluateNumBlocks(tile::NumBlocksOp op, Frame &frame) {
  frame.defineIndex(op, frame.kernel()->grid[op.getAxis()]);
  return llvm::Error::success();
}

static llvm::Error evaluateAssert(tile::AssertOp op, Frame &frame) {
  const Tensor &condition = frame.tensor(op.getCondition());
  for (int64_t i = 0; i < condition.size(); ++i)
    if (!condition[i].i)
      return fail(op, formatv("failed: {0}", op.getMessage()));
  return llvm::Error::success();
}

/// A compiler may build on a promise; the interpreter holds the kernel to it.
static llvm::Error evaluateAssume(tile::AssumeOp op, Frame &frame) {
  if (isa<tile::PtrType>(op.getType())) {
    // An address is what a machine makes of it.
    frame.define(op, frame.value(op.getValue()));
    return llvm::Error::success();
  }
  const Tensor &operand = frame.tensor(op.getValue());
  int64_t value = signedValue(operand.item().i, operand.type());
  if (std::optional<uint64_t> divisor = op.getDivBy())
    if (value % static_cast<int64_t>(*divisor) != 0)
      return fail(op, formatv("promises a multiple of {0}, found {1}", *divisor,
                              value));
  if (std::optional<ArrayRef<int64_t>> range = op.getBounded())
    if (value < range->front() || value > range->back())
      return fail(op, formatv("promises a value in [{0}, {1}], found {2}",
                              range->front(), range->back(), value));
  frame.define(op, frame.value(op.getValue()));
  return llvm::Error::success();
}

void populateTileGridEvaluators(Registry &registry) {
  registry.add<tile::ParamOp>(evaluateParam);
  registry.add<tile::BlockIdOp>(evaluateBlockId);
  registry.add<tile::NumBlocksOp>(evaluateNumBlocks);
  registry.add<tile::AssertOp>(evaluateAssert);
  registry.add<tile::AssumeOp>(evaluateAssume);
}

} // namespace tilegpt::reference
