// Evaluators of the gpt ops that treat rows alone, and of the loop over layers:
// the formulas of the op's documentation, in double. Results are rounded to f32
// where they enter a tensor.
#include "GptContext.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <numbers>

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::reference {

std::string GptContext::resolve(StringRef name) const {
  std::string resolved = name.str();
  size_t at = resolved.find(gpt::layerPlaceholder);
  for (; at != std::string::npos; at = resolved.find(gpt::layerPlaceholder, at))
    resolved.replace(at, gpt::layerPlaceholder.size(), std::to_string(layer));
  return resolved;
}

Expected<TensorRef> GptContext::weight(Operation *op, Frame &frame,
                                       const Twine &name,
                                       ArrayRef<int64_t> shape) const {
  std::string resolved = resolve(name.str());
  TensorRef value = frame.interpreter().lookup(resolved);
  if (!value)
    return fail(op,
                formatv("reads weight '{0}', which is not bound", resolved));
  if (!value->isFloat() || value->shape() != shape)
    return fail(op, formatv("expected {0} for weight '{1}', found {2}",
                            describe(ElementType::F32, shape), resolved,
                            describe(value->type(), value->shape())));
  return value;
}

Expected<int64_t> GptContext::index(Operation *op, Frame &frame,
                                    StringRef name) const {
  TensorRef value = frame.interpreter().lookup(name);
  if (!value || value->isFloat() || value->size() != 1)
    return fail(op, formatv("expected '{0}' to be bound to an index", name));
  return (*value)[0].i;
}

Expected<int64_t> tokensPerSequence(Operation *op, int64_t rows,
                                    int64_t sequences) {
  if (sequences > 0 && rows % sequences == 0)
    return rows / sequences;
  return fail(op, formatv("expected the rows ({0}) to be a multiple of the "
                          "sequences ({1})",
                          rows, sequences));
}

llvm::Error defineResult(Operation *op, Frame &frame, Expected<Tensor> tensor) {
  if (!tensor)
    return tensor.takeError();
  frame.define(op->getResult(0), std::move(*tensor));
  return llvm::Error::success();
}

double rmsScale(const Tensor &x, int64_t first, int64_t count, double eps) {
  double squares = 0;
  for (int64_t j = first; j < first + count; ++j)
    squares += x[j].f * x[j].f;
  return 1 / std::sqrt(squares / double(count) + eps);
}

Expected<double> GptContext::number(Operation *op,
                                    std::optional<Attribute> value,
                                    StringRef what, double otherwise) const {
  if (!value)
    return otherwise;
  FailureOr<double> found = gpt::getNumber(op, *value, what, layer);
  if (failed(found))
    return fail(op, formatv("has a value of {0} that is not known", what));
  return *found;
}

static double gelu(double x, bool tanhForm) {
  if (!tanhForm)
    return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
  double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1 + std::tanh(inner));
}

double activate(double x, gpt::Activation activation) {
  switch (activation) {
  case gpt::Activation::None:
    return x;
  case gpt::Activation::GeluTanh:
    return gelu(x, /*tanhForm=*/true);
  case gpt::Activation::GeluErf:
    return gelu(x, /*tanhForm=*/false);
  case gpt::Activation::Silu:
    return x / (1 + std::exp(-x));
  }
  llvm_unreachable("all activations are handled above");
}

/// The columns of the rows that `op` gives, from the sizes of its model.
template <typename Op>
static Expected<int64_t> columnsOf(Op op) {
  SmallVector<Type> types;
  if (failed(op.inferResultTypes(types)))
    return fail(op, "does not fit its model");
  return cast<RankedTensorType>(types.front()).getDimSize(1);
}

/// Σ_k x[i, k]·weight[j, k].
static double dotRows(const Tensor &x, int64_t i, const Tensor &weight,
                      int64_t j) {
  int64_t depth = x.shape()[1];
  double sum = 0;
  for (int64_t k = 0; k < depth; ++k)
    sum += x[i * depth + k].f * weight[j * depth + k].f;
  return sum;
}

namespace {

/// The evaluators, with their shared context.
class GptLayers {
public:
  explicit GptLayers(std::shared_ptr<GptContext> context)
      : context(std::move(context)) {}

  /// The rows of a table that a rank holds. Rows of other ranks read as 0.
  struct Rows {
    TensorRef tensor;
    int64_t begin = 0;

