// What a model thinks of a given text: its logits at every position, and the
// perplexity.
#ifndef TILEGPT_TOOLS_RUN_SCORE_H
#define TILEGPT_TOOLS_RUN_SCORE_H

#include "TileGPT/Runtime/Model/Session.h"
#include <filesystem>

namespace tilegpt::run {

/// Writes the logits after every token of the prompt as `.npy`, f32 [T, V]. The
/// session is empty before and after.
runtime::Result<void> dumpLogits(runtime::Session &session,
                                 std::span<const int32_t> prompt,
                                 const std::filesystem::path &path);

struct Perplexity {
  double value = 0;
  int64_t predicted = 0; ///< tokens the mean is over
  int64_t windows = 0;
};

/// Cuts a text into windows of the session's capacity and predicts all tokens
/// of a window but its first; a last window of one token is left out.
/// \returns exp of the mean negative log-likelihood; Usage for fewer than two
/// tokens.
runtime::Result<Perplexity> measurePerplexity(runtime::Session &session,
                                              std::span<const int32_t> text);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_SCORE_H
