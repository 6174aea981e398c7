// Evaluators of gpt.route and gpt.experts: the formulas of their documentation,
// in double.
#include "GptContext.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::reference {

/// The groups of `groups.first` whose experts are candidates, `groups.second`
/// of them: those with the greatest ranks, or sums of the two greatest.
static std::vector<int64_t>
bestGroups(int64_t experts, std::pair<int64_t, int64_t> groups, bool sumsTwo,
           llvm::function_ref<double(int64_t)> rank) {
  const int64_t size = experts / groups.first;
  std::vector<double> scores;
  for (int64_t g = 0; g < groups.first; ++g) {
    std::vector<double> ranks;
    for (int64_t e = 0; e < size; ++e)
      ranks.push_back(rank(g * size + e));
    llvm::sort(ranks, std::greater<>());
    scores.push_back(ranks[0] + (sumsTwo ? ranks[1] : 0));
  }
  std::vector<int64_t> best(groups.first);
  std::iota(best.begin(), best.end(), 0);
  llvm::sort(best, [&](int64_t a, int64_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  best.resize(groups.second);
  return best;
}

/// The experts of groups of `size`.
static std::vector<int64_t> membersOf(const std::vector<int64_t> &groups,
                                      int64_t size) {
  std::vector<int64_t> members;
  for (int64_t group : groups)
    for (int64_t e = 0; e < size; ++e)
      members.push_back(group * size + e);
  return members;
}

/// The share of the first of these logits, the largest, among those that are
/// not far from it.
static double shareWithin(double margin, llvm::ArrayRef<double> logits) {
  double largest = logits.front(), all = 0;
  for (double logit : logits)
    if (largest - logit <= margin * std::max(std::abs(logit), largest))
      all += std::exp(logit - largest);
  return 1 / all;
}

static llvm::Error evaluateRoute(gpt::RouteOp op, Frame &frame,
                                 const GptContext &context) {
  const Tensor &logits = frame.tensor(op.getLogits());
  int64_t rows = logits.shape()[0], experts = logits.shape()[1];
  Expected<double> top = context.number(op, op.getTop(), "top", 1);
  if (!top)
    return top.takeError();
  Expected<double> margin = context.number(op, op.getMargin(), "margin", 0);
  if (!margin)
    return margin.takeError();
  Expected<double> normalize =
      context.number(op, op.getNormalize(), "normalize", 0);
  if (!normalize)
    return normalize.takeError();
  Expected<double> scale = context.number(op, op.getScale(), "scale", 1);
  if (!scale)
    return scale.takeError();
  FailureOr<std::pair<int64_t, int64_t>> groups =
      op.getGroupCounts(context.layer);
  if (failed(groups))
    return fail(op, "has a value that is not known");
  std::optional<TensorRef> bias;
  if (op.getBias()) {
    Expected<TensorRef> given =
        context.weight(op, frame, *op.getBias(), experts);
    if (!given)
      return given.takeError();
    bias = *given;
  }
  auto chosen = int64_t(*top);
  if (chosen < 1 || chosen > experts)
    return fail(op, formatv("chooses {0} of {1} experts", chosen, experts));
  Expected<Tensor> ids = Tensor::zeros(ElementType::I32, {rows, chosen});
  Expected<Tensor> shares = Tensor::zeros(ElementType::F32, {rows, chosen});
  if (!ids || !shares)
    return llvm::joinErrors(ids.takeError(), shares.takeError());
  for (int64_t row = 0; row < rows; ++row) {
    auto logit = [&](int64_t e) { return logits[row * experts + e].f; };
    double largest = logit(0), all = 0;
    for (int64_t e = 0; e < experts; ++e)
      largest = std::max(largest, logit(e));
    for (int64_t e = 0; e < experts; ++e)
      all += std::exp(logit(e) - largest);
    auto score = [&](int64_t e) {
      return op.getSigmoid() ? 1 / (1 + std::exp(-logit(e)))
                             : std::exp(logit(e) - largest) / all;
    };
    // Without a bias logits have the order of scores, but no ties by rounding.
    auto rank = [&](int64_t e) {
      return bias ? score(e) + (**bias)[e].f : logit(e);
    };
    std::vector<int64_t> order(experts);
    std::iota(order.begin(), order.end(), 0);
    if (groups->first != groups->second)
      order = membersOf(bestGroups(experts, *groups, bias.has_value(), rank),
                        experts / groups->first);
    llvm::sort(order, [&](int64_t a, int64_t b) {
      return rank(a) != rank(b) ? rank(a) > rank(b) : a < b;
    });
    if (op.getMargin()) {
      for (int64_t j = 0; j < chosen; ++j) {
        ids->store(row * chosen + j, Element::of(order[j]));
        shares->store(
            row * chosen + j,
            Element::of(shareWithin(
                *margin, llvm::map_to_vector(
                             llvm::ArrayRef(order).drop_front(j), logit))));
      }
      continue;
    }
    double sum = *normalize == 1 ? 0 : 1;
    for (int64_t j = 0; j < chosen && *normalize == 1; ++j)
      sum += score(order[j]);
    for (int64_t j = 0; j < chosen; ++j) {
      ids->store(row * chosen + j, Element::of(order[j]));
      shares->store(row * chosen + j,
                    Element::of(*scale * score(order[j]) / sum));
    }
  }
  frame.define(op.getIds(), std::move(*ids));
  frame.define(op.getShares(), std::move(*shares));
  return llvm::Error::success();
}

static llvm::Error evaluateExperts(gpt::ExpertsOp op, Frame &frame,
                                   const GptContext &context) {
  const Tensor &x = frame.tensor(op.getInput());
  const Tensor &ids = frame.tensor(op.getIds());
  const Tensor &shares = frame.tensor(op.getShares());
  int64_t rows = x.shape()[0], width = x.shape()[1], top = ids.shape()[1];
  FailureOr<int64_t> experts = op.getExpertCount();
  FailureOr<int64_t> inner = op.getInnerCount();
  if (failed(experts) || failed(inner))
    return fail(op, "has a value that is not known");
  Expected<TensorRef> units = context.weight(
      op, frame, op.getJoinedUnits(*experts), {*experts * 2 * *inner, width});
  if (!units)
    return units.takeError();
  Expected<TensorRef> down = context.weight(
      op, frame, op.getJoinedDown(*experts), {*experts * width, *inner});
  if (!down)
    return down.takeError();
  std::optional<TensorRef> unitsBias, downBias;
  double limit = 0, slope = 1;
  if (op.getLimit()) {
    Expected<TensorRef> first = context.weight(
        op, frame, op.getUnitsBiasName(*experts), *experts * 2 * *inner);
    if (!first)
      return first.takeError();
    Expected<TensorRef> second =
        context.weight(op, frame, op.getDownBiasName(), {*experts, width});
    if (!second)
      return second.takeError();
    Expected<double> bound = context.number(op, op.getLimit(), "limit", 0);
    if (!bound)
      return bound.takeError();
    Expected<double> turn = context.number(op, op.getSlope(), "slope", 1);
    if (!turn)
      return turn.takeError();
    unitsBias = *first;
    downBias = *second;
    limit = *bound;
    slope = *turn;
  }
  std::vector<double> sums(rows * width);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t j = 0; j < top; ++j) {
      int64_t expert = ids[row * top + j].i;
      if (expert < 0 || expert >= *experts)
        return fail(op, formatv("row {0} has the expert {1} of {2}", row,
                                expert, *experts));
      auto product = [&](int64_t unit) {
        double sum = 0;
        for (int64_t k = 0; k < width; ++k)
          sum += x[row * width + k].f * (**units)[unit * width + k].f;
        return sum;
      };
      std::vector<double> hidden(*inner);
      for (int64_t f = 0; f < *inner; ++f) {
        int64_t gate = expert * 2 * *inner + f;
        if (!unitsBias) {
          hidden[f] = activate(product(gate), op.getActivation()) *
                      product(gate + *inner);
          continue;
        }
        auto biased = [&](int64_t unit) {
          return product(unit) + (**unitsBias)[unit].f;
        };
        double g = std::min(biased(gate), limit);
        double u = std::clamp(biased(gate + *inner), -limit, limit);
        hidden[f] = g / (1 + std::exp(-slope * g)) * (u + 1);
      }
      for (int64_t c = 0; c < width && downBias; ++c)
        sums[row * width + c] +=
            shares[row * top + j].f * (**downBias)[expert * width + c].f;
      for (int64_t c = 0; c < width; ++c)
        for (int64_t f = 0; f < *inner; ++f)
          sums[row * width + c] +=
              shares[row * top + j].f * hidden[f] *
              (**down)[(expert * width + c) * *inner + f].f;
    }
  return defineResult(op, frame,
                      makeRows(rows, width, [&](int64_t i, int64_t j) {
                        return sums[i * width + j];
                      }));
}

void addGptExpertEvaluators(Registry &registry,
                            std::shared_ptr<GptContext> context) {
  registry.add<gpt::RouteOp>([context](gpt::RouteOp op, Frame &frame) {
    return evaluateRoute(op, frame, *context);
  });
  registry.add<gpt::ExpertsOp>([context](gpt::ExpertsOp op, Frame &frame) {
    return evaluateExperts(op, frame, *context);
  });
}

} // namespace tilegpt::reference
