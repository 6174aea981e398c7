// What attention launches: a kernel that appends to the cache and one that
// attends.
#include "AttentionLaunches.h"
#include "TileGPT/Bundle/LiteralWeight.h"
#include <cmath>

using namespace mlir;

namespace tilegpt::gpt {

Task AttentionLaunches::task(StringRef op, StringRef part) const {
  SmallVector<NamedAttribute> named;
  if (!part.empty())
    named.push_back(builder.word("part", part));
  return {op, builder.attributes().getDictionaryAttr(named)};
}

Value AttentionLaunches::integer(int64_t value) {
  return builder.constant(
      builder.attributes().getI32IntegerAttr(int32_t(value)));
}

/// The only user of a result, if it is an `Op`.
template <typename Op>
static Op onlyReader(Operation *op) {
  return op->hasOneUse() ? dyn_cast<Op>(*op->user_begin()) : Op();
}

/// The attention that can apply the rotation of `op`.
AttentionOp AttentionLaunches::readerOf(RotaryOp op) const {
  FailureOr<RotaryNumbers> numbers = getRotaryNumbers(op, {}, capacity);
  auto attention = onlyReader<AttentionOp>(op);
  const bool turns = succeeded(numbers) && numbers->features != 0 &&
                     attention && attention.getPos() == op.getPos();
  return turns ? attention : AttentionOp();
}

LogicalResult AttentionLaunches::appendNorms(const HeadWork &work,
                                             SmallVectorImpl<Value> &ins) {
  for (StringAttr name : {work.queryNorm, work.keyNorm}) {
    if (!name) {
      ins.push_back(builder.emptyVector());
      continue;
    }
    FailureOr<Value> gain =
        builder.weight(name.getValue(), model.getHeadWidth());
    if (failed(gain))
      return failure();
    ins.push_back(*gain);
  }
  ins.append({builder.real(model.getEps().convertToDouble()),
              builder.real(work.offset)});
  return success();
}

/// The weight of a norm of heads: ones without a name.
static StringAttr nameOfGain(HeadNormOp op, std::optional<StringRef> name) {
  const auto width = size_t(getModel(op).getHeadWidth());
  return StringAttr::get(
      op.getContext(),
      name ? *name + ".weight"
           : Twine(bundle::literalWeight(std::vector<double>(width, 1.0))));
}

FailureOr<ValueRange> AttentionLaunches::lower(HeadNormOp op) {
  HeadWork work = {{},
                   nameOfGain(op, op.getQueries()),
                   nameOfGain(op, op.getKeys()),
                   /*offset=*/0};
  if (op.getOffset()) {
    FailureOr<double> offset = getNumber(op, *op.getOffset(), "offset");
    if (failed(offset))
      return failure();
    work.offset = *offset;
  }
  auto rotary = onlyReader<RotaryOp>(op);
  if (rotary && readerOf(rotary)) {
    leftTo[rotary] = work;
    return ValueRange(op->getOperands());
  }
  SmallVector<Value> ins = {op.getInput()};
  if (failed(appendNorms(work, ins)))
    return failure();
  int64_t heads = model.getHeads();
  ins.append({integer(heads), integer(heads + model.getKvHeadCount())});
  return builder.launch(
      task(HeadNormOp::getOperationName(), ""), ins,
      builder.destination(op.getInput(), getHeadColumns(model)),
      op.getQueries().value_or("head_norm"));
}

FailureOr<ValueRange> AttentionLaunches::lower(HeadLayerNormOp op) {
  FailureOr<bool> hasBias = op.hasBias();
  if (failed(hasBias))
    return failure();
  Type element = builder.attributes().getF32Type();
  auto ofHeads = [&](StringRef suffix) {
    return builder.weight(op.getJoined(suffix),
                          {int64_t(model.getHeads()) + model.getKvHeadCount(),
                           model.getHeadWidth()},
                          element);
  };
  FailureOr<Value> gain = ofHeads(".weight");
  FailureOr<Value> bias =
      *hasBias
          ? ofHeads(".bias")
          : FailureOr<Value>(builder.destination(op.getInput(), 0, element));
  if (failed(gain) || failed(bias))
    return failure();
  return builder.launch(
      task(HeadLayerNormOp::getOperationName(), ""),
      {op.getInput(), *gain, *bias,
       builder.real(model.getEps().convertToDouble())},
      builder.destination(op.getInput(), getHeadColumns(model)),
      op.getQueries());
}

FailureOr<ValueRange> AttentionLaunches::lower(QkNormOp op) {
  FailureOr<Value> queries = builder.weight(
      op.getQueries() + ".weight", model.getHeads() * model.getHeadWidth());
  FailureOr<Value> keys = builder.weight(
      op.getKeys() + ".weight", model.getKvHeadCount() * model.getHeadWidth());
  if (failed(queries) || failed(keys))
    return failure();
  return builder.launch(
      task(QkNormOp::getOperationName(), ""),
      {op.getInput(), *queries, *keys,
       builder.real(model.getEps().convertToDouble())},
      builder.destination(op.getInput(), getHeadColumns(model)),
      op.getQueries());
}

FailureOr<ValueRange> AttentionLaunches::lower(LatentHeadsOp op) {
  FailureOr<SmallVector<int64_t>> order = op.getOrder();
  if (failed(order))
    return failure();
  SmallVector<double> features(order->begin(), order->end());
  FailureOr<Value> literal =
      builder.weight(bundle::literalWeight(features), int64_t(features.size()));
  if (failed(literal))
    return failure();
  return builder.launch(
      task(LatentHeadsOp::getOperationName(), ""),
      {op.getQueries(), op.getLatent(), op.getTurned(), *literal},
      builder.destination(op.getQueries(), getHeadColumns(model)),
      "latent_heads");
}

FailureOr<ValueRange> AttentionLaunches::lower(ColumnsOp op) {
  FailureOr<ColumnsOp::Groups> groups = op.getGroupColumns();
  if (failed(groups))
    return failure();
  const int64_t width = columnsOf(op.getInput()) / groups->count;
  return builder.launch(task(ColumnsOp::getOperationName(), ""),
                        {op.getInput(), integer(width), integer(groups->first),
                         integer(groups->features)},
                        builder.destinationOf(op.getResult(), op.getInput()),
                        "columns");
}

FailureOr<AttentionLaunches::Angles>
AttentionLaunches::anglesOf(const RotaryNumbers &numbers, Value qkv,
                            Value positions) {
  auto *known = llvm::find_if(angles, [&](const Angles &other) {
    return other.positions == positions && other.numbers == numbers;
  });
  if (known != angles.end())
    return *known;
  Type element = builder.attributes().getF32Type();
  Value table = builder.emptyVector();
  if (!numbers.factors.empty()) {
    SmallVector<double> frequencies;
    for (int64_t pair = 0; pair < numbers.features / 2; ++pair)
      frequencies.push_back(numbers.frequencyOf(pair));
    FailureOr<Value> literal = builder.weight(
        bundle::literalWeight(frequencies), numbers.features / 2);
    if (failed(literal))
      return failure();
    table = *literal;
  }
  SmallVector<Value> ins = {positions, table};
  for (double number : {numbers.rate, numbers.stretch, numbers.constant,
                        numbers.linear, numbers.frequency, numbers.amplitude})
    ins.push_back(builder.real(number));
  FailureOr<ValueRange> made =
      builder.launch(task(RotaryOp::getOperationName(), "angles"), ins,
                     {builder.destination(qkv, model.getHeadWidth(), element),
                      builder.destination(qkv, numbers.features, element)},
                     "rotary_angles");
  if (failed(made))
    return failure();
  angles.push_back({numbers, positions, (*made)[0], (*made)[1]});
  return angles.back();
}

FailureOr<ValueRange> AttentionLaunches::lower(RotaryOp op) {
  FailureOr<RotaryNumbers> numbers = getRotaryNumbers(op, {}, capacity);
  if (failed(numbers))
    return failure();
  if (numbers->features == 0)
    return ValueRange(op->getOperands().take_front(1));
  HeadWork work = leftTo.lookup(op);
  if (AttentionOp attention = readerOf(op)) {
    work.rotary = *numbers;
    leftTo[attention] = work;
    return ValueRange(op->getOperands().take_front(1));
  }
  FailureOr<Angles> found = anglesOf(*numbers, op.getInput(), op.getPos());
  if (failed(found))
    return failure();
  int64_t turned = int64_t(model.getHeads()) + model.getKvHeadCount();
  return builder.launch(
      task(RotaryOp::getOperationName(), "turn"),
      {op.getInput(), found->cosines, found->sines, integer(turned)},
      builder.destination(op.getInput(), getHeadColumns(model)), "rotary");
}

/// The scale of the scores; 0 for the default, 1/√D.
FailureOr<double> AttentionLaunches::factorOf(AttentionOp op) {
  if (!op.getScale())
    return 0.0;
  FailureOr<double> scale = getNumber(op, *op.getScale(), "scale");
  const double usual = 1 / std::sqrt(double(model.getHeadWidth()));
  if (succeeded(scale) && std::abs(*scale / usual - 1) < 1e-6)
    return 0.0;
  return scale;
}

/// The scale of the scores, the window, and the cap or the sinks; 0 means the
/// default scale, 1/√D, no window and no cap.
FailureOr<SmallVector<Value>> AttentionLaunches::scoresOf(AttentionOp op) {
  double cap = 0;
  int64_t window = 0;
  FailureOr<double> factor = factorOf(op);
  if (failed(factor))
    return failure();
  if (op.getWindow()) {
    FailureOr<int64_t> given = getInteger(op, *op.getWindow(), "window");
    if (failed(given))
      return failure();
    // A window of at least the cache's capacity is none.
    if (*given < capacity)
      window = *given;
  }
  if (op.getSinks()) {
    FailureOr<Value> sinks =
        builder.weight(op.getSinksName(), model.getHeads());
    if (failed(sinks))
      return failure();
    return SmallVector<Value>{builder.real(*factor), integer(window), *sinks};
  }
  if (op.getSoftcap()) {
    FailureOr<double> given = getNumber(op, *op.getSoftcap(), "softcap");
    if (failed(given))
      return failure();
    cap = *given;
  }
  return SmallVector<Value>{builder.real(*factor), integer(window),
                            builder.real(cap)};
}

/// The scale of the scores, the slopes of all heads of the model, and the index
/// of the first of this rank.
FailureOr<SmallVector<Value>>
AttentionLaunches::biasedScoresOf(AttentionOp op, ArrayRef<double> slopes) {
  FailureOr<double> factor = factorOf(op);
  FailureOr<Value> all =
      builder.weight(bundle::literalWeight(slopes), int64_t(slopes.size()));
  if (failed(factor) || failed(all))
    return failure();
  Type index = builder.attributes().getI32Type();
  Value first = builder.emptyVector(index);
  if (std::string name = op.getFirstSlopeName(); !name.empty()) {
    FailureOr<Value> given = builder.weight(name, {1}, index);
    if (failed(given))
      return failure();
    first = *given;
  }
  return SmallVector<Value>{builder.real(*factor), *all, first};
}

/// Operands of the fused norms and rotation: gains, epsilon and offset of the
/// norms, cosines and sines; empty tensors if absent.
FailureOr<SmallVector<Value>>
AttentionLaunches::headWorkOf(AttentionOp op, const HeadWork &work) {
  SmallVector<Value> ins;
  if (failed(appendNorms(work, ins)))
    return failure();
  if (!work.rotary) {
    Type element = builder.attributes().getF32Type();
    Value none = builder.destination(op.getQkv(), 0, element);
    ins.append({none, none});
    return ins;
  }
  FailureOr<Angles> found = anglesOf(*work.rotary, op.getQkv(), op.getPos());
  if (failed(found))
    return failure();
  ins.append({found->cosines, found->sines});
  return ins;
}

/// Checks that nothing else extends the cache of `op`.
LogicalResult AttentionLaunches::takeCache(Operation *op, StringRef cache) {
  if (caches.insert(cache).second)
    return success();
  return op->emitOpError("extends the cache \"")
         << cache << "\", which another " << op->getName()
         << " of the function extends too";
}

FailureOr<ValueRange> AttentionLaunches::lower(ShortConvOp op) {
  FailureOr<int64_t> taps = op.getTapCount();
  FailureOr<bool> hasBias = op.hasBias();
  if (failed(takeCache(op, op.getCache())) || failed(taps) || failed(hasBias))
    return failure();
  const int64_t channels = columnsOf(op.getInput()) / 3;
  FailureOr<Value> state =
      builder.state(op.getCache() + ".u", {1, capacity, channels});
  FailureOr<Value> weight =
      builder.weight(op.getWeights() + ".weight", {channels, *taps},
                     builder.attributes().getF32Type());
  FailureOr<Value> bias =
      *hasBias ? builder.weight(op.getWeights() + ".bias", channels)
               : FailureOr<Value>(builder.emptyVector());
  if (failed(state) || failed(weight) || failed(bias))
    return failure();
  StringRef name = ShortConvOp::getOperationName();
  FailureOr<ValueRange> appended =
      builder.launch(task(name, "append"), {op.getInput(), op.getPos()}, *state,
                     op.getCache() + ".append");
  if (failed(appended))
    return failure();
  return builder.launch(
      task(name, "convolve"),
      {op.getInput(), appended->front(), op.getPos(), *weight, *bias},
      builder.destinationOf(op.getResult(), op.getInput()), op.getWeights());
}

FailureOr<ValueRange> AttentionLaunches::lower(AttentionOp op) {
  if (failed(takeCache(op, op.getCache())))
    return failure();
  int64_t columns = model.getHeads() * model.getHeadWidth();
  int64_t shape[] = {model.getKvHeadCount(), capacity, model.getHeadWidth()};
  FailureOr<Value> keys = builder.state(op.getCache() + ".k", shape);
  FailureOr<Value> values = builder.state(op.getCache() + ".v", shape);
  FailureOr<SmallVector<double>> slopes = op.getSlopes();
  if (failed(keys) || failed(values) || failed(slopes))
    return failure();
  FailureOr<SmallVector<Value>> scores =
      slopes->empty() ? scoresOf(op) : biasedScoresOf(op, *slopes);
  if (failed(scores))
    return failure();

  const HeadWork work = leftTo.lookup(op);
  FailureOr<SmallVector<Value>> headWork = headWorkOf(op, work);
  if (failed(headWork))
    return failure();
  SmallVector<Value> ins = {op.getQkv()};
  llvm::append_range(ins, *headWork);
  ins.push_back(op.getPos());
  auto destination = [&](int64_t columns) {
    return builder.destination(op.getQkv(), columns);
  };

  StringRef name = AttentionOp::getOperationName();
  const bool changesQueries = work.rotary.has_value();
  FailureOr<ValueRange> appended = builder.launch(
      task(name, "append"), ins,
      {*keys, *values, destination(changesQueries ? columns : 0)},
      op.getCache() + ".kv_append");
  if (failed(appended))
    return failure();
  SmallVector<Value> read = {changesQueries ? (*appended)[2] : op.getQkv(),
                             (*appended)[0], (*appended)[1], op.getPos()};
  llvm::append_range(read, *scores);
  SmallVector<NamedAttribute> attend = {builder.word("part", "attend")};
  if (!slopes->empty())
    attend.push_back(builder.flag("alibi"));
  if (op.getSinks())
    attend.push_back(builder.flag("sinks"));
  return builder.launch(builder.task(op, attend), read, destination(columns),
                        op.getCache() + ".attention");
}

} // namespace tilegpt::gpt
