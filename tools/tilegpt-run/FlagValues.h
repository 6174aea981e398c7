// The values flags take, from text: numbers, token lists, logit biases. A value
// that does not fit is reported with what was expected and found.
#ifndef TILEGPT_TOOLS_RUN_FLAGVALUES_H
#define TILEGPT_TOOLS_RUN_FLAGVALUES_H

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tilegpt::run {

/// The whole text as a number; nothing if it is none or does not fit in T.
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

/// "15043+1.5", "15043-2" or "15043-inf": what is added to the logit of a
/// token.
std::optional<std::pair<int32_t, float>> parseLogitBias(std::string_view text);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_FLAGVALUES_H
