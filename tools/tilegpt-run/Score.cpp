// Runs the score plans, which give logits for every row.
#include "Score.h"
#include "TileGPT/Runtime/Data/Npy.h"
#include <algorithm>
#include <cmath>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::Result;

Result<void> run::dumpLogits(runtime::Session &session,
                             std::span<const int32_t> prompt,
                             const std::filesystem::path &path) {
  std::vector<float> logits;
  logits.reserve(prompt.size() * size_t(session.vocabulary()));
  auto scored = session.score(
      0, prompt, [&](int64_t, std::span<const float> rows) -> Result<void> {
        logits.insert(logits.end(), rows.begin(), rows.end());
        return {};
      });
  session.truncate(0, 0);
  if (!scored)
    return scored;
  const int64_t shape[] = {int64_t(prompt.size()), session.vocabulary()};
  return runtime::writeNpy(path, runtime::StoredType::F32, shape,
                           std::as_bytes(std::span(logits)));
}

/// -log softmax(logits)[token], in double precision.
static double negativeLogLikelihood(std::span<const float> logits,
                                    int32_t token) {
  const double greatest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits)
    sum += std::exp(double(logit) - greatest);
  return greatest + std::log(sum) - double(logits[size_t(token)]);
}

Result<Perplexity> run::measurePerplexity(runtime::Session &session,
                                          std::span<const int32_t> text) {
  if (text.size() < 2)
    return runtime::makeError(runtime::ErrorCode::Usage,
                              "perplexity: expected at least 2 tokens, got ",
                              text.size());
  const size_t vocabulary = size_t(session.vocabulary());
  Perplexity result;
  double sum = 0;
  while (text.size() >= 2) {
    const auto window =
        text.first(std::min(text.size(), size_t(session.capacity())));
    auto scored = session.score(
        0, window,
        [&](int64_t first, std::span<const float> rows) -> Result<void> {
          const size_t count = rows.size() / vocabulary;
          for (size_t row = 0; row < count; ++row)
            if (const size_t next = size_t(first) + row + 1;
                next < window.size()) {
              sum += negativeLogLikelihood(
                  rows.subspan(row * vocabulary, vocabulary), window[next]);
              ++result.predicted;
            }
          return {};
        });
    session.truncate(0, 0);
    if (!scored)
      return tl::unexpected(scored.error());
    ++result.windows;
    text = text.subspan(window.size());
  }
  result.value = std::exp(sum / double(result.predicted));
  return result;
}
