// Evaluator of gpt.attention: the plain formula over the whole cache, in
// double.
#include "GptContext.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::reference {

namespace {

/// Sizes of one call.
struct AttentionSizes {
  int64_t sequences;
  int64_t tokens;
  int64_t heads;
  int64_t keyHeads;
  int64_t capacity;
  int64_t headWidth;
  double scale = 1;   ///< of scores
  int64_t window = 0; ///< entries that a row attends to; 0: all
  double cap = 0;     ///< of scores; 0: none
  mlir::SmallVector<double> slopes = {}; ///< of all heads of the model, or none
  int64_t firstSlope = 0;                ///< that of head 0
  TensorRef sinks = nullptr;             ///< of all heads, or none

  int64_t width() const { return heads * headWidth; }
  /// The head of keys that a head of queries reads.
  int64_t keyHead(int64_t h) const { return h / (heads / keyHeads); }
  /// The first entry that a row at position `last` attends to.
  int64_t first(int64_t last) const {
    return window == 0 ? 0 : std::max<int64_t>(0, last + 1 - window);
  }
  /// Index of element d of entry s in a cache [B, K, S, D].
  int64_t inCache(int64_t b, int64_t h, int64_t s, int64_t d) const {
    return ((b * keyHeads + h) * capacity + s) * headWidth + d;
  }
  /// Index of element d of head h of part 0 (q), 1 (k) or 2 (v) in a row of
  /// [N, (H + 2K)·D].
  int64_t inRow(int64_t row, int64_t part, int64_t h, int64_t d) const {
    int64_t before = part == 0 ? 0 : heads + (part - 1) * keyHeads;
    return (row * (heads + 2 * keyHeads) + before + h) * headWidth + d;
  }
};

} // namespace

/// A copy of the cache with the k (part 1) or v (part 2) of every row in its
/// place.
static TensorRef appendTo(const Tensor &cache, const Tensor &qkv,
                          const Tensor &pos, int64_t part,
                          const AttentionSizes &sizes) {
  auto next = std::make_shared<Tensor>(cache);
  for (int64_t row = 0; row < sizes.sequences * sizes.tokens; ++row) {
    int64_t b = row / sizes.tokens, t = row % sizes.tokens;
    for (int64_t h = 0; h < sizes.keyHeads; ++h)
      for (int64_t d = 0; d < sizes.headWidth; ++d)
        next->store(sizes.inCache(b, h, pos[b].i + t, d),
                    qkv[sizes.inRow(row, part, h, d)]);
  }
  return next;
}

/// softmax(scale·q·kᵀ) of one head of one row, over the entries up to `last`
/// that it attends to; 0 for the others.
static std::vector<double> weightsOf(const Tensor &qkv, const Tensor &keys,
                                     int64_t row, int64_t h, int64_t last,
                                     const AttentionSizes &sizes) {
  std::vector<double> weights(last + 1, -INFINITY);
  double largest = -INFINITY, sum = 0;
  for (int64_t s = sizes.first(last); s <= last; ++s) {
    double score = 0;
    for (int64_t d = 0; d < sizes.headWidth; ++d)
      score +=
          qkv[sizes.inRow(row, 0, h, d)].f *
          keys[sizes.inCache(row / sizes.tokens, sizes.keyHead(h), s, d)].f;
    weights[s] = score * sizes.scale;
    if (sizes.cap != 0)
      weights[s] = sizes.cap * std::tanh(weights[s] / sizes.cap);
    if (!sizes.slopes.empty())
      weights[s] -= sizes.slopes[sizes.firstSlope + h] * double(last - s);
    largest = std::fmax(largest, weights[s]);
  }
  if (sizes.sinks) {
    const double sink = (*sizes.sinks)[h].f;
    largest = std::fmax(largest, sink);
    sum = std::exp(sink - largest);
  }
  for (double &weight : weights)
    sum += weight = std::exp(weight - largest);
  for (double &weight : weights)
    weight /= sum;
  return weights;
}

