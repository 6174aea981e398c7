// Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
// Reports the position and length of invalid bytes; callers handle them.
#ifndef TILEGPT_RUNTIME_DATA_UTF8_H
#define TILEGPT_RUNTIME_DATA_UTF8_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilegpt::runtime {

/// The first character of a text, or its invalid bytes.
struct Utf8Step {
  /// The character, or U+FFFD if there is none.
  char32_t character;
  /// Its length in bytes, 1 to 4. If there is none: the number of bytes that
  /// are replaced by one U+FFFD (the longest prefix of a character, or one
  /// invalid byte).
  uint8_t bytes;
  bool valid;
  /// Invalid only because the text ends too early.
  bool incomplete;
};

inline constexpr std::string_view replacementCharacter = "\xef\xbf\xbd";

/// Reads the first character of `text`, which must not be empty.
Utf8Step firstCharacter(std::string_view text);

/// The offset of the first byte that is not part of a character.
std::optional<size_t> findInvalidUtf8(std::string_view text);

/// Appends a character that is a Unicode scalar value.
void appendUtf8(std::string &text, char32_t character);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_DATA_UTF8_H
