// Steps of a session: which plan runs for how many rows, where its buffers are,
// and what must hold before it runs.
#include "TileGPT/Runtime/Model/Session.h"
#include <algorithm>
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::Plan;
using bundle::PlanKind;

/// The smallest plan of this kind for `rows` rows; null if there is none. Of a
/// single row every kind of plan gives the same logits, so any will do.
const Plan *Session::findPlan(PlanKind kind, int64_t rows) const {
  const Plan *best = nullptr;
  const auto better = [&](const Plan &plan) {
    if (!best || (plan.kind == kind) != (best->kind == kind))
      return !best || plan.kind == kind;
    return plan.maxRows < best->maxRows;
  };
  for (const Plan &plan : bundle->plans())
    if (plan.minRows <= rows && rows <= plan.maxRows &&
        (plan.kind == kind || rows == 1) && better(plan))
      best = &plan;
  return best;
}

/// How many of `rows` rows one step of this kind takes; at least 1.
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

/// Runs one step; its ids are already in place.
Result<void> Session::run(const Plan &plan, int64_t rows, int64_t firstSequence,
                          int64_t count, std::byte *out) {
  for (const State &state : states)
    addresses[state.buffer] = state.data + firstSequence * state.sliceBytes;
  for (uint32_t i = 0; i < plan.buffers.count; ++i)
    if (const uint32_t buffer = plan.buffers.first + i;
        bundle->buffers()[buffer].kind == bundle::BufferKind::Output)
      addresses[buffer] = out;
  int32_t *const pos = reinterpret_cast<int32_t *>(positions.data());
  for (int64_t b = 0; b < count; ++b)
    pos[b] = int32_t(length(firstSequence + b));
  return executor.run(plan, rows, count, addresses);
}

Result<void> Session::append(PlanKind kind, int64_t sequence,
                             std::span<const int32_t> newIds,
                             const ScoreSink *sink) {
  if (auto checked = checkAppend(sequence, newIds); !checked)
    return checked;
  int64_t &end = lengths[size_t(sequence)];
  const int64_t before = end;
  const int64_t total = int64_t(newIds.size());
  for (int64_t done = 0, rows = 0; done < total; done += rows) {
    rows = largestStep(kind, total - done);
    const Plan *plan = findPlan(kind, rows);
    std::memcpy(ids.data(), newIds.data() + done,
                size_t(rows) * sizeof(int32_t));
    auto ran = run(*plan, rows, sequence, 1, logits.data());
    if (ran && sink)
      ran = (*sink)(done, logitRows(rows));
    if (!ran) {
      end = before;
      return ran;
    }
    end += rows;
  }
  return {};
}

Result<std::span<const float>>
Session::prefill(int64_t sequence, std::span<const int32_t> newIds) {
  if (auto done = append(PlanKind::Prefill, sequence, newIds, nullptr); !done)
    return tl::unexpected(done.error());
  return logitRows(1);
}

Result<void> Session::score(int64_t sequence, std::span<const int32_t> newIds,
                            const ScoreSink &sink) {
  return append(PlanKind::Score, sequence, newIds, &sink);
}

Result<std::span<const float>>
Session::decode(std::span<const SequenceToken> tokens) {
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

  const int64_t rowBytes = vocabulary() * int64_t(sizeof(float));
  const int64_t total = int64_t(tokens.size());
  for (int64_t done = 0, rows = 0; done < total; done += rows) {
    const int64_t first = tokens[size_t(done)].sequence;
    int64_t neighbours = 1;
    while (done + neighbours < total &&
           tokens[size_t(done + neighbours)].sequence == first + neighbours)
      ++neighbours;
    rows = largestStep(PlanKind::Decode, neighbours);
    int32_t *const next = reinterpret_cast<int32_t *>(ids.data());
    for (int64_t b = 0; b < rows; ++b)
      next[b] = tokens[size_t(done + b)].id;
    // Kernels want aligned rows; callers want them without gaps.
    std::byte *const wanted = logits.data() + done * rowBytes;
    const int64_t alignment = int64_t(bundle::bufferAlignment);
    std::byte *const aligned =
        logits.data() +
        (done * rowBytes + alignment - 1) / alignment * alignment;
    if (auto ran =
            run(*findPlan(PlanKind::Decode, rows), rows, first, rows, aligned);
        !ran)
      return tl::unexpected(ran.error());
    if (aligned != wanted)
      std::memmove(wanted, aligned, size_t(rows * rowBytes));
  }
  for (const SequenceToken &token : tokens)
    ++lengths[size_t(token.sequence)];
  return logitRows(total);
}

void Session::truncate(int64_t sequence, int64_t length) {
  int64_t &current = lengths[size_t(sequence)];
  current = std::clamp<int64_t>(length, 0, current);
}