    double at(int64_t row, int64_t column) const {
      if (!tensor || row < begin || row >= begin + tensor->shape()[0])
        return 0;
      return (*tensor)[(row - begin) * tensor->shape()[1] + column].f;
    }
  };

  Expected<Rows> rowsOf(Operation *op, Frame &frame,
                        const gpt::EmbedOp::Table &table, int64_t width) const {
    Expected<TensorRef> tensor =
        context->weight(op, frame, table.weight, {table.rows, width});
    if (!tensor)
      return tensor.takeError();
    if (table.begin.empty())
      return Rows{*tensor};
    Expected<int64_t> begin = context->index(op, frame, table.begin);
    if (!begin)
      return begin.takeError();
    return Rows{*tensor, *begin};
  }

  llvm::Error evaluate(gpt::EmbedOp op, Frame &frame) const {
    gpt::ModelOp model = gpt::getModel(op);
    int64_t vocab = model.getVocab(), positions = model.getContext();
    Expected<int64_t> width = columnsOf(op);
    if (!width)
      return width.takeError();
    Expected<Rows> wte = rowsOf(op, frame, op.getTokenTable(), *width);
    if (!wte)
      return wte.takeError();
    Rows wpe;
    if (op.getPositions()) {
      Expected<Rows> table = rowsOf(op, frame, op.getPositionTable(), *width);
      if (!table)
        return table.takeError();
      wpe = *table;
    }
    Expected<double> scale = context->number(op, op.getScale(), "scale", 1);
    if (!scale)
      return scale.takeError();
    const Tensor &ids = frame.tensor(op.getIds());
    const Tensor &pos = frame.tensor(op.getPos());
    Expected<int64_t> tokens = tokensPerSequence(op, ids.size(), pos.size());
    if (!tokens)
      return tokens.takeError();
    SmallVector<int64_t> places;
    for (int64_t i = 0; i < ids.size(); ++i) {
      places.push_back(pos[i / *tokens].i + i % *tokens);
      if (ids[i].i < 0 || ids[i].i >= vocab)
        return fail(op, formatv("row {0} has the id {1}, outside the "
                                "vocabulary of {2}",
                                i, ids[i].i, vocab));
      if (places[i] < 0 || places[i] >= positions)
        return fail(op, formatv("row {0} is at position {1}, outside the "
                                "context of {2}",
                                i, places[i], positions));
    }
    return defineResult(
        op, frame, makeRows(ids.size(), *width, [&](int64_t i, int64_t j) {
          return wte->at(ids[i].i, j) * *scale + wpe.at(places[i], j);
        }));
  }

  llvm::Error evaluate(gpt::LayerNormOp op, Frame &frame) const {
    const Tensor &x = frame.tensor(op.getInput());
    int64_t rows = x.shape()[0], width = x.shape()[1];
    FailureOr<bool> hasBias = op.hasBias();
    if (failed(hasBias))
      return fail(op, "has a value that is not known");
    Expected<double> offset = context->number(op, op.getOffset(), "offset", 0);
    if (!offset)
      return offset.takeError();
    TensorRef gain, bias;
    auto read = [&](TensorRef &vector, StringRef suffix) -> llvm::Error {
      Expected<TensorRef> found =
          context->weight(op, frame, *op.getWeights() + suffix, width);
      if (!found)
        return found.takeError();
      vector = *found;
      return llvm::Error::success();
    };
    if (op.getWeights())
      if (llvm::Error error = read(gain, ".weight"))
        return error;
    if (*hasBias)
      if (llvm::Error error = read(bias, ".bias"))
        return error;
    double eps = gpt::getModel(op).getEps().convertToDouble();
    std::vector<double> means(rows), scales(rows);
    for (int64_t i = 0; i < rows; ++i) {
      double sum = 0, squares = 0;
      for (int64_t j = 0; j < width; ++j)
        sum += x[i * width + j].f;
      means[i] = sum / double(width);
      for (int64_t j = 0; j < width; ++j)
        squares += std::pow(x[i * width + j].f - means[i], 2);
      scales[i] = 1 / std::sqrt(squares / double(width) + eps);
    }
    return defineResult(
        op, frame, makeRows(rows, width, [&](int64_t i, int64_t j) {
          double y = (x[i * width + j].f - means[i]) * scales[i];
          if (gain)
            y *= (*gain)[j].f + *offset;
          return bias ? y + (*bias)[j].f : y;
        }));
  }

