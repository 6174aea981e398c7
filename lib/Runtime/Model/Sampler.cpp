// The chain of filters of Sampler. Ties are broken by id, and the random number
// generator is fully specified, so that a seed gives the same text on all
// platforms.
#include "TileGPT/Runtime/Model/Sampler.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace tilegpt;
using namespace tilegpt::runtime;

constexpr float infinity = std::numeric_limits<float>::infinity();

Sampler::Sampler(const SamplerOptions &options, int64_t vocabulary)
    : options(options), random(options.seed), occurrences(size_t(vocabulary)),
      adjusted(size_t(vocabulary)) {
  candidates.reserve(size_t(vocabulary));
}

Result<Sampler> Sampler::create(const SamplerOptions &options,
                                int64_t vocabulary) {
  const auto reject = [](const char *flag, const char *expected, auto got) {
    return makeError(ErrorCode::Usage, "sampler: ", flag, " expected ",
                     expected, ", got ", got);
  };
  // Written so that NaN is rejected.
  if (!(options.temperature >= 0 && options.temperature < infinity))
    return reject("temp", "a finite number >= 0", options.temperature);
  if (options.topK < 0)
    return reject("top-k", "a count >= 0 (0: all tokens)", options.topK);
  if (!(options.topP > 0 && options.topP <= 1))
    return reject("top-p", "a number in (0, 1]", options.topP);
  if (!(options.minP >= 0 && options.minP <= 1))
    return reject("min-p", "a number in [0, 1]", options.minP);
  if (!(options.repeatPenalty > 0 && options.repeatPenalty < infinity))
    return reject("repeat-penalty", "a number > 0", options.repeatPenalty);
  if (options.repeatLastN < -1)
    return reject("repeat-last-n", "a count >= -1 (-1: all tokens)",
                  options.repeatLastN);
  if (!std::isfinite(options.presencePenalty))
    return reject("presence-penalty", "a finite number",
                  options.presencePenalty);
  if (!std::isfinite(options.frequencyPenalty))
    return reject("frequency-penalty", "a finite number",
                  options.frequencyPenalty);
  for (const auto &[id, bias] : options.logitBias) {
    if (id < 0 || id >= vocabulary)
      return makeError(ErrorCode::Usage,
                       "sampler: logit-bias expected an id in [0, ", vocabulary,
                       "), got ", id);
    if (!(bias < infinity))
      return makeError(ErrorCode::Usage, "sampler: logit-bias of token ", id,
                       " expected a number or -inf, got ", bias);
  }
  return Sampler(options, vocabulary);
}

bool Sampler::changesLogits() const {
  // Names all options, so that a new one is an error here until it is assigned
  // to those that change logits or those that drawElsewhere() passes on. A
  // device would otherwise ignore it.
  [[maybe_unused]] const auto &[temperature, topK, topP, minP, repeatPenalty,
                                repeatLastN, presencePenalty, frequencyPenalty,
                                seed, logitBias] = options;
  return hasPenalties() || hasBias();
}

bool Sampler::hasPenalties() const {
  return options.repeatLastN != 0 &&
         (options.repeatPenalty != 1 || options.presencePenalty != 0 ||
          options.frequencyPenalty != 0);
}

void Sampler::accept(int32_t token) {
  if (!hasPenalties())
    return;
  ++occurrences[size_t(token)];
  if (options.repeatLastN < 0)
    return;
  recent.push_back(token);
  if (recent.size() > size_t(options.repeatLastN)) {
    --occurrences[size_t(recent.front())];
    recent.pop_front();
  }
}

/// Copies the logits with bias and penalties applied.
Result<void> Sampler::adjust(std::span<const float> logits) {
  for (size_t i = 0; i < logits.size(); ++i)
    if (!(logits[i] < infinity))
      return makeError(ErrorCode::Failure, "sampler: the model gave token ", i,
                       " the logit ", logits[i],
                       ", expected finite ones; the weights have such values, "
                       "or activations exceed the range of --dtype f16");
  std::ranges::copy(logits, adjusted.begin());
  for (const auto &[id, bias] : options.logitBias)
    adjusted[size_t(id)] += bias;
  if (!hasPenalties())
    return {};
  for (size_t i = 0; i < adjusted.size(); ++i) {
    if (occurrences[i] == 0)
      continue;
    float &logit = adjusted[i];
    logit = logit > 0 ? logit / options.repeatPenalty
                      : logit * options.repeatPenalty;
    logit -= options.presencePenalty +
             float(occurrences[i]) * options.frequencyPenalty;
  }
  return {};
}

