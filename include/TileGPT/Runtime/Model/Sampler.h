// Samples the next token from logits, with llama.cpp's options in llama.cpp's
// order: bias, penalties, top-k, top-p, min-p, temperature, random choice.
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

/// How a device samples one token; the values of bundle::sampleValues.
using DrawValues = std::array<float, bundle::sampleValues>;

class Sampler {
public:
  /// \returns Usage naming the invalid option.
  static Result<Sampler> create(const SamplerOptions &options,
                                int64_t vocabulary);

  /// Records a token for the penalties; call it for the tokens of the prompt
  /// and for every sampled token.
  void accept(int32_t token);

  /// \param logits [V].
  /// \returns the sampled id; Failure if a logit is NaN or +infinity, or if
  /// every token is banned.
  Result<int32_t> sample(std::span<const float> logits);

  /// Whether options modify logits before sampling, which requires the host.
  bool changesLogits() const;

  /// The values with which a device samples what the next call of sample()
  /// would, instead of that call; only if the logits are not modified.
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
      occurrences; // of every token within the window of the penalties
  std::vector<float> adjusted;
  std::vector<Candidate> candidates;
  size_t sorted = 0; // candidates before this one are sorted, and better than
                     // those after it
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_MODEL_SAMPLER_H
