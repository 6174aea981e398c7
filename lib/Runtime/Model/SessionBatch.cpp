// Batches: several sequences of the same length in one step.
#include "TileGPT/Runtime/Model/Session.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::PlanKind;

static std::string_view name(PlanKind kind) {
  switch (kind) {
  case PlanKind::Decode:
    return "decode";
  case PlanKind::Prefill:
    return "prefill";
  case PlanKind::Score:
    return "score";
  case PlanKind::Sample:
    return "sample";
  }
  return "unknown";
}

/// The step of a batch, to which tokens can be appended.
Result<Step> Session::makeStep(const Batch &batch) const {
  const int64_t rows = int64_t(batch.ids.size());
  if (batch.sequences < 1 || rows % batch.sequences != 0 ||
      (batch.kind == PlanKind::Decode && rows != batch.sequences))
    return makeError(
        ErrorCode::Usage, "session: expected ",
        batch.kind == PlanKind::Decode ? "one token" : "as many tokens",
        " for each of ", batch.sequences, " sequences, got ", rows, " tokens");
  for (int64_t b = 0; b < batch.sequences; ++b)
    if (auto checked =
            checkAppend(b, batch.ids.subspan(size_t(b * batch.tokens()),
                                             size_t(batch.tokens())));
        !checked)
      return tl::unexpected(checked.error());
  const bundle::Plan *plan = findPlan(batch.kind, rows, batch.sequences);
  if (!plan)
    return makeError(ErrorCode::Usage, "session: no ", name(batch.kind),
                     " plan takes ", rows, " rows of ", batch.sequences,
                     " sequences; compile the model for larger batches");
  return Step{plan, rows, batch.sequences, 0};
}

Result<std::span<const float>> Session::append(const Batch &batch) {
  const auto step = makeStep(batch);
  if (!step)
    return tl::unexpected(step.error());
  std::ranges::copy(batch.ids, engine->ids().begin());
  const auto logits = run(*step);
  if (logits)
    for (int64_t b = 0; b < batch.sequences; ++b)
      lengths[size_t(b)] += batch.tokens();
  return logits;
}

Result<std::vector<StepTime>> Session::measure(const Batch &batch,
                                               unsigned times) {
  const auto step = makeStep(batch);
  if (!step)
    return tl::unexpected(step.error());
  std::ranges::copy(batch.ids, engine->ids().begin());
  place(*step);
  return engine->measure(*step, times);
}
