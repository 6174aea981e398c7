// Launches of positions, norms and linear layers: one kernel each, or several
// that replace a fused one.
#include "LayerLaunches.h"
#include "TileGPT/Bundle/LiteralWeight.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::gpt {

/// The number that a norm adds to its weights, 0 by default.
static FailureOr<double> offsetOf(Operation *op,
                                  std::optional<Attribute> offset) {
  return offset ? getNumber(op, *offset, "offset") : FailureOr<double>(0.0);
}

FailureOr<ValueRange> LayerLaunches::lower(PositionsOp op) {
  FailureOr<Value> table =
      builder.weight(op.getWeights() + ".weight",
                     {int64_t(model.getContext()), columnsOf(op.getResult())});
  if (failed(table))
    return failure();
  return builder.launch(builder.task(op), {op.getInput(), op.getPos(), *table},
                        builder.destinationOf(op.getResult(), op.getInput()),
                        op.getWeights());
}

FailureOr<ValueRange> LayerLaunches::lower(SinusoidsOp op) {
  FailureOr<SmallVector<double>> frequencies = op.getFrequencies();
  FailureOr<int64_t> first = op.getFirstPosition();
  if (failed(frequencies) || failed(first))
    return failure();
  FailureOr<Value> literal = builder.weight(bundle::literalWeight(*frequencies),
                                            int64_t(frequencies->size()));
  if (failed(literal))
    return failure();
  Value shift =
      builder.constant(builder.attributes().getI32IntegerAttr(int32_t(*first)));
  return builder.launch(
      builder.task(op), {op.getInput(), op.getPos(), *literal, shift},
      builder.destinationOf(op.getResult(), op.getInput()), "sinusoids");
}

FailureOr<ValueRange> LayerLaunches::lower(LayerNormOp op) {
  FailureOr<bool> hasBias = op.hasBias();
  FailureOr<double> offset = offsetOf(op, op.getOffset());
  if (failed(hasBias) || failed(offset))
    return failure();
  std::optional<StringRef> weights = op.getWeights();
  FailureOr<Value> gain = vectorOf(op, weights, ".weight");
  FailureOr<Value> bias =
      vectorOf(op, *hasBias ? weights : std::nullopt, ".bias");
  if (failed(gain) || failed(bias))
    return failure();
  SmallVector<Value> ins = {op.getInput(), *gain, *bias,
                            builder.real(model.getEps().convertToDouble())};
  Task task = builder.task(op);
  if (!weights || !*hasBias || *offset != 0) {
    task = builder.task(op, builder.flag("offset"));
    // An empty weight reads as 0.
    ins.push_back(builder.real(weights ? *offset : 1));
  }
  return builder.launch(task, ins,
                        builder.destinationOf(op.getResult(), op.getInput()),
                        weights.value_or("layer_norm"));
}

FailureOr<ValueRange> LayerLaunches::lower(RmsNormOp op) {
  // An empty weight reads as 0.
  FailureOr<double> offset =
      op.getWeights() ? offsetOf(op, op.getOffset()) : FailureOr<double>(1.0);
  if (failed(offset))
    return failure();
  FailureOr<Value> gain = vectorOf(op, op.getWeights(), ".weight");
  FailureOr<double> eps = op.getEpsilon();
  if (failed(gain) || failed(eps))
    return failure();
  return builder.launch(
      builder.task(op),
      {op.getInput(), *gain, builder.real(*eps), builder.real(*offset)},
      builder.destinationOf(op.getResult(), op.getInput()),
      op.getWeights().value_or("rms_norm"));
}

FailureOr<Value> LayerLaunches::vectorOf(Operation *op,
                                         std::optional<StringRef> weights,
                                         StringRef suffix) {
  if (!weights)
    return builder.emptyVector();
  return builder.weight(*weights + suffix, columnsOf(op->getOperand(0)));
}

