// Generates text: prefills each prompt, then decodes all of them together until
// each has a reason to stop.
#ifndef TILEGPT_RUNTIME_MODEL_GENERATOR_H
#define TILEGPT_RUNTIME_MODEL_GENERATOR_H

#include "TileGPT/Runtime/Model/Sampler.h"
#include "TileGPT/Runtime/Model/Session.h"
#include <chrono>
#include <functional>
#include <optional>

namespace tilegpt::runtime {

enum class StopReason {
  EndOfText, ///< the model generated an end-of-text token
  Length,    ///< the requested number of tokens, or the cache is full
  Stopped,   ///< the callback requested it: a stop string, a signal
};

/// One prompt; request i runs in sequence i of the session, after the tokens
/// that the sequence holds already.
struct GenerationRequest {
  std::span<const int32_t> prompt; ///< at least one token
  Sampler *sampler =
      nullptr; ///< one per request; receives the prompt and all new tokens
  int64_t maxTokens = -1;             ///< -1: until the cache is full
  std::span<const int32_t> endOfText; ///< tokens that end the text
};

struct Generation {
  std::vector<int32_t> tokens; ///< without endOfText; the last one is not in
                               ///< the session's cache yet
  StopReason reason = StopReason::Length;
};

/// Times of the last generate(). Sampling counts towards the preceding step.
struct GenerationTimes {
  using Duration = std::chrono::steady_clock::duration;
  Duration prefill{}, decode{};
  int64_t prefillTokens = 0,
          decodeTokens = 0; ///< decodeTokens: those that took a decoding step
  int64_t decodeSteps = 0;
};

/// Receives each new token; returns false to stop this request. The token
/// counts as generated either way.
using TokenCallback = std::function<bool(size_t request, int32_t token)>;

/// \param times if not null, also filled if an error ends the generation.
/// \returns one generation per request, in order; errors of Session and
/// Sampler; Usage for more requests than sequences.
Result<std::vector<Generation>>
generate(Session &session, std::span<const GenerationRequest> requests,
         const TokenCallback &onToken, GenerationTimes *times = nullptr);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_MODEL_GENERATOR_H