  llvm::Error evaluate(gpt::RmsNormOp op, Frame &frame) const {
    const Tensor &x = frame.tensor(op.getInput());
    int64_t rows = x.shape()[0], width = x.shape()[1];
    std::optional<TensorRef> gain;
    if (op.getWeights()) {
      Expected<TensorRef> given =
          context->weight(op, frame, *op.getWeights() + ".weight", width);
      if (!given)
        return given.takeError();
      gain = *given;
    }
    Expected<double> offset = context->number(op, op.getOffset(), "offset", 0);
    if (!offset)
      return offset.takeError();
    Expected<double> eps = context->number(
        op, op.getEps(), "eps", gpt::getModel(op).getEps().convertToDouble());
    if (!eps)
      return eps.takeError();
    std::vector<double> scales(rows);
    for (int64_t i = 0; i < rows; ++i)
      scales[i] = rmsScale(x, i * width, width, *eps);
    return defineResult(
        op, frame, makeRows(rows, width, [&](int64_t i, int64_t j) {
          const double factor = gain ? (**gain)[j].f + *offset : 1;
          return x[i * width + j].f * scales[i] * factor;
        }));
  }

  llvm::Error evaluate(gpt::LinearOp op, Frame &frame) const {
    const Tensor &x = frame.tensor(op.getInput());
    FailureOr<int64_t> features = op.getFeatureCount();
    FailureOr<bool> hasBias = op.hasBias();
    if (failed(features) || failed(hasBias))
      return fail(op, "has a value that is not known");
    Expected<TensorRef> weight = context->weight(op, frame, op.getWeightName(),
                                                 {*features, x.shape()[1]});
    if (!weight)
      return weight.takeError();
    TensorRef bias;
    if (*hasBias) {
      Expected<TensorRef> found =
          context->weight(op, frame, op.getBiasName(), *features);
      if (!found)
        return found.takeError();
      bias = *found;
    }
    int64_t columns = op.getGated() ? *features / 2 : *features;
    const Tensor *residual =
        op.getResidual() ? &frame.tensor(op.getResidual()) : nullptr;
    if (residual &&
        residual->shape() != ArrayRef<int64_t>{x.shape()[0], columns})
      return fail(op,
                  formatv("expected a residual of {0}, found {1}",
                          describe(ElementType::F32, {x.shape()[0], columns}),
                          describe(residual->type(), residual->shape())));
    auto product = [&](int64_t i, int64_t j) {
      double sum = dotRows(x, i, **weight, j);
      return bias ? sum + (*bias)[j].f : sum;
    };
    return defineResult(
        op, frame, makeRows(x.shape()[0], columns, [&](int64_t i, int64_t j) {
          double y = activate(product(i, j), op.getActivation());
          if (op.getGated())
            y *= product(i, columns + j);
          return residual ? y + (*residual)[i * columns + j].f : y;
        }));
  }

  llvm::Error evaluate(gpt::GluOp op, Frame &frame) const {
    const Tensor &x = frame.tensor(op.getInput());
    int64_t columns = x.shape()[1] / 2;
    return defineResult(
        op, frame, makeRows(x.shape()[0], columns, [&](int64_t i, int64_t j) {
          return activate(x[i * 2 * columns + j].f, op.getActivation()) *
                 x[(i * 2 + 1) * columns + j].f;
        }));
  }

  llvm::Error evaluate(gpt::GeluOp op, Frame &frame) const {
    const Tensor &x = frame.tensor(op.getInput());
    bool tanhForm = op.getApproximate() == gpt::Approximation::Tanh;
    int64_t columns = x.shape()[1];
    return defineResult(
        op, frame, makeRows(x.shape()[0], columns, [&](int64_t i, int64_t j) {
          return gelu(x[i * columns + j].f, tanhForm);
        }));
  }

  llvm::Error evaluate(gpt::ReluOp op, Frame &frame) const {
    const Tensor &x = frame.tensor(op.getInput());
    int64_t columns = x.shape()[1];
    return defineResult(
        op, frame, makeRows(x.shape()[0], columns, [&](int64_t i, int64_t j) {
          double y = std::max(x[i * columns + j].f, 0.0);
          return op.getSquared() ? y * y : y;
        }));
  }

