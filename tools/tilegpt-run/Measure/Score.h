// Logits of a given text at every position.
#ifndef TILEGPT_TOOLS_RUN_MEASURE_SCORE_H
#define TILEGPT_TOOLS_RUN_MEASURE_SCORE_H

#include "TileGPT/Runtime/Model/Session.h"
#include <filesystem>

namespace tilegpt::run {

/// Writes the logits after every token of the prompt as `.npy`, f32 [T, V]. The
/// session is empty before and after.
runtime::Result<void> dumpLogits(runtime::Session &session,
                                 std::span<const int32_t> prompt,
                                 const std::filesystem::path &path);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_MEASURE_SCORE_H
