// Embeds non-UTF-8 bytes in UTF-8: byte b is the character U+10FF00 + b, from a
// private use area. Patterns treat it as neither space, letter nor digit, like
// a control character. If a text contains such a character, its bytes are
// escaped one by one.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_ESCAPEDBYTES_H
#define TILEGPT_LIB_RUNTIME_TEXT_ESCAPEDBYTES_H

#include "TileGPT/Runtime/Data/Utf8.h"
#include <optional>
#include <string>
#include <string_view>

namespace tilegpt::runtime {

inline constexpr char32_t firstEscaped = 0x10FF80, escapeBase = 0x10FF00;

/// The common prefix of all escaped bytes, which no other character has.
inline constexpr std::string_view escapedStarts[] = {"\xF4\x8F\xBE",
                                                     "\xF4\x8F\xBF"};

inline bool hasEscapedBytes(std::string_view text) {
  return text.find(escapedStarts[0]) != text.npos ||
         text.find(escapedStarts[1]) != text.npos;
}

/// The byte that a character represents, if any.
inline std::optional<char> escapedByte(char32_t character) {
  return character >= firstEscaped ? std::optional(char(character - escapeBase))
                                   : std::nullopt;
}

/// Any bytes as UTF-8.
inline std::string escapeBytes(std::string_view text) {
  if (!findInvalidUtf8(text) && !hasEscapedBytes(text))
    return std::string(text);
  std::string escaped;
  while (!text.empty()) {
    const Utf8Step step = firstCharacter(text);
    if (step.valid && step.character < firstEscaped)
      escaped += text.substr(0, step.bytes);
    else
      for (const char byte : text.substr(0, step.bytes))
        appendUtf8(escaped, escapeBase + uint8_t(byte));
    text.remove_prefix(step.bytes);
  }
  return escaped;
}

/// Appends the bytes from which escapeBytes() created `text`.
inline void appendUnescaped(std::string &bytes, std::string_view text) {
  if (!hasEscapedBytes(text)) {
    bytes += text;
    return;
  }
  while (!text.empty()) {
    const Utf8Step step = firstCharacter(text);
    if (const auto byte = escapedByte(step.character))
      bytes += *byte;
    else
      bytes += text.substr(0, step.bytes);
    text.remove_prefix(step.bytes);
  }
}

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_ESCAPEDBYTES_H