  llvm::Error evaluate(gpt::XieluOp op, Frame &frame) const {
    const Tensor &x = frame.tensor(op.getInput());
    SmallVector<double> numbers;
    for (StringRef name : {".alpha_p", ".alpha_n", ".beta", ".eps"}) {
      Expected<TensorRef> given =
          context->weight(op, frame, op.getWeights() + name, {1});
      if (!given)
        return given.takeError();
      numbers.push_back((**given)[0].f);
    }
    const double squares = std::log1p(std::exp(numbers[0]));
    const double beta = numbers[2], eps = numbers[3];
    const double exponentials = beta + std::log1p(std::exp(numbers[1]));
    int64_t columns = x.shape()[1];
    return defineResult(
        op, frame, makeRows(x.shape()[0], columns, [&](int64_t i, int64_t j) {
          double value = x[i * columns + j].f;
          return beta * value +
                 (value > 0 ? squares * value * value
                            : exponentials *
                                  (std::expm1(std::min(value, eps)) - value));
        }));
  }

  llvm::Error evaluate(gpt::SoftcapOp op, Frame &frame) const {
    const Tensor &x = frame.tensor(op.getInput());
    Expected<double> cap = context->number(op, op.getCap(), "cap", 0);
    if (!cap)
      return cap.takeError();
    int64_t columns = x.shape()[1];
    return defineResult(
        op, frame, makeRows(x.shape()[0], columns, [&](int64_t i, int64_t j) {
          double value = x[i * columns + j].f;
          return *cap == 0 ? value : *cap * std::tanh(value / *cap);
        }));
  }

  llvm::Error evaluate(gpt::ClampOp op, Frame &frame) const {
    const Tensor &x = frame.tensor(op.getInput());
    Expected<double> limit = context->number(op, op.getLimit(), "limit", 0);
    if (!limit)
      return limit.takeError();
    int64_t columns = x.shape()[1];
    return defineResult(
        op, frame, makeRows(x.shape()[0], columns, [&](int64_t i, int64_t j) {
          double value = x[i * columns + j].f;
          return *limit == 0 ? value : std::clamp(value, -*limit, *limit);
        }));
  }

  llvm::Error evaluate(gpt::ScaleOp op, Frame &frame) const {
    const Tensor &x = frame.tensor(op.getInput());
    Expected<double> factor = context->number(op, op.getFactor(), "factor", 1);
    if (!factor)
      return factor.takeError();
    int64_t columns = x.shape()[1];
    return defineResult(
        op, frame, makeRows(x.shape()[0], columns, [&](int64_t i, int64_t j) {
          return *factor * x[i * columns + j].f;
        }));
  }

  llvm::Error evaluate(gpt::GateOp op, Frame &frame) const {
    const Tensor &x = frame.tensor(op.getInput());
    const Tensor &logits = frame.tensor(op.getLogits());
    const int64_t columns = x.shape()[1], gates = logits.shape()[1];
    return defineResult(
        op, frame, makeRows(x.shape()[0], columns, [&](int64_t i, int64_t j) {
          const double z = logits[i * gates + (gates == 1 ? 0 : j)].f;
          return x[i * columns + j].f *
                 (op.getLinear() ? z : 1 / (1 + std::exp(-z)));
        }));
  }

  llvm::Error evaluate(gpt::SelectOp op, Frame &frame) const {
    Expected<double> value =
        context->number(op, op.getValue(), "the value to select by", 0);
    if (!value)
      return value.takeError();
    frame.define(op.getResult(),
                 frame.value(*value != 0 ? op.getLhs() : op.getRhs()));
    return llvm::Error::success();
  }

  llvm::Error evaluate(gpt::LastRowsOp op, Frame &frame) const {
    const Tensor &x = frame.tensor(op.getInput());
    int64_t sequences = frame.tensor(op.getPos()).size();
    Expected<int64_t> tokens = tokensPerSequence(op, x.shape()[0], sequences);
    if (!tokens)
      return tokens.takeError();
    int64_t columns = x.shape()[1];
    return defineResult(op, frame,
                        makeRows(sequences, columns, [&](int64_t b, int64_t j) {
                          return x[((b + 1) * *tokens - 1) * columns + j].f;
                        }));
  }

