// The generation loop. Finished requests leave the batch; the others continue.
#include "TileGPT/Runtime/Model/Generator.h"
#include <algorithm>
#include <limits>

using namespace tilegpt;
using namespace tilegpt::runtime;

namespace {

class Loop {
public:
  Loop(Session &session, std::span<const GenerationRequest> requests,
       const TokenCallback &onToken, GenerationTimes &times)
      : session(session), requests(requests), onToken(onToken), times(times),
        generations(requests.size()) {}

  Result<std::vector<Generation>> run() {
    for (size_t i = 0; i < requests.size(); ++i)
      if (auto done = prefill(i); !done)
        return tl::unexpected(done.error());
    while (!active.empty())
      if (auto done = engineChooses() ? decodeAhead() : decode(); !done)
        return tl::unexpected(done.error());
    return std::move(generations);
  }

private:
  /// Adds the time since its construction to a sum, also on error returns.
  struct Timer {
    explicit Timer(GenerationTimes::Duration &sum) : sum(sum) {}
    ~Timer() { sum += std::chrono::steady_clock::now() - begin; }
    GenerationTimes::Duration &sum;
    std::chrono::steady_clock::time_point begin =
        std::chrono::steady_clock::now();
  };

  Result<void> prefill(size_t index) {
    const GenerationRequest &request = requests[index];
    const Timer timer(times.prefill);
    const auto logits = session.prefill(int64_t(index), request.prompt);
    if (!logits)
      return tl::unexpected(logits.error());
    times.prefillTokens += int64_t(request.prompt.size());
    for (const int32_t token : request.prompt)
      request.sampler->accept(token);
    if (request.maxTokens != 0)
      return next(index, *logits);
    return {};
  }

  Result<void> decode() {
    const Timer timer(times.decode);
    const auto logits = session.decode(active);
    if (!logits)
      return tl::unexpected(logits.error());
    times.decodeTokens += int64_t(active.size());
    ++times.decodeSteps;
    batch.swap(active);
    active.clear();
    const size_t vocabulary = size_t(session.vocabulary());
    for (size_t row = 0; row < batch.size(); ++row)
      if (auto done = next(size_t(batch[row].sequence),
                           logits->subspan(row * vocabulary, vocabulary));
          !done)
        return done;
    return {};
  }

  /// Whether the engine can sample the next tokens on the device.
  bool engineChooses() const {
    return session.choosesAfter(active) &&
           std::ranges::all_of(active, [&](const SequenceToken &token) {
             return !requests[size_t(token.sequence)].sampler->changesLogits();
           });
  }

  /// Decodes without copying logits until a request finishes. The engine passes
  /// tokens from step to step, so steps are started before the tokens are
  /// known; those after the end of a request are discarded.
  Result<void> decodeAhead() {
    const Timer timer(times.decode);
    batch.swap(active);
    active.clear();
    ends.assign(batch.size(), goesOnStill);
    int64_t useful = std::numeric_limits<int64_t>::max();
    for (const SequenceToken &token : batch)
      useful = std::min(useful, stepsLeft(size_t(token.sequence)));
    int64_t started = 0, finished = 0;
    while (started < useful || finished < started) {
      if (started < useful &&
          started - finished < int64_t(Session::mostStarted)) {
        if (auto done = startStep(started++ == 0); !done)
          return done;
        continue;
      }
      const auto tokens = session.finishStep();
      if (!tokens)
        return tl::unexpected(tokens.error());
      ++finished;
      if (!take(*tokens))
        useful = started;
    }
    for (size_t row = 0; row < batch.size(); ++row)
      if (ends[row] == goesOnStill)
        active.push_back(batch[row]);
      else
        session.truncate(batch[row].sequence, ends[row]);
    return {};
  }

  Result<void> startStep(bool isFirst) {
    draws.clear();
    for (const SequenceToken &token : batch)
      draws.push_back(
          requests[size_t(token.sequence)].sampler->drawElsewhere());
    return isFirst ? session.startStep(batch, draws)
                   : session.startNextStep(draws);
  }

  /// Consumes the tokens of a step.
  /// \returns whether all requests of the batch go on.
  bool take(std::span<const int32_t> tokens) {
    ++times.decodeSteps;
    for (size_t row = 0; row < batch.size(); ++row) {
      if (ends[row] != goesOnStill)
        continue;
      ++times.decodeTokens;
      batch[row].id = tokens[row];
      if (!goesOn(size_t(batch[row].sequence), tokens[row]))
        ends[row] = session.length(batch[row].sequence);
    }
    return std::ranges::all_of(ends,
                               [](int64_t end) { return end == goesOnStill; });
  }

  /// The number of tokens that may still be appended to the sequence of a
  /// request.
  int64_t stepsLeft(size_t index) const {
    const int64_t room = session.capacity() - session.length(int64_t(index));
    const int64_t most = requests[index].maxTokens;
    return most < 0
               ? room
               : std::min(room,
                          most - int64_t(generations[index].tokens.size()));
  }

  /// Samples one token of a request, which stays active unless a stop condition
  /// holds.
  Result<void> next(size_t index, std::span<const float> logits) {
    const auto token = requests[index].sampler->sample(logits);
    if (!token)
      return tl::unexpected(token.error());
    if (goesOn(index, *token))
      active.push_back({int64_t(index), *token});
    return {};
  }

  /// Consumes the token sampled for a request.
  /// \returns whether another follows.
  bool goesOn(size_t index, int32_t token) {
    const GenerationRequest &request = requests[index];
    Generation &generation = generations[index];
    if (std::ranges::find(request.endOfText, token) !=
        request.endOfText.end()) {
      generation.reason = StopReason::EndOfText;
      return false;
    }
    request.sampler->accept(token);
    generation.tokens.push_back(token);
    if (onToken && !onToken(index, token)) {
      generation.reason = StopReason::Stopped;
      return false;
    }
    return stepsLeft(index) > 0;
  }

  Session &session;
  std::span<const GenerationRequest> requests;
  const TokenCallback &onToken;
  GenerationTimes &times;
  std::vector<Generation> generations;
  std::vector<SequenceToken>
      active; // the next token of every request that goes on, ordered
  std::vector<SequenceToken> batch;

  // For sampling by the engine: the parameters, and for each row of the batch
  // the length of the sequence at the end of its request.
  static constexpr int64_t goesOnStill = -1;
  std::vector<DrawValues> draws;
  std::vector<int64_t> ends;
};

} // namespace

Result<std::vector<Generation>>
runtime::generate(Session &session, std::span<const GenerationRequest> requests,
                  const TokenCallback &onToken, GenerationTimes *times) {
  if (int64_t(requests.size()) > session.sequences())
    return makeError(ErrorCode::Usage, "generate: expected at most ",
                     session.sequences(), " requests, got ", requests.size());
  GenerationTimes own;
  GenerationTimes &filled = times ? *times : own;
  filled = {};
  return Loop(session, requests, onToken, filled).run();
}