Task LayerLaunches::linearTask(LinearOp op) {
  SmallVector<NamedAttribute> attributes = {
      builder.word("activation", stringifyActivation(op.getActivation()))};
  if (op.getGated())
    attributes.push_back(builder.flag("glu"));
  if (op.getResidual())
    attributes.push_back(builder.flag("residual"));
  return builder.task(op, attributes);
}

FailureOr<Value> LayerLaunches::biasOf(LinearOp op, int64_t columns) {
  FailureOr<bool> hasBias = op.hasBias();
  if (failed(hasBias))
    return failure();
  if (*hasBias)
    return builder.weight(op.getBiasName(), columns);
  return builder.emptyVector();
}

FailureOr<ValueRange> LayerLaunches::lower(LinearOp op) {
  int64_t columns = columnsOf(op.getResult());
  FailureOr<int64_t> features = op.getFeatureCount();
  if (failed(features))
    return failure();
  FailureOr<Value> weight =
      builder.weight(op.getWeightName(), {*features, columnsOf(op.getInput())});
  if (failed(weight))
    return failure();
  SmallVector<Value> ins = {op.getInput(), *weight};
  if (!op.getGated()) {
    FailureOr<Value> bias = biasOf(op, columns);
    if (failed(bias))
      return failure();
    ins.push_back(*bias);
  }
  if (op.getResidual())
    ins.push_back(op.getResidual());
  Value out = builder.destinationOf(op.getResult(), op.getInput());
  StringRef label = cast<StringAttr>(op.getWeights()[0]);
  Task fused = linearTask(op);
  bool isPlain = op.getActivation() == Activation::None && !op.getResidual();
  if (isPlain || builder.isImplemented(fused))
    return builder.launch(fused, ins, out, label);
  if (op.getGated())
    return lowerUngated(op, *features, ins);
  return lowerUnfused(op, ArrayRef(ins).take_front(3));
}

FailureOr<ValueRange> LayerLaunches::lowerUngated(LinearOp op, int64_t features,
                                                  ValueRange ins) {
  FailureOr<ValueRange> both =
      launchProduct({ins[0], ins[1], builder.emptyVector()},
                    builder.destination(op.getInput(), features),
                    cast<StringAttr>(op.getWeights()[0]).getValue());
  if (failed(both))
    return failure();
  return launchGlu(both->front(), op.getActivation());
}

FailureOr<ValueRange> LayerLaunches::launchGlu(Value input,
                                               Activation activation) {
  Task glu = {GluOp::getOperationName(),
              builder.attributes().getDictionaryAttr(
                  builder.word("activation", stringifyActivation(activation)))};
  return builder.launch(
      glu, input, builder.destination(input, columnsOf(input) / 2), "glu");
}

FailureOr<ValueRange> LayerLaunches::lower(GluOp op) {
  return launchGlu(op.getInput(), op.getActivation());
}

FailureOr<ValueRange> LayerLaunches::launchProduct(ValueRange ins, Value out,
                                                   const Twine &label) {
  Task plain = {LinearOp::getOperationName(),
                builder.attributes().getDictionaryAttr(builder.word(
                    "activation", stringifyActivation(Activation::None)))};
  return builder.launch(plain, ins, out, label);
}

FailureOr<ValueRange> LayerLaunches::lower(UnembedOp op, Value weight,
                                           Type logits) {
  Value input = op.getInput();
  Value out = builder.destination(input, columnsOf(op.getResult()), logits);
  if (Task head = builder.task(op); builder.isImplemented(head))
    return builder.launch(head, {input, weight}, out, op.getWeights());
  return launchProduct({input, weight, builder.emptyVector()}, out,
                       op.getWeights());
}

