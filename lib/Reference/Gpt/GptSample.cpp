// Evaluator of gpt.sample: the candidates in order, cut off and drawn from, in
// double.
#include "GptContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;

namespace tilegpt::reference {

namespace {

/// A row of `how`.
struct Draw {
  double temperature, k, p, logMinP, u;
};

struct Candidate {
  double logit;
  int64_t id;
};

} // namespace

/// The number of candidates up to which their weights exp(logit·sharpness) sum
/// up to `part` of the total, or to more than it.
static size_t reach(ArrayRef<Candidate> candidates, double sharpness,
                    double part, bool exceed) {
  double best = candidates.front().logit, total = 0, sum = 0;
  auto weight = [&](const Candidate &candidate) {
    return std::exp((candidate.logit - best) * sharpness);
  };
  for (const Candidate &candidate : candidates)
    total += weight(candidate);
  for (auto [place, candidate] : llvm::enumerate(candidates)) {
    sum += weight(candidate);
    if (exceed ? sum > part * total : sum >= part * total)
      return place + 1;
  }
  return candidates.size();
}

static int64_t drawFrom(std::vector<Candidate> candidates, const Draw &draw) {
  llvm::sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
  });
  double best = candidates.front().logit;
  if (draw.temperature == 0)
    return candidates.front().id;
  if (draw.k > 0 && draw.k < double(candidates.size()))
    candidates.resize(size_t(draw.k));
  if (draw.p < 1)
    candidates.resize(reach(candidates, 1, draw.p, /*exceed=*/false));
  llvm::erase_if(candidates, [&](const Candidate &candidate) {
    return candidate.logit < best + draw.logMinP;
  });
  size_t end = reach(candidates, 1 / draw.temperature, draw.u, /*exceed=*/true);
  return candidates[end - 1].id;
}

static llvm::Error evaluateSample(gpt::SampleOp op, Frame &frame) {
  const Tensor &logits = frame.tensor(op.getLogits());
  const Tensor &how = frame.tensor(op.getHow());
  int64_t rows = logits.shape()[0], vocab = logits.shape()[1];
  if (how.shape() != ArrayRef<int64_t>{rows, gpt::sampleValues})
    return fail(
        op, llvm::formatv("expected {0} for how, found {1}",
                          describe(ElementType::F32, {rows, gpt::sampleValues}),
                          describe(how.type(), how.shape())));
  llvm::Expected<Tensor> next = Tensor::zeros(ElementType::I32, {rows});
  if (!next)
    return fail(op, llvm::toString(next.takeError()));
  for (int64_t row = 0; row < rows; ++row) {
    std::vector<Candidate> candidates;
    for (int64_t id = 0; id < vocab; ++id) {
      double logit = logits[row * vocab + id].f;
      if (!(logit < std::numeric_limits<double>::infinity()))
        return fail(op, llvm::formatv("row {0} has the logit {1} for token {2}",
                                      row, logit, id));
      if (std::isfinite(logit))
        candidates.push_back({logit, id});
    }
    if (candidates.empty())
      return fail(op, llvm::formatv("row {0} has no finite logit", row));
    auto value = [&](int64_t column) {
      return how[row * gpt::sampleValues + column].f;
    };
    Draw draw = {value(0), value(1), value(2), value(3), value(4)};
    (*next)[row] = Element::of(drawFrom(std::move(candidates), draw));
  }
  frame.define(op.getResult(), std::move(*next));
  return llvm::Error::success();
}

void addGptSampleEvaluator(Registry &registry) {
  registry.add<gpt::SampleOp>(evaluateSample);
}

} // namespace tilegpt::reference
