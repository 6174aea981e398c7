// Numbers as names of weights: the shortest decimals that round-trip to f32.
#include "TileGPT/Bundle/LiteralWeight.h"
#include <charconv>

namespace tilegpt::bundle {

std::string literalWeight(std::span<const double> values) {
  std::string name = "[";
  for (const double value : values) {
    char digits[32];
    const auto end = std::to_chars(digits, std::end(digits), float(value)).ptr;
    if (name.size() > 1)
      name += ',';
    name.append(digits, end);
  }
  return name + "]";
}

std::optional<std::vector<float>> parseLiteralWeight(std::string_view name) {
  if (!name.starts_with('[') || !name.ends_with(']'))
    return std::nullopt;
  std::vector<float> values;
  const char *at = name.data() + 1, *const end = name.data() + name.size() - 1;
  while (at < end) {
    const auto [next, error] = std::from_chars(at, end, values.emplace_back());
    if (error != std::errc() || (next < end && *next != ',') ||
        (next < end && next + 1 == end))
      return std::nullopt;
    at = next + 1;
  }
  return values;
}

} // namespace tilegpt::bundle
