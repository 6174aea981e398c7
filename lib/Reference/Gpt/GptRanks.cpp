// Evaluators of the ops that combine results of several ranks.
#include "GptContext.h"
#include "TileGPT/Reference/Exchange.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::reference {

/// The operand of `op` as all `ranks` ranks have it.
static Expected<std::vector<TensorRef>> allParts(Operation *op, Frame &frame,
                                                 int64_t ranks) {
  const TensorRef &mine = frame.tensorRef(op->getOperand(0));
  const Exchange &exchange = frame.interpreter().exchange();
  if (!exchange && ranks == 1)
    return std::vector{mine};
  if (!exchange)
    return fail(op, formatv("expected {0} ranks, found one", ranks));
  Expected<std::vector<TensorRef>> parts = exchange(mine);
  if (!parts)
    return fail(op, llvm::toString(parts.takeError()));
  if (int64_t(parts->size()) != ranks)
    return fail(op,
                formatv("expected {0} ranks, found {1}", ranks, parts->size()));
  return parts;
}

static llvm::Error evaluateAllReduce(gpt::AllReduceOp op, Frame &frame) {
  Expected<std::vector<TensorRef>> parts =
      allParts(op, frame, int64_t(op.getRanks()));
  if (!parts)
    return parts.takeError();
  return defineResult(op, frame, sumOf(*parts));
}

static llvm::Error evaluateAllGather(gpt::AllGatherOp op, Frame &frame) {
  Expected<std::vector<TensorRef>> parts =
      allParts(op, frame, int64_t(op.getRanks()));
  if (!parts)
    return parts.takeError();
  return defineResult(op, frame, sideBySide(*parts, int64_t(op.getColumns())));
}

void addGptRankEvaluators(Registry &registry) {
  registry.add<gpt::AllReduceOp>(evaluateAllReduce);
  registry.add<gpt::AllGatherOp>(evaluateAllGather);
}

} // namespace tilegpt::reference
