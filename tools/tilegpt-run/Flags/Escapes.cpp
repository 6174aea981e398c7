// One pass over the text; copies everything but escape sequences.
#include "Flags/Escapes.h"
#include <charconv>
#include <cstdint>

using namespace tilegpt;

std::string run::unescape(std::string_view text) {
  static constexpr std::string_view names = "nrt'\"\\";
  static constexpr std::string_view characters = "\n\r\t'\"\\";
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const size_t known = names.find(text[i + 1]);
    if (known != names.npos) {
      result += characters[known];
      ++i;
      continue;
    }
    const std::string_view digits =
        text[i + 1] == 'x' ? text.substr(i + 2, 2) : std::string_view();
    uint8_t byte = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() == 2 && error == std::errc() &&
        end == digits.data() + 2) {
      result += char(byte);
      i += 3;
      continue;
    }
    result += '\\';
  }
  return result;
}
