// Launches of experts: one kernel routes, one computes the gated units of the
// selected experts, one sums their outputs.
#include "ExpertLaunches.h"
#include "TileGPT/Bundle/LiteralWeight.h"

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
  if (op.getMargin()) {
    FailureOr<double> margin = getNumber(op, *op.getMargin(), "margin");
    if (failed(margin))
      return failure();
    task = builder.task(op, builder.flag("margin"));
    ins = {op.getLogits(), builder.real(*margin)};
  }
  FailureOr<std::pair<int64_t, int64_t>> groups = op.getGroupCounts();
  if (failed(groups))
    return failure();
  const bool isGrouped = groups->first != groups->second;
  if (op.getSigmoid() || op.getBias() || *scale != 1 || isGrouped) {
    SmallVector<NamedAttribute> flags = {builder.flag("scores")};
    if (isGrouped)
      flags.push_back(builder.flag("groups"));
    task = builder.task(op, flags);
    FailureOr<Value> bias =
        op.getBias() ? builder.weight(*op.getBias(), columnsOf(op.getLogits()))
                     : FailureOr<Value>(builder.emptyVector());
    if (failed(bias))
      return failure();
    ins.append(
        {*bias, builder.real(op.getSigmoid() ? 1 : 0), builder.real(*scale)});
  }
  if (isGrouped) {
    // Only the size of the vector counts.
    FailureOr<Value> marks = builder.weight(
        bundle::literalWeight(std::vector<double>(groups->first)),
        groups->first);
    if (failed(marks))
      return failure();
    ins.append({*marks, builder.constant(builder.attributes().getI32IntegerAttr(
                            int32_t(groups->second)))});
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
  SmallVector<NamedAttribute> unitsTask = {
      builder.word("part", "units"),
      builder.word("activation", stringifyActivation(op.getActivation()))};
  SmallVector<NamedAttribute> sumTask = {builder.word("part", "sum")};
  SmallVector<Value> unitsIns = {op.getInput(), op.getIds(), *units};
  SmallVector<Value> biases;
  if (op.getLimit()) {
    Type element = builder.attributes().getF32Type();
    FailureOr<Value> unitsBias =
        builder.weight(op.getUnitsBiasName(*experts), *experts * 2 * *inner);
    FailureOr<Value> downBias =
        builder.weight(op.getDownBiasName(), {*experts, width}, element);
    FailureOr<double> limit = getNumber(op, *op.getLimit(), "limit");
    FailureOr<double> slope = getNumber(op, *op.getSlope(), "slope");
    if (failed(unitsBias) || failed(downBias) || failed(limit) || failed(slope))
      return failure();
    unitsTask.push_back(builder.flag("clamped"));
    unitsIns.append({*unitsBias, builder.real(*slope), builder.real(*limit)});
    sumTask.push_back(builder.flag("biased"));
    biases.push_back(*downBias);
  }
  FailureOr<ValueRange> hidden = builder.launch(
      builder.task(op, unitsTask), unitsIns,
      builder.destination(op.getInput(), top * *inner), "experts.units");
  if (failed(hidden))
    return failure();
  SmallVector<Value> sumIns = {hidden->front(), op.getIds(), op.getShares(),
                               *down};
  llvm::append_range(sumIns, biases);
  return builder.launch(builder.task(op, sumTask), sumIns,
                        builder.destinationOf(op.getResult(), op.getInput()),
                        "experts.sum");
}

} // namespace tilegpt::gpt
