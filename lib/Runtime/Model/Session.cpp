// Steps of a session: selection of the plan for a number of rows, buffer
// addresses, and checks before a step.
#include "TileGPT/Runtime/Model/Session.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::Plan;
using bundle::PlanKind;

/// The smallest plan of this kind for `rows` rows; null if there is none. For a
/// single row all plans that compute logits are equivalent up to rounding of
/// the logits.
const Plan *Session::findPlan(PlanKind kind, int64_t rows,
                              int64_t sequences) const {
  const Plan *best = nullptr;
  const auto better = [&](const Plan &plan) {
    if (!best || (plan.kind == kind) != (best->kind == kind))
      return !best || plan.kind == kind;
    return plan.maxRows < best->maxRows;
  };
  for (const Plan &plan : bundle->plans())
    if (plan.kind != PlanKind::Sample && plan.minRows <= rows &&
        rows <= plan.maxRows && sequences <= plan.maxSequences &&
        (plan.kind == kind || rows == 1) && better(plan))
      best = &plan;
  return best;
}

/// The smallest plan that samples tokens for `rows` sequences; null if there is
/// none.
const Plan *Session::findSamplePlan(int64_t rows) const {
  const Plan *best = nullptr;
  for (const Plan &plan : bundle->plans())
    if (plan.kind == PlanKind::Sample && plan.minRows <= rows &&
        rows <= plan.maxRows && (!best || plan.maxRows < best->maxRows))
      best = &plan;
  return best;
}

/// How many of `rows` rows one step of this kind processes; at least 1.
int64_t Session::largestStep(PlanKind kind, int64_t rows) const {
  int64_t largest = 1;
  for (const Plan &plan : bundle->plans())
    if (plan.kind == kind && plan.minRows <= rows)
      largest = std::max(largest, std::min(plan.maxRows, rows));
  return largest;
}

Result<void> Session::checkAppend(int64_t sequence,
                                  std::span<const int32_t> newIds) const {
  if (sequence < 0 || sequence >= sequences())
    return makeError(ErrorCode::OutOfRange,
                     "session: expected a sequence in [0, ", sequences(),
                     "), got ", sequence);
  if (newIds.empty())
    return makeError(ErrorCode::BadInput,
                     "session: expected at least one token; start an empty "
                     "prompt with the model's "
                     "first token");
  for (size_t i = 0; i < newIds.size(); ++i)
    if (newIds[i] < 0 || newIds[i] >= vocabulary())
      return makeError(ErrorCode::BadInput, "session: token ", i, " has id ",
                       newIds[i], ", outside of the vocabulary of ",
                       vocabulary());
  if (int64_t(newIds.size()) > capacity() - length(sequence))
    return makeError(ErrorCode::OutOfRange, "session: ", newIds.size(),
                     " tokens do not fit: the cache holds ", capacity(),
                     " a sequence, ", length(sequence), " are taken");
  return {};
}

/// Sets the positions of a step that runs after `ahead` others.
void Session::place(const Step &step, int64_t ahead) {
  const auto positions = engine->positions();
  for (int64_t b = 0; b < step.sequences; ++b)
    positions[size_t(b)] = int32_t(length(step.firstSequence + b) + ahead);
}

/// Runs one step, whose ids are already set.
Result<std::span<const float>> Session::run(const Step &step) {
  place(step);
  return engine->run(step);
}

/// \returns the logits of the last step.
Result<std::span<const float>> Session::append(PlanKind kind, int64_t sequence,
                                               std::span<const int32_t> newIds,
                                               const ScoreSink *sink) {
  if (auto checked = checkAppend(sequence, newIds); !checked)
    return tl::unexpected(checked.error());
  int64_t &end = lengths[size_t(sequence)];
  const int64_t before = end;
  const int64_t total = int64_t(newIds.size());
  Result<std::span<const float>> logits;
  for (int64_t done = 0, rows = 0; done < total; done += rows) {
    rows = largestStep(kind, total - done);
    std::ranges::copy(newIds.subspan(size_t(done), size_t(rows)),
                      engine->ids().begin());
    logits = run({findPlan(kind, rows), rows, 1, sequence});
    if (logits && sink)
      if (auto accepted = (*sink)(done, *logits); !accepted)
        logits = tl::unexpected(accepted.error());
    if (!logits) {
      end = before;
      return logits;
    }
    end += rows;
  }
  return logits;
}

