// How well a model predicts a text, which shows whether kernels, precision and
// weights are correct together.
#ifndef TILEGPT_RUNTIME_MODEL_PERPLEXITY_H
#define TILEGPT_RUNTIME_MODEL_PERPLEXITY_H

#include "TileGPT/Runtime/Model/Session.h"

namespace tilegpt::runtime {

struct Perplexity {
  double value =
      0; ///< exp of the mean negative log-likelihood of the predicted tokens
  int64_t predicted = 0; ///< predicted tokens: all but the first of each window
  int64_t windows = 0;
};

/// Splits a text into disjoint windows, the last of which may be shorter, and
/// predicts each token of a window from the preceding ones of the window. Uses
/// sequence 0, which is empty afterwards.
/// \param ids    at least two.
/// \param window tokens, in [2, capacity].
/// \returns Usage for a text that is too short or an invalid window; errors of
/// Session::score.
Result<Perplexity> measurePerplexity(Session &session,
                                     std::span<const int32_t> ids,
                                     int64_t window);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_MODEL_PERPLEXITY_H
