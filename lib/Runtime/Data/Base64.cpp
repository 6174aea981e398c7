// Decodes four digits to three bytes.
#include "TileGPT/Runtime/Data/Base64.h"
#include <algorithm>
#include <cstdint>

std::optional<std::string>
tilegpt::runtime::decodeBase64(std::string_view text) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0)
    return std::nullopt;
  const size_t end = std::min(text.find('='), text.size());
  if (text.size() - end > 2 ||
      text.substr(end).find_first_not_of('=') != text.npos)
    return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  uint32_t bits = 0;
  for (size_t i = 0; i < end; ++i) {
    const size_t digit = digits.find(text[i]);
    if (digit == digits.npos)
      return std::nullopt;
    bits = bits << 6 | uint32_t(digit);
    if (i % 4 != 0)
      bytes += char(bits >> (6 - 2 * (i % 4)));
  }
  return bytes;
}
