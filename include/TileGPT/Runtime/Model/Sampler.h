// Chooses the next token from logits, with the options and the order
// llama.cpp's users know: bias, penalties, top-k, top-p, min-p, temperature,
// draw.
#ifndef TILEGPT_RUNTIME_MODEL_SAMPLER_H
#define TILEGPT_RUNTIME_MODEL_SAMPLER_H

#include "TileGPT/Bundle/Format.h"
#include "TileGPT/Runtime/Error.h"
#include <array>
#include <cstdint>
#include <deque>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace tilegpt::runtime {

/// The defaults are llama.cpp's.
struct SamplerOptions {
  float temperature = 0.8f; ///< --temp; 0 takes the most probable token
  int32_t topK = 40;  ///< --top-k; only the k most probable tokens; 0: all
  float topP = 0.95f; ///< --top-p; only the fewest that reach this probability
                      ///< together; 1: all
  float minP = 0.05f; ///< --min-p; only those at least this times as probable
                      ///< as the best; 0: all
  float repeatPenalty = 1; ///< --repeat-penalty; divides positive and
                           ///< multiplies negative logits; 1: off
  int32_t repeatLastN =
      64; ///< --repeat-last-n; tokens the penalties look back; 0: none, -1: all
  float presencePenalty = 0; ///< --presence-penalty; subtracted once
  float frequencyPenalty =
      0;             ///< --frequency-penalty; subtracted for every occurrence
  uint64_t seed = 0; ///< --seed; the same seed and logits give the same tokens
                     ///< on every machine
  std::vector<std::pair<int32_t, float>>
      logitBias; ///< --logit-bias; added; -infinity bans a token
};

/// How a device draws one token; the values of bundle::sampleValues.
using DrawValues = std::array<float, bundle::sampleValues>;

class Sampler {
public:
  /// \returns Usage naming the option that makes no sense.
  static Result<Sampler> create(const SamplerOptions &options,
                                int64_t vocabulary);

  /// Remembers a token for the penalties; call it for the tokens of the prompt
  /// and for every token sampled.
  void accept(int32_t token);

  /// \param logits [V].
  /// \returns the chosen id; Failure if a logit is NaN or +infinity, or if
  /// every token is banned.
  Result<int32_t> sample(std::span<const float> logits);

  /// Whether options change logits before one is chosen, which happens here.
  bool changesLogits() const;

  /// What lets a device choose as the next call of sample() would, which it
  /// takes the place of; only where logits are not changed.
  DrawValues drawElsewhere();

private:
  struct Candidate {
    float logit;
    int32_t id;
  };

  Sampler(const SamplerOptions &options, int64_t vocabulary);

  bool hasPenalties() const;
  bool hasBias() const { return !options.logitBias.empty(); }
  float nextRandom();
  Result<void> adjust(std::span<const float> logits);
  int32_t mostProbable() const;
  void keepTopK();
  void keepTopP();
  void keepMinP();
  size_t reach(double sharpness, double part, bool exceed);
  int32_t draw();

  SamplerOptions options;
  std::mt19937_64 random;
  std::deque<int32_t> recent; // the last repeatLastN tokens; empty if -1
  std::vector<uint32_t>
      occurrences; // of every token in what the penalties look back on
  std::vector<float> adjusted;
  std::vector<Candidate> candidates;
  size_t sorted =
      0; // candidates before this are sorted, and better than those after
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_MODEL_SAMPLER_H
