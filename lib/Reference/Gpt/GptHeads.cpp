// Evaluators of the ops on heads of queries and keys: norms and rotation, in
// double.
#include "GptContext.h"
#include "TileGPT/Dialect/Gpt/IR/Rotary.h"
#include <cmath>

using namespace mlir;
using llvm::Expected;

namespace tilegpt::reference {

static llvm::Error evaluateHeadNorm(gpt::HeadNormOp op, Frame &frame,
                                    const GptContext &context) {
  gpt::ModelOp model = gpt::getModel(op);
  const Tensor &x = frame.tensor(op.getInput());
  int64_t columns = x.shape()[1], width = model.getHeadWidth();
  int64_t heads = model.getHeads(), normed = heads + model.getKvHeadCount();
  std::optional<TensorRef> queries, keys;
  for (auto &[gain, name] :
       {std::pair(&queries, op.getQueries()), std::pair(&keys, op.getKeys())}) {
    if (!name)
      continue;
    Expected<TensorRef> given =
        context.weight(op, frame, *name + ".weight", width);
    if (!given)
      return given.takeError();
    *gain = *given;
  }
  Expected<double> offset = context.number(op, op.getOffset(), "offset", 0);
  if (!offset)
    return offset.takeError();
  double eps = model.getEps().convertToDouble();
  return defineResult(
      op, frame, makeRows(x.shape()[0], columns, [&](int64_t i, int64_t j) {
        int64_t head = j / width, at = i * columns + j;
        if (head >= normed)
          return x[at].f;
        const std::optional<TensorRef> &gain = head < heads ? queries : keys;
        return x[at].f * rmsScale(x, i * columns + head * width, width, eps) *
               (gain ? (**gain)[j % width].f + *offset : 1);
      }));
}

static llvm::Error evaluateHeadLayerNorm(gpt::HeadLayerNormOp op, Frame &frame,
                                         const GptContext &context) {
  gpt::ModelOp model = gpt::getModel(op);
  const Tensor &x = frame.tensor(op.getInput());
  int64_t columns = x.shape()[1], width = model.getHeadWidth();
  int64_t normed = int64_t(model.getHeads()) + model.getKvHeadCount();
  FailureOr<bool> hasBias = op.hasBias();
  if (failed(hasBias))
    return fail(op, "has a value that is not known");
  Expected<TensorRef> gain =
      context.weight(op, frame, op.getJoined(".weight"), {normed, width});
  if (!gain)
    return gain.takeError();
  std::optional<TensorRef> bias;
  if (*hasBias) {
    Expected<TensorRef> given =
        context.weight(op, frame, op.getJoined(".bias"), {normed, width});
    if (!given)
      return given.takeError();
    bias = *given;
  }
  double eps = model.getEps().convertToDouble();
  return defineResult(
      op, frame, makeRows(x.shape()[0], columns, [&](int64_t i, int64_t j) {
        int64_t head = j / width, first = i * columns + head * width;
        if (head >= normed)
          return x[i * columns + j].f;
        double mean = 0, variance = 0;
        for (int64_t d = 0; d < width; ++d)
          mean += x[first + d].f / double(width);
        for (int64_t d = 0; d < width; ++d)
          variance += std::pow(x[first + d].f - mean, 2) / double(width);
        double y = (x[i * columns + j].f - mean) / std::sqrt(variance + eps) *
                   (**gain)[j].f;
        return bias ? y + (**bias)[j].f : y;
      }));
}

static llvm::Error evaluateQkNorm(gpt::QkNormOp op, Frame &frame,
                                  const GptContext &context) {
  gpt::ModelOp model = gpt::getModel(op);
  const Tensor &x = frame.tensor(op.getInput());
  int64_t columns = x.shape()[1], width = model.getHeadWidth();
  int64_t queryWidth = model.getHeads() * width;
  int64_t keyWidth = model.getKvHeadCount() * width;
  Expected<TensorRef> queries =
      context.weight(op, frame, op.getQueries() + ".weight", queryWidth);
  if (!queries)
    return queries.takeError();
  Expected<TensorRef> keys =
      context.weight(op, frame, op.getKeys() + ".weight", keyWidth);
  if (!keys)
    return keys.takeError();
  double eps = model.getEps().convertToDouble();
  int64_t rows = x.shape()[0];
  std::vector<double> queryScales, keyScales;
  for (int64_t first = 0; first < rows * columns; first += columns) {
    queryScales.push_back(rmsScale(x, first, queryWidth, eps));
    keyScales.push_back(rmsScale(x, first + queryWidth, keyWidth, eps));
  }
  return defineResult(
      op, frame, makeRows(rows, columns, [&](int64_t i, int64_t j) {
        double value = x[i * columns + j].f;
        if (j < queryWidth)
          return value * queryScales[i] * (**queries)[j].f;
        if (j < queryWidth + keyWidth)
          return value * keyScales[i] * (**keys)[j - queryWidth].f;
        return value;
      }));
}

static llvm::Error evaluateLatentHeads(gpt::LatentHeadsOp op, Frame &frame,
                                       const GptContext &context) {
  gpt::ModelOp model = gpt::getModel(op);
  const Tensor &q = frame.tensor(op.getQueries());
  const Tensor &latent = frame.tensor(op.getLatent());
  const Tensor &turned = frame.tensor(op.getTurned());
  FailureOr<SmallVector<int64_t>> order = op.getOrder(context.layer);
  if (failed(order))
    return fail(op, "has a value that is not known");
  const int64_t heads = model.getHeads(), width = model.getHeadWidth();
  const int64_t turning = turned.shape()[1], other = width - turning;
  const int64_t columns = latent.shape()[1], each = columns / heads;
  return defineResult(
      op, frame,
      makeRows(q.shape()[0], 3 * heads * width, [&](int64_t i, int64_t j) {
        const int64_t part = j / (heads * width), h = j / width % heads;
        const int64_t d = j % width, from = (*order)[d];
        if (part == 0)
          return q[(i * heads + h) * width + from].f;
        if (part == 1 && from >= other)
          return turned[i * turning + from - other].f;
        if (part == 1)
          return latent[i * columns + h * each + from].f;
        return other + d < each
                   ? double(latent[i * columns + h * each + other + d].f)
                   : 0.0;
      }));
}

static llvm::Error evaluateColumns(gpt::ColumnsOp op, Frame &frame,
                                   const GptContext &context) {
  const Tensor &x = frame.tensor(op.getInput());
  FailureOr<gpt::ColumnsOp::Groups> groups = op.getGroupColumns(context.layer);
  if (failed(groups))
    return fail(op, "has a value that is not known");
  const int64_t columns = x.shape()[1], width = columns / groups->count;
  const int64_t kept = groups->features, first = groups->first;
  return defineResult(
      op, frame,
      makeRows(x.shape()[0], groups->count * kept, [&](int64_t i, int64_t j) {
        return x[i * columns + j / kept * width + first + j % kept].f;
      }));
}

static llvm::Error evaluateRotary(gpt::RotaryOp op, Frame &frame,
                                  const GptContext &context) {
  gpt::ModelOp model = gpt::getModel(op);
  const Tensor &x = frame.tensor(op.getInput());
  const Tensor &pos = frame.tensor(op.getPos());
  Expected<int64_t> tokens = tokensPerSequence(op, x.shape()[0], pos.size());
  if (!tokens)
    return tokens.takeError();
  FailureOr<gpt::RotaryNumbers> numbers =
      gpt::getRotaryNumbers(op, context.layer);
  if (failed(numbers))
    return fail(op, "has a value that is not known");
  int64_t columns = x.shape()[1], width = model.getHeadWidth();
  int64_t turned = int64_t(model.getHeads()) + model.getKvHeadCount();
  int64_t half = numbers->features / 2;
  return defineResult(
      op, frame, makeRows(x.shape()[0], columns, [&](int64_t i, int64_t j) {
        int64_t head = j / width, feature = j % width, at = i * columns + j;
        if (head >= turned || feature >= numbers->features)
          return x[at].f;
        bool isFirst = feature < half;
        double position = double(pos[i / *tokens].i + i % *tokens);
        double angle =
            position * numbers->frequencyOf(isFirst ? feature : feature - half);
        double other = x[isFirst ? at + half : at - half].f;
        return (x[at].f * std::cos(angle) +
                (isFirst ? -other : other) * std::sin(angle)) *
               numbers->amplitude;
      }));
}

void addGptHeadEvaluators(Registry &registry,
                          std::shared_ptr<GptContext> context) {
  registry.add<gpt::HeadNormOp>([context](gpt::HeadNormOp op, Frame &frame) {
    return evaluateHeadNorm(op, frame, *context);
  });
  registry.add<gpt::HeadLayerNormOp>(
      [context](gpt::HeadLayerNormOp op, Frame &frame) {
        return evaluateHeadLayerNorm(op, frame, *context);
      });
  registry.add<gpt::QkNormOp>([context](gpt::QkNormOp op, Frame &frame) {
    return evaluateQkNorm(op, frame, *context);
  });
  registry.add<gpt::LatentHeadsOp>(
      [context](gpt::LatentHeadsOp op, Frame &frame) {
        return evaluateLatentHeads(op, frame, *context);
      });
  registry.add<gpt::ColumnsOp>([context](gpt::ColumnsOp op, Frame &frame) {
    return evaluateColumns(op, frame, *context);
  });
  registry.add<gpt::RotaryOp>([context](gpt::RotaryOp op, Frame &frame) {
    return evaluateRotary(op, frame, *context);
  });
}

} // namespace tilegpt::reference
