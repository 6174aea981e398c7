// Evaluators of structured control flow.
#include "TileGPT/Reference/Frame.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::Expected;

namespace tilegpt::reference {

static void defineResults(Operation *op, Frame &frame, ArrayRef<Value> values) {
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    frame.define(result, value);
}

static std::vector<Value> valuesOf(ValueRange operands, Frame &frame) {
  std::vector<Value> values;
  for (mlir::Value operand : operands)
    values.push_back(frame.value(operand));
  return values;
}

static llvm::Error evaluateFor(scf::ForOp op, Frame &frame) {
  int64_t lower = frame.integer(op.getLowerBound());
  int64_t upper = frame.integer(op.getUpperBound());
  int64_t step = frame.integer(op.getStep());
  ElementType type = frame.tensor(op.getLowerBound()).type();
  if (step <= 0)
    return fail(op, llvm::formatv("expected a positive step, found {0}", step));
  // Sign extension keeps the order of unsigned numbers.
  auto isBefore = [&](int64_t a, int64_t b) {
    return op.getUnsignedCmp() ? uint64_t(a) < uint64_t(b) : a < b;
  };
  const mlir::Type counter = op.getInductionVar().getType();
  const unsigned bits =
      counter.isIndex() ? 64 : counter.getIntOrFloatBitWidth();
  std::vector<Value> carried = valuesOf(op.getInitArgs(), frame);
  for (int64_t i = lower; isBefore(i, upper);
       i = llvm::SignExtend64(uint64_t(i) + uint64_t(step), bits)) {
    std::vector<Value> arguments = {
        std::make_shared<Tensor>(type, Element::of(i))};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    Expected<std::vector<Value>> yielded = frame.run(*op.getBody(), arguments);
    if (!yielded)
      return yielded.takeError();
    carried = std::move(*yielded);
    if (uint64_t(upper) - uint64_t(i) <= uint64_t(step))
      break; // i + step might not fit
  }
  defineResults(op, frame, carried);
  return llvm::Error::success();
}

static llvm::Error evaluateIf(scf::IfOp op, Frame &frame) {
  Block *taken =
      frame.integer(op.getCondition()) ? op.thenBlock() : op.elseBlock();
  if (!taken)
    return llvm::Error::success();
  Expected<std::vector<Value>> yielded = frame.run(*taken, {});
  if (!yielded)
    return yielded.takeError();
  defineResults(op, frame, *yielded);
  return llvm::Error::success();
}

static llvm::Error evaluateIndexSwitch(scf::IndexSwitchOp op, Frame &frame) {
  const int64_t index = frame.integer(op.getArg());
  const auto *found = llvm::find(op.getCases(), index);
  Block &taken = found == op.getCases().end()
                     ? op.getDefaultBlock()
                     : op.getCaseBlock(unsigned(found - op.getCases().begin()));
  Expected<std::vector<Value>> yielded = frame.run(taken, {});
  if (!yielded)
    return yielded.takeError();
  defineResults(op, frame, *yielded);
  return llvm::Error::success();
}

static llvm::Error evaluateWhile(scf::WhileOp op, Frame &frame) {
  std::vector<Value> carried = valuesOf(op.getInits(), frame);
  while (true) {
    // The terminator's operands: the condition, then the forwarded values.
    Expected<std::vector<Value>> before =
        frame.run(*op.getBeforeBody(), carried);
    if (!before)
      return before.takeError();
    ArrayRef<Value> passed = ArrayRef(*before).drop_front();
    if (!std::get<TensorRef>(before->front())->item().i) {
      defineResults(op, frame, passed);
      return llvm::Error::success();
    }
    Expected<std::vector<Value>> after = frame.run(*op.getAfterBody(), passed);
    if (!after)
      return after.takeError();
    carried = std::move(*after);
  }
}

void populateScfEvaluators(Registry &registry) {
  registry.add<scf::ForOp>(evaluateFor);
  registry.add<scf::IfOp>(evaluateIf);
  registry.add<scf::IndexSwitchOp>(evaluateIndexSwitch);
  registry.add<scf::WhileOp>(evaluateWhile);
}

} // namespace tilegpt::reference