/// The state `name` [B, …shape], with an entry for every position.
static Expected<TensorRef> stateOf(mlir::Operation *op, Frame &frame,
                                   const std::string &name,
                                   llvm::ArrayRef<int64_t> shape,
                                   int64_t sequences) {
  SmallVector<int64_t> sizes = {ShapedType::kDynamic};
  llvm::append_range(sizes, shape);
  Expected<TensorRef> current =
      frame.interpreter().state(name, ElementType::F32, sizes);
  if (!current)
    return fail(op, llvm::toString(current.takeError()));
  if ((*current)->shape()[0] < sequences)
    return fail(op, formatv("has {0} sequences, but the cache '{1}' is {2}",
                            sequences, name,
                            describe((*current)->type(), (*current)->shape())));
  return *current;
}

static llvm::Error evaluateAttention(gpt::AttentionOp op, Frame &frame,
                                     const GptContext &context) {
  gpt::ModelOp model = gpt::getModel(op);
  const Tensor &qkv = frame.tensor(op.getQkv());
  const Tensor &pos = frame.tensor(op.getPos());
  Expected<int64_t> tokens = tokensPerSequence(op, qkv.shape()[0], pos.size());
  if (!tokens)
    return tokens.takeError();
  AttentionSizes sizes = {
      pos.size(),
      *tokens,
      int64_t(model.getHeads()),
      model.getKvHeadCount(),
      int64_t(model.getContext()),
      model.getHeadWidth(),
  };
  Expected<double> scale = context.number(
      op, op.getScale(), "scale", 1 / std::sqrt(double(sizes.headWidth)));
  if (!scale)
    return scale.takeError();
  Expected<double> window = context.number(op, op.getWindow(), "window", 0);
  if (!window)
    return window.takeError();
  Expected<double> cap = context.number(op, op.getSoftcap(), "softcap", 0);
  if (!cap)
    return cap.takeError();
  FailureOr<SmallVector<double>> slopes = op.getSlopes(context.layer);
  if (failed(slopes))
    return fail(op, "has a value that is not known");
  sizes.slopes = *slopes;
  if (std::string first = op.getFirstSlopeName();
      !slopes->empty() && !first.empty()) {
    Expected<int64_t> index = context.index(op, frame, first);
    if (!index)
      return index.takeError();
    sizes.firstSlope = *index;
  }
  if (op.getSinks()) {
    Expected<TensorRef> sinks =
        context.weight(op, frame, op.getSinksName(), sizes.heads);
    if (!sinks)
      return sinks.takeError();
    sizes.sinks = *sinks;
  }
  sizes.cap = *cap;
  sizes.scale = *scale;
  sizes.window = int64_t(*window);
  for (int64_t b = 0; b < sizes.sequences; ++b)
    if (pos[b].i < 0 || pos[b].i + sizes.tokens > sizes.capacity)
      return fail(op, formatv("sequence {0} has {1} tokens from position {2}, "
                              "but the cache holds {3}",
                              b, sizes.tokens, pos[b].i, sizes.capacity));

  Interpreter &interpreter = frame.interpreter();
  std::string cache = context.resolve(op.getCache());
  TensorRef caches[2];
  for (int64_t part : {0, 1}) {
    Expected<TensorRef> current = stateOf(
        op, frame, cache + (part == 0 ? ".k" : ".v"),
        {sizes.keyHeads, sizes.capacity, sizes.headWidth}, sizes.sequences);
    if (!current)
      return current.takeError();
    caches[part] = appendTo(**current, qkv, pos, part + 1, sizes);
    interpreter.advanceState(*current, caches[part]);
  }

  int64_t rows = sizes.sequences * sizes.tokens;
  Expected<Tensor> result =
      Tensor::zeros(ElementType::F32, {rows, sizes.width()});
  if (!result)
    return result.takeError();
  for (int64_t row = 0; row < rows; ++row) {
    int64_t b = row / sizes.tokens;
    int64_t last = pos[b].i + row % sizes.tokens;
    for (int64_t h = 0; h < sizes.heads; ++h) {
      std::vector<double> weights =
          weightsOf(qkv, *caches[0], row, h, last, sizes);
      for (int64_t d = 0; d < sizes.headWidth; ++d) {
        double sum = 0;
        for (int64_t s = 0; s <= last; ++s)
          sum += weights[s] *
                 (*caches[1])[sizes.inCache(b, sizes.keyHead(h), s, d)].f;
        result->store(row * sizes.width() + h * sizes.headWidth + d,
                      Element::of(sum));
      }
    }
  }
  frame.define(op.getResult(), std::move(*result));
  return llvm::Error::success();
}

