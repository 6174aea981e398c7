// What attention launches: a kernel that appends to the cache and one that
// attends, or one that does both.
#include "AttentionLaunches.h"
#include "TileGPT/Bundle/LiteralWeight.h"
#include <cmath>

using namespace mlir;

namespace tilegpt::gpt {

Task AttentionLaunches::task(StringRef op, StringRef part,
                             ArrayRef<StringRef> flags) const {
  SmallVector<NamedAttribute> named;
  if (!part.empty())
    named.push_back(builder.word("part", part));
  for (StringRef flag : flags)
    named.push_back(builder.flag(flag));
  return {op, builder.attributes().getDictionaryAttr(named)};
}

Value AttentionLaunches::integer(int64_t value) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  return builder.constant(
      builder.attributes().getI32IntegerAttr(int32_t(std::min(value, most))));
}

/// The one reader of a result, where it is an `Op`.
template <typename Op>
static Op onlyReader(Operation *op) {
  return op->hasOneUse() ? dyn_cast<Op>(*op->user_begin()) : Op();
}

/// The attention that can turn the heads that `op` turns.
AttentionOp AttentionLaunches::readerOf(RotaryOp op, bool isNormed) const {
  FailureOr<RotaryNumbers> numbers = getRotaryNumbers(op, {}, capacity);
  auto attention = onlyReader<AttentionOp>(op);
  if (failed(numbers) || numbers->features == 0 || !attention ||
      attention.getPos() != op.getPos())
    return {};
  SmallVector<StringRef> flags = {"rotary"};
  if (isNormed)
    flags.push_back("head_norm");
  return builder.isImplemented(
             task(AttentionOp::getOperationName(), "append", flags))
             ? attention
             : AttentionOp();
}

LogicalResult AttentionLaunches::appendNorms(const HeadWork &work,
                                             SmallVectorImpl<Value> &ins) {
  for (StringAttr name : {work.queryNorm, work.keyNorm}) {
    FailureOr<Value> gain =
        builder.weight(name.getValue() + ".weight", model.getHeadWidth());
    if (failed(gain))
      return failure();
    ins.push_back(*gain);
  }
  ins.append({builder.real(model.getEps().convertToDouble()),
              builder.real(work.offset)});
  return success();
}