  llvm::Error evaluate(gpt::UnembedOp op, Frame &frame) const {
    const Tensor &x = frame.tensor(op.getInput());
    Expected<int64_t> vocab = columnsOf(op);
    if (!vocab)
      return vocab.takeError();
    Expected<TensorRef> weight = context->weight(
        op, frame, gpt::partName(op.getWeights() + ".weight", op.getShard()),
        {*vocab, x.shape()[1]});
    if (!weight)
      return weight.takeError();
    return defineResult(
        op, frame, makeRows(x.shape()[0], *vocab, [&](int64_t i, int64_t j) {
          return dotRows(x, i, **weight, j);
        }));
  }

  llvm::Error evaluate(gpt::LayersOp op, Frame &frame) const {
    std::vector<Value> carried;
    for (mlir::Value init : op.getInits())
      carried.push_back(frame.value(init));
    int64_t layers = gpt::getModel(op).getLayers();
    for (context->layer = 0; context->layer < layers; ++context->layer) {
      Expected<std::vector<Value>> yielded =
          frame.run(op.getBody().front(), carried);
      if (!yielded)
        return yielded.takeError();
      carried = std::move(*yielded);
    }
    for (auto [result, value] : llvm::zip_equal(op.getResults(), carried))
      frame.define(result, value);
    return llvm::Error::success();
  }

  /// Registers the evaluator of one op.
  template <typename Op>
  void add(Registry &registry) const {
    registry.add<Op>([evaluators = *this](Op op, Frame &frame) {
      return evaluators.evaluate(op, frame);
    });
  }

  /// Skips ops of models where selections take their other operand: a
  /// checkpoint need not have the weights they read.
  void skipUnread(Registry &registry) const {
    registry.evaluateIf(
        [evaluators = *this](mlir::Operation *op) -> Expected<bool> {
          return isInModel(op) ? evaluators.isRead(op) : true;
        });
  }

private:
  /// Whether `op` is one of the layers of a model, rather than of a kernel.
  static bool isInModel(mlir::Operation *op) {
    mlir::Operation *parent = op->getParentOp();
    return isa_and_present<gpt::LayersOp>(parent) ||
           (isa_and_present<mlir::func::FuncOp>(parent) &&
            isa<gpt::ModelOp>(parent->getParentOp()));
  }

  /// Whether anything but an operand that no selection takes depends on `op`.
  Expected<bool> isRead(mlir::Operation *op) const {
    if (op->use_empty() || (!mlir::isPure(op) && !gpt::ownsCache(op)))
      return true;
    for (mlir::OpOperand &use : op->getUses()) {
      if (auto select = dyn_cast<gpt::SelectOp>(use.getOwner())) {
        Expected<double> value = context->number(select, select.getValue(),
                                                 "the value to select by", 0);
        if (!value)
          return value.takeError();
        if ((*value != 0) != (&use == &select.getLhsMutable()))
          continue;
      }
      Expected<bool> isUserRead = isRead(use.getOwner());
      if (!isUserRead || *isUserRead)
        return isUserRead;
    }
    return false;
  }

  std::shared_ptr<GptContext> context;
};

} // namespace

void populateGptEvaluators(Registry &registry) {
  auto context = std::make_shared<GptContext>();
  GptLayers layers(context);
  layers.skipUnread(registry);
  layers.add<gpt::EmbedOp>(registry);
  layers.add<gpt::LayerNormOp>(registry);
  layers.add<gpt::RmsNormOp>(registry);
  layers.add<gpt::LinearOp>(registry);
  layers.add<gpt::GluOp>(registry);
  layers.add<gpt::GeluOp>(registry);
  layers.add<gpt::ReluOp>(registry);
  layers.add<gpt::XieluOp>(registry);
  layers.add<gpt::SoftcapOp>(registry);
  layers.add<gpt::ClampOp>(registry);
  layers.add<gpt::ScaleOp>(registry);
  layers.add<gpt::GateOp>(registry);
  layers.add<gpt::SelectOp>(registry);
  layers.add<gpt::LastRowsOp>(registry);
  layers.add<gpt::UnembedOp>(registry);
  layers.add<gpt::LayersOp>(registry);
  addGptPositionEvaluators(registry, context);
  addGptHeadEvaluators(registry, context);
  addGptAttentionEvaluator(registry, context);
  addGptExpertEvaluators(registry, context);
  addGptRankEvaluators(registry);
  addGptSampleEvaluator(registry);
}

} // namespace tilegpt::reference