Result<std::span<const float>>
Session::prefill(int64_t sequence, std::span<const int32_t> newIds) {
  return append(PlanKind::Prefill, sequence, newIds, nullptr);
}

Result<void> Session::score(int64_t sequence, std::span<const int32_t> newIds,
                            const ScoreSink &sink) {
  if (auto scored = append(PlanKind::Score, sequence, newIds, &sink); !scored)
    return tl::unexpected(scored.error());
  return {};
}

/// Checks that one token can be appended to each of these sequences.
Result<void> Session::checkTokens(std::span<const SequenceToken> tokens) const {
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (auto checked = checkAppend(tokens[i].sequence, {&tokens[i].id, 1});
        !checked)
      return tl::unexpected(checked.error());
    if (i > 0 && tokens[i].sequence <= tokens[i - 1].sequence)
      return makeError(
          ErrorCode::Usage,
          "session: expected tokens ordered by sequence, got sequence ",
          tokens[i].sequence, " after ", tokens[i - 1].sequence);
  }
  return {};
}

Result<std::span<const float>>
Session::decode(std::span<const SequenceToken> tokens) {
  if (auto checked = checkTokens(tokens); !checked)
    return tl::unexpected(checked.error());

  const int64_t total = int64_t(tokens.size());
  std::span<const float> all;
  for (int64_t done = 0, rows = 0; done < total; done += rows) {
    const int64_t first = tokens[size_t(done)].sequence;
    int64_t neighbours = 1;
    while (done + neighbours < total &&
           tokens[size_t(done + neighbours)].sequence == first + neighbours)
      ++neighbours;
    rows = largestStep(PlanKind::Decode, neighbours);
    for (int64_t b = 0; b < rows; ++b)
      engine->ids()[size_t(b)] = tokens[size_t(done + b)].id;
    const auto logits =
        run({findPlan(PlanKind::Decode, rows, rows), rows, rows, first});
    if (!logits)
      return logits;
    all = *logits;
    if (rows == total)
      break;
    // The next step overwrites these.
    gathered.resize(size_t(total * vocabulary()));
    std::ranges::copy(*logits, gathered.begin() + done * vocabulary());
    all = gathered;
  }
  for (const SequenceToken &token : tokens)
    ++lengths[size_t(token.sequence)];
  return all;
}

bool Session::choosesAfter(std::span<const SequenceToken> tokens) const {
  const int64_t rows = int64_t(tokens.size());
  return rows > 0 &&
         tokens.back().sequence - tokens.front().sequence == rows - 1 &&
         findSamplePlan(rows);
}

Result<void> Session::startStep(std::span<const SequenceToken> tokens,
                                std::span<const DrawValues> draws) {
  if (auto checked = checkTokens(tokens); !checked)
    return checked;
  const int64_t rows = int64_t(tokens.size());
  choosing = {findSamplePlan(rows), rows, rows, tokens.front().sequence};
  for (size_t b = 0; b < tokens.size(); ++b)
    engine->ids()[b] = tokens[b].id;
  return start(/*follows=*/false, draws);
}

Result<void> Session::startNextStep(std::span<const DrawValues> draws) {
  for (int64_t b = 0; b < choosing.sequences; ++b)
    if (length(choosing.firstSequence + b) + unfinished >= capacity())
      return makeError(ErrorCode::OutOfRange,
                       "session: 1 tokens do not fit: the cache holds ",
                       capacity(), " a sequence, ",
                       length(choosing.firstSequence + b) + unfinished,
                       " are taken");
  return start(/*follows=*/true, draws);
}

Result<void> Session::start(bool follows, std::span<const DrawValues> draws) {
  place(choosing, unfinished);
  auto place = engine->draws().begin();
  for (const DrawValues &draw : draws)
    place = std::ranges::copy(draw, place).out;
  auto started = engine->start(choosing, follows);
  unfinished = started ? unfinished + 1 : 0;
  return started;
}

Result<std::span<const int32_t>> Session::finishStep() {
  const auto tokens = engine->finish();
  unfinished = tokens ? unfinished - 1 : 0;
  if (tokens)
    for (int64_t b = 0; b < choosing.sequences; ++b)
      ++lengths[size_t(choosing.firstSequence + b)];
  return tokens;
}

void Session::truncate(int64_t sequence, int64_t length) {
  int64_t &current = lengths[size_t(sequence)];
  current = std::clamp<int64_t>(length, 0, current);
}
