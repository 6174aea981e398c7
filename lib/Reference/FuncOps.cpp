// Evaluator of calls between functions.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "TileGPT/Reference/Frame.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::Expected;

namespace tilegpt::reference {

static llvm::Error evaluateCall(func::CallOp op, Frame &frame) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee || callee.isExternal())
    return fail(
        op, llvm::formatv("calls '{0}', which has no body", op.getCallee()));
  std::vector<Value> arguments;
  for (mlir::Value operand : op.getOperands())
    arguments.push_back(frame.value(operand));
  Expected<std::vector<Value>> results =
      frame.interpreter().runFunction(callee, std::move(arguments));
  if (!results)
    return results.takeError();
  for (auto [result, value] : llvm::zip_equal(op.getResults(), *results))
    frame.define(result, value);
  return llvm::Error::success();
}

void populateFuncEvaluators(Registry &registry) {
  registry.add<func::CallOp>(evaluateCall);
}

} // namespace tilegpt::reference
