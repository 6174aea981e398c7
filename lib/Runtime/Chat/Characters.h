// Unicode text as Python's str sees it: white space, classes and cases of
// characters.
#ifndef TILEGPT_LIB_RUNTIME_CHAT_CHARACTERS_H
#define TILEGPT_LIB_RUNTIME_CHAT_CHARACTERS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::runtime::chat {

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWhiteSpace(char32_t character);
/// Whether str.splitlines() ends a line at this character.
bool isLineEnd(char32_t character);
/// Whether repr() writes this character as it is.
bool isPrintable(char32_t character);

/// The characters of UTF-8 text.
std::vector<std::string_view> charactersOf(std::string_view text);

/// Strips white space, or the given characters; `sides` 1: leading,
/// 2: trailing, 3: both.
std::string_view strip(std::string_view text,
                       std::optional<std::string_view> characters, int sides);

/// The words between white space, at most `most` splits from the left, after
/// which the rest is one word; -1: unlimited.
std::vector<std::string_view> words(std::string_view text, long most = -1);

/// Converts as the method `name` does: upper, lower, capitalize, title,
/// swapcase or casefold.
std::string inCase(std::string_view text, std::string_view name);
/// Converts as the filter `title` does: words start after white space,
/// hyphens and opening brackets.
std::string inTitleCase(std::string_view text);

/// Whether the text is of the class that the method `name` asks for, such as
/// isdigit.
bool isOfClass(std::string_view text, std::string_view name);
/// Whether this is a method for isOfClass().
bool isClassName(std::string_view name);

} // namespace tilegpt::runtime::chat

#endif // TILEGPT_LIB_RUNTIME_CHAT_CHARACTERS_H
