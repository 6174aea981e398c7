// Parsing of flag values: numbers, token lists, logit biases. An error states
// the expected and the actual value.
#ifndef TILEGPT_TOOLS_RUN_FLAGVALUES_H
#define TILEGPT_TOOLS_RUN_FLAGVALUES_H

#include "TileGPT/Bundle/Format.h"
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilegpt::run {

/// Parses the whole text as a number; nothing if it is invalid or out of range
/// for T.
template <typename T>
std::optional<T> parseNumber(std::string_view text) {
  T value{};
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// "859,26", or "859 26" as --print-ids prints them.
std::optional<std::vector<int32_t>> parseTokens(std::string_view text);

/// "15043+1.5", "15043-2" or "15043-inf": the bias of the logit of a token.
std::optional<std::pair<int32_t, float>> parseLogitBias(std::string_view text);

/// A step to measure.
struct BenchTest {
  bundle::PlanKind kind = bundle::PlanKind::Prefill;
  int64_t tokens = 1; ///< of each sequence
  int64_t sequences = 1;
  int64_t depth = 0; ///< tokens each sequence has before

  std::string_view kindName() const; ///< "prefill"
  /// As parseBenchTests reads it: "prefill:1024x8", "decode:1x1@512".
  std::string name() const;
  bool operator==(const BenchTest &) const = default;
};

/// Of --bench: launches of one kernel, no step.
inline constexpr std::string_view launchTest = "launch";

/// "prefill:1024x8,score:256,decode:1x8@512": KIND:TOKENS, the number of
/// sequences with this many tokens, and the number of preceding tokens of each.
std::optional<std::vector<BenchTest>> parseBenchTests(std::string_view text);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_FLAGVALUES_H
