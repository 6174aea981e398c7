// The generation loop. Requests that are done drop out of the batch; the others
// go on without them.
#include "TileGPT/Runtime/Model/Generator.h"

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
      if (auto done = decode(); !done)
        return tl::unexpected(done.error());
    return std::move(generations);
  }

private:
  /// Adds the time since its construction to a sum, also on the way out of an
  /// error.
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

  /// Samples one token of a request; it stays active unless something ends it.
  Result<void> next(size_t index, std::span<const float> logits) {
    const GenerationRequest &request = requests[index];
    Generation &generation = generations[index];
    const auto token = request.sampler->sample(logits);
    if (!token)
      return tl::unexpected(token.error());
    if (*token == request.endOfText) {
      generation.reason = StopReason::EndOfText;
      return {};
    }
    request.sampler->accept(*token);
    generation.tokens.push_back(*token);
    if (onToken && !onToken(index, *token)) {
      generation.reason = StopReason::Stopped;
      return {};
    }
    const bool enough = request.maxTokens >= 0 &&
                        int64_t(generation.tokens.size()) >= request.maxTokens;
    if (!enough && session.length(int64_t(index)) < session.capacity())
      active.push_back({int64_t(index), *token});
    return {};
  }

  Session &session;
  std::span<const GenerationRequest> requests;
  const TokenCallback &onToken;
  GenerationTimes &times;
  std::vector<Generation> generations;
  std::vector<SequenceToken>
      active; // the next token of every request that goes on, ordered
  std::vector<SequenceToken> batch;
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
