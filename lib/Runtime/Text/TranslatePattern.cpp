// Accepts the common subset of regular expressions of Oniguruma, in the Ruby
// syntax that tokenizers use, and PCRE2. White space is translated to Unicode's
// White_Space property, the meaning of \s in Oniguruma; PCRE2's \s would also
// match U+180E.
#include "Pattern.h"
#include <algorithm>
#include <utility>

using namespace tilegpt::runtime;

#define WHITE_SPACE "\\p{Z}\\t-\\r\\x{85}"

namespace {

/// Functions return false once `problem` is set.
class Translator {
public:
  explicit Translator(std::string_view expression) : rest(expression) {}

  std::string problem, result;

  bool run() {
    while (!rest.empty())
      if (!(rest.front() == '[' ? characterClass() : outside()))
        return false;
    return true;
  }

private:
  bool unsupported(std::string_view what) {
    problem = concat("uses '", what, "', which is not supported");
    return false;
  }

  /// Copies `count` bytes unchanged.
  bool copy(size_t count) {
    result += rest.substr(0, count);
    rest.remove_prefix(count);
    return true;
  }

  bool replace(size_t count, std::string_view by) {
    result += by;
    rest.remove_prefix(count);
    return true;
  }

  bool outside() {
    switch (rest.front()) {
    case '\\':
      return escape("[" WHITE_SPACE "]", "[^" WHITE_SPACE "]");
    case '(':
      return group();
    case '{':
      return repetition();
    case '$':
      return replace(1, "(?m:$)"); // Ruby's is the end of any line
    case '.':
    case '^':
      return unsupported(rest.substr(0, 1));
    default:
      return copy(1);
    }
  }

  bool group() {
    if (rest.starts_with("(*")) // a command to PCRE2
      return unsupported("(*");
    if (!rest.starts_with("(?"))
      return copy(1);
    for (const std::string_view kind :
         {"(?:", "(?i:", "(?=", "(?!", "(?<=", "(?<!", "(?>"})
      if (rest.starts_with(kind))
        return copy(kind.size());
    return unsupported(rest.substr(0, 3));
  }

  /// {2}, {1,3} or {1,}.
  bool repetition() {
    const size_t end = rest.find('}');
    const std::string_view inner =
        rest.substr(1, std::min(end, rest.size()) - 1);
    const bool isCount = end != rest.npos && !inner.empty() &&
                         inner.front() != ',' &&
                         inner.find_first_not_of("0123456789,") == inner.npos &&
                         std::ranges::count(inner, ',') <= 1;
    // A subsequent '+' is possessive in one engine and a repetition in the
    // other.
    if (!isCount || rest.substr(end + 1).starts_with('+'))
      return unsupported(rest.substr(0, isCount ? end + 2 : 1));
    return copy(end + 1);
  }

  /// An escape, with the caller's translation of \s and \S; if empty, neither
  /// is allowed.
  bool escape(std::string_view space, std::string_view noSpace) {
    if (rest.size() < 2)
      return unsupported("\\");
    const char kind = rest[1];
    if (kind == 's')
      return replace(2, space);
    if (kind == 'S' && !noSpace.empty())
      return replace(2, noSpace);
    if (kind == 'p' || kind == 'P')
      return property();
    // Escaped literal characters and decimal digits.
    constexpr std::string_view letters = "rntfvd";
    const bool isMark = (kind >= '!' && kind <= '/') ||
                        (kind >= ':' && kind <= '@') ||
                        (kind >= '[' && kind <= '`') ||
                        (kind >= '{' && kind <= '~') || kind == ' ';
    if (kind == 'v')
      return replace(2, "\\x0B"); // PCRE2 takes \v for any vertical space
    if (isMark || letters.find(kind) != letters.npos)
      return copy(2);
    if (kind == 'u')
      return codePoint();
    // The ends of the text, unlike those of a line.
    if ((kind == 'A' || kind == 'z') && !noSpace.empty())
      return copy(2);
    return unsupported(rest.substr(0, 2));
  }

  /// \uHHHH.
  bool codePoint() {
    const std::string_view digits = rest.substr(2, 4);
    if (digits.size() != 4 ||
        digits.find_first_not_of("0123456789abcdefABCDEF") != digits.npos)
      return unsupported(rest.substr(0, 2));
    return replace(6, concat("\\x{", digits, "}"));
  }

  /// \p{L}, \p{Lu}, \p{^L}; scripts such as \p{Han}.
  bool property() {
    const size_t end = rest.find('}');
    if (end == rest.npos || rest[2] != '{' || end < 4)
      return unsupported(rest.substr(0, 2));
    std::string_view name = rest.substr(3, end - 3);
    if (name.starts_with('^'))
      name.remove_prefix(1);
    // Other names are defined in only one of the engines.
    constexpr std::string_view scripts[] = {
        "Arabic", "Bengali", "Cyrillic", "Devanagari", "Greek", "Han",
        "Hangul", "Hebrew",  "Hiragana", "Katakana",   "Latin", "Tamil",
        "Telugu", "Thai",    "Georgian", "Armenian",   "Khmer", "Lao"};
    constexpr std::string_view classes = "LMNPSZC";
    constexpr std::string_view details = "acdefiklmnopstu";
    const bool isClass =
        !name.empty() && name.size() <= 2 &&
        classes.find(name[0]) != classes.npos &&
        (name.size() == 1 || details.find(name[1]) != details.npos);
    if (!isClass && std::ranges::find(scripts, name) == std::end(scripts))
      return unsupported(rest.substr(0, end + 1));
    return copy(end + 1);
  }

  bool characterClass() {
    copy(1);
    if (rest.starts_with('^'))
      copy(1);
    if (rest.starts_with(']'))
      return unsupported("[]");
    return members() && copy(1);
  }

  /// The members of a class up to its ']'. A class among them is a union, so
  /// its members are members of this one.
  bool members() {
    while (!rest.starts_with(']')) {
      if (rest.empty()) {
        problem = "lacks a ']'";
        return false;
      }
      if (rest.starts_with("&&"))
        return unsupported("&&");
      if (rest.front() == '[') {
        if (!nestedClass())
          return false;
        continue;
      }
      if (!(rest.front() == '\\' ? escape(WHITE_SPACE, "") : copy(1)))
        return false;
    }
    return true;
  }

  /// A class in a class that is not negated. A '-' at one of its ends would
  /// become a range.
  bool nestedClass() {
    if (depth == 1 || result.ends_with('-') || rest.starts_with("[^") ||
        rest.starts_with("[:") || rest.starts_with("[]") ||
        rest.starts_with("[-"))
      return unsupported("[");
    ++depth;
    rest.remove_prefix(1);
    if (!members())
      return false;
    rest.remove_prefix(1);
    --depth;
    return !(result.ends_with('-') || rest.starts_with('-')) ||
           unsupported("[");
  }

  std::string_view rest;
  int depth = 0; ///< of classes in a class
};

} // namespace

Result<std::string>
tilegpt::runtime::translatePattern(std::string_view expression) {
  Translator translator(expression);
  if (!translator.run())
    return makeError(ErrorCode::BadInput, translator.problem);
  return translator.result;
}