static llvm::Error evaluateShortConv(gpt::ShortConvOp op, Frame &frame,
                                     const GptContext &context) {
  const Tensor &x = frame.tensor(op.getInput());
  const Tensor &pos = frame.tensor(op.getPos());
  const int64_t rows = x.shape()[0], channels = x.shape()[1] / 3;
  Expected<int64_t> tokens = tokensPerSequence(op, rows, pos.size());
  if (!tokens)
    return tokens.takeError();
  const int64_t capacity = gpt::getModel(op).getContext();
  for (int64_t b = 0; b < pos.size(); ++b)
    if (pos[b].i < 0 || pos[b].i + *tokens > capacity)
      return fail(op, formatv("sequence {0} has {1} tokens from position {2}, "
                              "but the cache holds {3}",
                              b, *tokens, pos[b].i, capacity));
  Expected<double> taps = context.number(op, op.getTaps(), "taps", 1);
  if (!taps)
    return taps.takeError();
  Expected<double> hasBias = context.number(op, op.getBias(), "bias", 1);
  if (!hasBias)
    return hasBias.takeError();
  const auto count = int64_t(*taps);
  Expected<TensorRef> weight =
      context.weight(op, frame, op.getWeights() + ".weight", {channels, count});
  if (!weight)
    return weight.takeError();
  std::optional<TensorRef> bias;
  if (*hasBias != 0) {
    Expected<TensorRef> given =
        context.weight(op, frame, op.getWeights() + ".bias", channels);
    if (!given)
      return given.takeError();
    bias = *given;
  }
  const std::string cache = context.resolve(op.getCache()) + ".u";
  Expected<TensorRef> current =
      stateOf(op, frame, cache, {1, capacity, channels}, pos.size());
  if (!current)
    return current.takeError();
  auto next = std::make_shared<Tensor>(**current);
  auto at = [&](int64_t row, int64_t position, int64_t c) {
    return (row / *tokens * capacity + position) * channels + c;
  };
  auto positionOf = [&](int64_t row) {
    return pos[row / *tokens].i + row % *tokens;
  };
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t c = 0; c < channels; ++c)
      next->store(at(row, positionOf(row), c),
                  Element::of(x[row * 3 * channels + c].f *
                              x[(row * 3 + 2) * channels + c].f));
  frame.interpreter().advanceState(*current, next);
  return defineResult(
      op, frame, makeRows(rows, channels, [&](int64_t row, int64_t c) {
        double sum = bias ? double((**bias)[c].f) : 0;
        for (int64_t j = 0; j < count; ++j) {
          const int64_t position = positionOf(row) - count + 1 + j;
          if (position >= 0)
            sum +=
                (**weight)[c * count + j].f * (*next)[at(row, position, c)].f;
        }
        return x[(row * 3 + 1) * channels + c].f * sum;
      }));
}

void addGptAttentionEvaluator(Registry &registry,
                              std::shared_ptr<GptContext> context) {
  registry.add<gpt::AttentionOp>([context](gpt::AttentionOp op, Frame &frame) {
    return evaluateAttention(op, frame, *context);
  });
  registry.add<gpt::ShortConvOp>([context](gpt::ShortConvOp op, Frame &frame) {
    return evaluateShortConv(op, frame, *context);
  });
}

} // namespace tilegpt::reference
