// Launches of experts: one kernel routes, one computes the gated units of the
// selected experts, one sums their outputs.
#include "ExpertLaunches.h"

using namespace mlir;

namespace tilegpt::gpt {

FailureOr<ValueRange> ExpertLaunches::lower(RouteOp op) {
  double normalize = 0;
  if (op.getNormalize()) {
    FailureOr<int64_t> given = getInteger(op, *op.getNormalize(), "normalize");
    if (succeeded(given) && *given != 0 && *given != 1)
      return op.emitOpError("expected normalize to be 0 or 1, found ")
             << *given;
    if (failed(given))
      return failure();
    normalize = double(*given);
  }
  int64_t top = columnsOf(op.getIds());
  auto rows = [&](Type element) {
    return builder.destination(op.getLogits(), top, element);
  };
  FailureOr<double> scale = op.getScale()
                                ? getNumber(op, *op.getScale(), "scale")
                                : FailureOr<double>(1.0);
  if (failed(scale))
    return failure();
  Task task = builder.task(op);
  SmallVector<Value> ins = {op.getLogits(), builder.real(normalize)};
  if (op.getSigmoid() || op.getBias() || *scale != 1) {
    task = builder.task(op, builder.flag("scores"));
    FailureOr<Value> bias =
        op.getBias() ? builder.weight(*op.getBias(), columnsOf(op.getLogits()))
                     : FailureOr<Value>(builder.emptyVector());
    if (failed(bias))
      return failure();
    ins.append(
        {*bias, builder.real(op.getSigmoid() ? 1 : 0), builder.real(*scale)});
  }
  return builder.launch(task, ins,
                        {rows(op.getIds().getType().getElementType()),
                         rows(op.getShares().getType().getElementType())},
                        "route");
}

FailureOr<ValueRange> ExpertLaunches::lower(ExpertsOp op) {
  FailureOr<int64_t> experts = op.getExpertCount();
  FailureOr<int64_t> inner = op.getInnerCount();
  if (failed(experts) || failed(inner))
    return failure();
  int64_t width = columnsOf(op.getInput()), top = columnsOf(op.getIds());
  FailureOr<Value> units = builder.weight(op.getJoinedUnits(*experts),
                                          {*experts * 2 * *inner, width});
  FailureOr<Value> down =
      builder.weight(op.getJoinedDown(*experts), {*experts * width, *inner});
  if (failed(units) || failed(down))
    return failure();
  NamedAttribute activation =
      builder.word("activation", stringifyActivation(op.getActivation()));
  FailureOr<ValueRange> hidden = builder.launch(
      builder.task(op, {builder.word("part", "units"), activation}),
      {op.getInput(), op.getIds(), *units},
      builder.destination(op.getInput(), top * *inner), "experts.units");
  if (failed(hidden))
    return failure();
  return builder.launch(builder.task(op, builder.word("part", "sum")),
                        {hidden->front(), op.getIds(), op.getShares(), *down},
                        builder.destinationOf(op.getResult(), op.getInput()),
                        "experts.sum");
}

} // namespace tilegpt::gpt
