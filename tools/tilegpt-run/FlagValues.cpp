// Parses the values of flags that are more than one number.
#include "FlagValues.h"

using namespace tilegpt;

std::optional<std::vector<int32_t>> run::parseTokens(std::string_view text) {
  std::vector<int32_t> tokens;
  while (true) {
    const size_t separator = text.find_first_of(", ");
    const auto token = parseNumber<int32_t>(text.substr(0, separator));
    if (!token)
      return std::nullopt;
    tokens.push_back(*token);
    if (separator == text.npos)
      return tokens;
    text.remove_prefix(separator + 1);
  }
}

std::optional<std::pair<int32_t, float>>
run::parseLogitBias(std::string_view text) {
  const size_t sign = text.find_first_of("+-");
  if (sign == text.npos)
    return std::nullopt;
  const auto token = parseNumber<int32_t>(text.substr(0, sign));
  const auto bias = parseNumber<float>(text.substr(sign + 1));
  if (!token || !bias)
    return std::nullopt;
  return std::pair(*token, text[sign] == '-' ? -*bias : *bias);
}
