// The expected results for the prompts in the demo model's reference.json.
#ifndef TILEGPT_TEST_UNIT_ENDTOEND_REFERENCERESULTS_H
#define TILEGPT_TEST_UNIT_ENDTOEND_REFERENCERESULTS_H

#include "TileGPT/Runtime/Model/Session.h"
#include <filesystem>
#include <nlohmann/json.hpp>

namespace tilegpt::test {

/// Allowed absolute difference between logits computed in f32.
inline constexpr double logitTolerance = 2e-3;

/// The largest difference between two rows of logits.
double distance(std::span<const float> a, std::span<const float> b);

/// Logits after every one of `ids`, one row each.
std::vector<std::vector<float>> scoreAll(runtime::Session &session,
                                         std::span<const int32_t> ids);

/// Continues a prompt of the reference greedily and compares the tokens.
void expectReferenceTokens(runtime::Session &session,
                           const nlohmann::json &prompt);

/// Compares the logits of every token of every prompt.
/// \param folder of the reference results.
void expectReferenceLogits(runtime::Session &session,
                           const nlohmann::json &reference,
                           const std::filesystem::path &folder);

} // namespace tilegpt::test

#endif