FailureOr<ValueRange> AttentionLaunches::lower(HeadNormOp op) {
  HeadWork work = {{}, op.getQueriesAttr(), op.getKeysAttr(), /*offset=*/0};
  if (op.getOffset()) {
    FailureOr<double> offset = getNumber(op, *op.getOffset(), "offset");
    if (failed(offset))
      return failure();
    work.offset = *offset;
  }
  auto rotary = onlyReader<RotaryOp>(op);
  if (rotary && readerOf(rotary, /*isNormed=*/true)) {
    leftTo[rotary] = work;
    return ValueRange(op->getOperands());
  }
  SmallVector<Value> ins = {op.getInput()};
  if (failed(appendNorms(work, ins)))
    return failure();
  int64_t heads = model.getHeads();
  ins.append({integer(heads), integer(heads + model.getKvHeadCount())});
  return builder.launch(
      task(HeadNormOp::getOperationName(), "", {}), ins,
      builder.destination(op.getInput(), getHeadColumns(model)),
      op.getQueries());
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
  SmallVector<StringRef> flags;
  SmallVector<Value> ins = {positions};
  if (numbers.factors.empty()) {
    for (double number : {numbers.rate, numbers.stretch, numbers.constant,
                          numbers.linear, numbers.frequency})
      ins.push_back(builder.real(number));
  } else {
    flags.push_back("table");
    SmallVector<double> frequencies;
    for (int64_t pair = 0; pair < numbers.features / 2; ++pair)
      frequencies.push_back(numbers.frequencyOf(pair));
    FailureOr<Value> table = builder.weight(bundle::literalWeight(frequencies),
                                            numbers.features / 2);
    if (failed(table))
      return failure();
    ins.push_back(*table);
  }
  ins.push_back(builder.real(numbers.amplitude));
  FailureOr<ValueRange> made =
      builder.launch(task(RotaryOp::getOperationName(), "angles", flags), ins,
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
  if (AttentionOp attention = readerOf(op, bool(work.queryNorm))) {
    work.rotary = *numbers;
    leftTo[attention] = work;
    return ValueRange(op->getOperands().take_front(1));
  }
  FailureOr<Angles> found = anglesOf(*numbers, op.getInput(), op.getPos());
  if (failed(found))
    return failure();
  int64_t turned = int64_t(model.getHeads()) + model.getKvHeadCount();
  return builder.launch(
      task(RotaryOp::getOperationName(), "turn", {}),
      {op.getInput(), found->cosines, found->sines, integer(turned)},
      builder.destination(op.getInput(), getHeadColumns(model)), "rotary");
}

FailureOr<std::optional<AttentionLaunches::Scores>>
AttentionLaunches::scoresOf(AttentionOp op) {
  Scores scores = {1 / std::sqrt(double(model.getHeadWidth())),
                   std::numeric_limits<int32_t>::max()};
  bool isPlain = true;
  if (op.getScale()) {
    FailureOr<double> scale = getNumber(op, *op.getScale(), "scale");
    if (failed(scale))
      return failure();
    isPlain &= std::abs(*scale / scores.factor - 1) < 1e-6;
    scores.factor = *scale;
  }
  if (op.getWindow()) {
    FailureOr<int64_t> window = getInteger(op, *op.getWindow(), "window");
    if (failed(window))
      return failure();
    // A window that no cache exceeds is none.
    if (*window != 0 && *window < capacity) {
      isPlain = false;
      scores.window = *window;
    }
  }
  if (op.getSoftcap()) {
    FailureOr<double> cap = getNumber(op, *op.getSoftcap(), "softcap");
    if (failed(cap))
      return failure();
    isPlain &= *cap == 0;
    scores.cap = *cap;
  }
  if (isPlain)
    return std::optional<Scores>();
  return std::optional<Scores>(scores);
}

void AttentionLaunches::appendScores(const Scores &scores,
                                     SmallVectorImpl<StringRef> &flags,
                                     SmallVectorImpl<Value> &ins) {
  flags.push_back("window");
  ins.append({builder.real(scores.factor), integer(scores.window)});
  if (scores.cap == 0)
    return;
  flags.push_back("softcap");
  ins.push_back(builder.real(scores.cap));
}

FailureOr<ValueRange> AttentionLaunches::attend(AttentionOp op, Value queries,
                                                Value keys, Value values,
                                                std::optional<Scores> scores) {
  SmallVector<Value> ins = {queries, keys, values, op.getPos()};
  SmallVector<StringRef> flags;
  if (scores)
    appendScores(*scores, flags, ins);
  return builder.launch(
      task(AttentionOp::getOperationName(), "attend", flags), ins,
      builder.destination(op.getQkv(), model.getHeads() * model.getHeadWidth()),
      op.getCache() + ".attention");
}

FailureOr<ValueRange> AttentionLaunches::lower(AttentionOp op) {
  if (!caches.insert(op.getCache()).second)
    return op.emitOpError("extends the cache \"")
           << op.getCache()
           << "\", which another gpt.attention of the function extends too";
  int64_t columns = model.getHeads() * model.getHeadWidth();
  int64_t shape[] = {model.getKvHeadCount(), capacity, model.getHeadWidth()};
  FailureOr<Value> keys = builder.state(op.getCache() + ".k", shape);
  FailureOr<Value> values = builder.state(op.getCache() + ".v", shape);
  FailureOr<std::optional<Scores>> scores = scoresOf(op);
  if (failed(keys) || failed(values) || failed(scores))
    return failure();

  HeadWork work = leftTo.lookup(op);
  SmallVector<Value> ins = {op.getQkv()};
  SmallVector<StringRef> flags;
  if (work.queryNorm) {
    flags.push_back("head_norm");
    if (failed(appendNorms(work, ins)))
      return failure();
  }
  if (work.rotary) {
    flags.push_back("rotary");
    FailureOr<Angles> found = anglesOf(*work.rotary, op.getQkv(), op.getPos());
    if (failed(found))
      return failure();
    ins.append({found->cosines, found->sines});
  }
  ins.push_back(op.getPos());
  auto destination = [&] { return builder.destination(op.getQkv(), columns); };

  // One launch for all of it. A kernel that rotates is told the factor and the
  // window in any case.
  SmallVector<StringRef> wholeFlags = flags;
  SmallVector<Value> wholeIns = ins;
  if (work.rotary || *scores) {
    Scores told =
        scores->value_or(Scores{1 / std::sqrt(double(model.getHeadWidth())),
                                std::numeric_limits<int32_t>::max()});
    appendScores(told, wholeFlags, wholeIns);
  }
  Task whole = task(AttentionOp::getOperationName(), "whole", wholeFlags);
  if (fuse && builder.isAdmitted(whole, wholeIns)) {
    FailureOr<ValueRange> results =
        builder.launch(whole, wholeIns, {*keys, *values, destination()},
                       op.getCache() + ".attention");
    if (failed(results))
      return failure();
    return results->take_back(1);
  }

  SmallVector<Value> outs = {*keys, *values};
  if (work.rotary)
    outs.push_back(destination());
  FailureOr<ValueRange> appended =
      builder.launch(task(AttentionOp::getOperationName(), "append", flags),
                     ins, outs, op.getCache() + ".kv_append");
  if (failed(appended))
    return failure();
  return attend(op, work.rotary ? (*appended)[2] : op.getQkv(), (*appended)[0],
                (*appended)[1], *scores);
}

} // namespace tilegpt::gpt