int32_t Sampler::mostProbable() const {
  return int32_t(std::max_element(adjusted.begin(), adjusted.end()) -
                 adjusted.begin());
}

/// Better candidates first; a total order, so that equal logits have the same
/// order on all platforms.
static constexpr auto better = [](const auto &a, const auto &b) {
  return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
};

void Sampler::keepTopK() {
  const size_t k = size_t(options.topK);
  if (k == 0 || k >= candidates.size())
    return;
  std::partial_sort(candidates.begin(), candidates.begin() + int64_t(k),
                    candidates.end(), better);
  candidates.resize(k);
  sorted = k;
}

/// The number of best candidates whose cumulative weight exp(logit·sharpness)
/// reaches `part` of the total weight.
size_t Sampler::reach(double sharpness, double part, bool exceed) {
  const double best =
      std::ranges::max_element(candidates, {}, &Candidate::logit)->logit;
  const auto weight = [&](const Candidate &candidate) {
    return std::exp((double(candidate.logit) - best) * sharpness);
  };
  double total = 0;
  for (const Candidate &candidate : candidates)
    total += weight(candidate);
  double reached = 0;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (i == sorted) {
      // Usually few tokens are needed: sort incrementally.
      sorted = std::min(candidates.size(), std::max<size_t>(64, 4 * sorted));
      std::partial_sort(candidates.begin() + int64_t(i),
                        candidates.begin() + int64_t(sorted), candidates.end(),
                        better);
    }
    reached += weight(candidates[i]);
    if (exceed ? reached > part * total : reached >= part * total)
      return i + 1;
  }
  return candidates.size(); // rounding left a crumb
}

void Sampler::keepTopP() {
  if (options.topP < 1)
    candidates.resize(reach(1, double(options.topP), /*exceed=*/false));
  sorted = std::min(sorted, candidates.size());
}

void Sampler::keepMinP() {
  if (options.minP <= 0)
    return;
  const float best =
      std::ranges::max_element(candidates, {}, &Candidate::logit)->logit;
  const float least = best + std::log(options.minP);
  // The remaining ones before `sorted` are still in order and better than the
  // others.
  sorted = size_t(std::count_if(candidates.begin(),
                                candidates.begin() + int64_t(sorted),
                                [least](const Candidate &candidate) {
                                  return candidate.logit >= least;
                                }));
  std::erase_if(candidates, [least](const Candidate &candidate) {
    return candidate.logit < least;
  });
}

/// 24 random bits as a float in [0, 1): the distributions of the standard
/// differ between libraries.
float Sampler::nextRandom() { return float(random() >> 40) * 0x1p-24f; }

int32_t Sampler::draw() {
  const double part = nextRandom();
  return candidates[reach(1 / double(options.temperature), part,
                          /*exceed=*/true) -
                    1]
      .id;
}

DrawValues Sampler::drawElsewhere() {
  const bool draws = options.temperature != 0;
  return {options.temperature, float(options.topK), options.topP,
          std::log(options.minP), draws ? nextRandom() : 0};
}

Result<int32_t> Sampler::sample(std::span<const float> logits) {
  if (logits.size() != adjusted.size())
    return makeError(ErrorCode::Failure, "sampler: expected ", adjusted.size(),
                     " logits, got ", logits.size());
  if (auto done = adjust(logits); !done)
    return tl::unexpected(done.error());
  const int32_t best = mostProbable();
  if (adjusted[size_t(best)] == -infinity)
    return makeError(ErrorCode::Failure,
                     "sampler: every token is banned; check logit-bias");
  if (options.temperature == 0)
    return best;

  candidates.clear();
  sorted = 0;
  for (size_t i = 0; i < adjusted.size(); ++i)
    if (adjusted[i] > -infinity)
      candidates.push_back({adjusted[i], int32_t(i)});
  keepTopK();
  keepTopP();
  keepMinP();
  return draw();
}
