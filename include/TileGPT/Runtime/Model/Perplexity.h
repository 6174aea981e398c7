// How well a model predicts a text: the number that shows whether kernels,
// precision and weights are right together.
#ifndef TILEGPT_RUNTIME_MODEL_PERPLEXITY_H
#define TILEGPT_RUNTIME_MODEL_PERPLEXITY_H

#include "TileGPT/Runtime/Model/Session.h"

namespace tilegpt::runtime {

struct Perplexity {
  double value =
      0; ///< exp of the mean negative log likelihood of the predicted tokens
  int64_t predicted =
      0; ///< tokens that were predicted: all but the first of each window
  int64_t windows = 0;
};

/// Cuts a text into windows that do not overlap, the last one maybe shorter,
/// and predicts each token of a window from those before it in the window. Uses
/// sequence 0, which is empty afterwards.
/// \param ids    at least two.
/// \param window tokens, in [2, capacity].
/// \returns Usage for a text that is too short or a senseless window; errors of
/// Session::score.
Result<Perplexity> measurePerplexity(Session &session,
                                     std::span<const int32_t> ids,
                                     int64_t window);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_MODEL_PERPLEXITY_H
