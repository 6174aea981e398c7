// Windows, and the log likelihood of a token under its logits, summed in double
// precision.
#include "TileGPT/Runtime/Model/Perplexity.h"
#include <algorithm>
#include <cmath>

using namespace tilegpt;
using namespace tilegpt::runtime;

/// -log softmax(logits)[id].
static double negativeLogLikelihood(std::span<const float> logits, int32_t id) {
  const double best = *std::ranges::max_element(logits);
  double sum = 0;
  for (const float logit : logits)
    sum += std::exp(double(logit) - best);
  return best + std::log(sum) - double(logits[size_t(id)]);
}

Result<Perplexity> runtime::measurePerplexity(Session &session,
                                              std::span<const int32_t> ids,
                                              int64_t window) {
  if (window < 2 || window > session.capacity())
    return makeError(ErrorCode::Usage, "perplexity: expected a window of 2 to ",
                     session.capacity(), " tokens, got ", window);
  if (ids.size() < 2)
    return makeError(ErrorCode::Usage,
                     "perplexity: expected at least 2 tokens, got ",
                     ids.size());

  Perplexity result;
  double sum = 0;
  const size_t vocabulary = size_t(session.vocabulary());
  for (; ids.size() >= 2;
       ids = ids.subspan(std::min(ids.size(), size_t(window)))) {
    const auto inWindow = ids.first(std::min(ids.size(), size_t(window)));
    session.truncate(0, 0);
    auto scored = session.score(
        0, inWindow,
        [&](int64_t first, std::span<const float> logits) -> Result<void> {
          for (; !logits.empty(); logits = logits.subspan(vocabulary), ++first)
            if (size_t(first) + 1 < inWindow.size()) {
              sum += negativeLogLikelihood(logits.first(vocabulary),
                                           inWindow[size_t(first) + 1]);
              ++result.predicted;
            }
          return {};
        });
    session.truncate(0, 0);
    if (!scored)
      return tl::unexpected(scored.error());
    ++result.windows;
  }
  result.value = std::exp(sum / double(result.predicted));
  return result;
}