FailureOr<ValueRange> LayerLaunches::lowerUnfused(LinearOp op, ValueRange ins) {
  StringRef label = cast<StringAttr>(op.getWeights()[0]);
  // A following addition reads the f32 residual, GELU a rounded value.
  Value out =
      op.getActivation() == Activation::None
          ? builder.destination(op.getInput(), columnsOf(op.getResult()),
                                builder.attributes().getF32Type())
          : builder.destination(op.getInput(), columnsOf(op.getResult()));
  FailureOr<ValueRange> results = launchProduct(ins, out, label);
  if (succeeded(results) && op.getActivation() != Activation::None) {
    Approximation approximation = op.getActivation() == Activation::GeluTanh
                                      ? Approximation::Tanh
                                      : Approximation::None;
    results = launchGelu(results->front(), approximation);
  }
  if (succeeded(results) && op.getResidual()) {
    Task add = {arith::AddFOp::getOperationName(),
                builder.attributes().getDictionaryAttr({})};
    results =
        builder.launch(add, {results->front(), op.getResidual()},
                       builder.destinationOf(op.getResult(), op.getInput()),
                       label + ".residual");
  }
  return results;
}

FailureOr<ValueRange> LayerLaunches::launchGelu(Value input,
                                                Approximation approximation) {
  Task gelu = {GeluOp::getOperationName(),
               builder.attributes().getDictionaryAttr(builder.word(
                   "approximate", stringifyApproximation(approximation)))};
  return builder.launch(gelu, input,
                        builder.destination(input, columnsOf(input)), "gelu");
}

FailureOr<ValueRange> LayerLaunches::lower(GeluOp op) {
  return launchGelu(op.getInput(), op.getApproximate());
}

FailureOr<ValueRange> LayerLaunches::lower(ReluOp op) {
  Task relu = op.getSquared() ? builder.task(op, builder.flag("squared"))
                              : builder.task(op);
  return builder.launch(
      relu, op.getInput(),
      builder.destination(op.getInput(), columnsOf(op.getInput())), "relu");
}

FailureOr<ValueRange> LayerLaunches::lower(XieluOp op) {
  SmallVector<Value> ins = {op.getInput()};
  for (StringRef name : {".alpha_p", ".alpha_n", ".beta", ".eps"}) {
    FailureOr<Value> number = builder.weight(op.getWeights() + name, {1});
    if (failed(number))
      return failure();
    ins.push_back(*number);
  }
  return builder.launch(
      builder.task(op), ins,
      builder.destination(op.getInput(), columnsOf(op.getInput())), "xielu");
}

FailureOr<ValueRange> LayerLaunches::lower(SoftcapOp op) {
  FailureOr<double> cap = getNumber(op, op.getCap(), "cap");
  if (failed(cap))
    return failure();
  if (*cap == 0)
    return ValueRange(op->getOperands());
  return launchWith(op, *cap, "softcap");
}

FailureOr<ValueRange> LayerLaunches::lower(ClampOp op) {
  FailureOr<double> limit = getNumber(op, op.getLimit(), "limit");
  if (failed(limit))
    return failure();
  if (*limit == 0)
    return ValueRange(op->getOperands());
  return launchWith(op, *limit, "clamp");
}

FailureOr<ValueRange> LayerLaunches::lower(ScaleOp op) {
  FailureOr<double> factor = getNumber(op, op.getFactor(), "factor");
  if (failed(factor))
    return failure();
  if (*factor == 1)
    return ValueRange(op->getOperands());
  return launchWith(op, *factor, "scale");
}

FailureOr<ValueRange> LayerLaunches::launchWith(Operation *op, double number,
                                                StringRef label) {
  Value input = op->getOperand(0);
  Type element = getElementTypeOrSelf(input.getType());
  return builder.launch(builder.task(op), {input, builder.real(number)},
                        builder.destination(input, columnsOf(input), element),
                        label);
}

FailureOr<ValueRange> LayerLaunches::lower(GateOp op) {
  SmallVector<NamedAttribute> attributes;
  if (op.getLinear())
    attributes.push_back(builder.flag("linear"));
  if (op.hasGatesOfFeatures())
    attributes.push_back(builder.flag("features"));
  return builder.launch(
      builder.task(op, attributes), {op.getInput(), op.getLogits()},
      builder.destinationOf(op.getResult(), op.getInput()), "gate");
}

} // namespace tilegpt::gpt
