// Properties and mappings of characters; utf8proc provides the Unicode data.
#include "Characters.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include <algorithm>
#include <array>
#include <utf8proc.h>

namespace tilegpt::runtime::chat {

static utf8proc_category_t categoryOf(char32_t character) {
  return utf8proc_category(utf8proc_int32_t(character));
}

bool isWhiteSpace(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 ||
         c == 0x2028 || c == 0x2029 || categoryOf(c) == UTF8PROC_CATEGORY_ZS;
}

bool isLineEnd(char32_t c) {
  return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 ||
         c == 0x2028 || c == 0x2029;
}

bool isPrintable(char32_t c) {
  switch (categoryOf(c)) {
  case UTF8PROC_CATEGORY_CC:
  case UTF8PROC_CATEGORY_CF:
  case UTF8PROC_CATEGORY_CS:
  case UTF8PROC_CATEGORY_CO:
  case UTF8PROC_CATEGORY_CN:
  case UTF8PROC_CATEGORY_ZL:
  case UTF8PROC_CATEGORY_ZP:
    return false;
  case UTF8PROC_CATEGORY_ZS:
    return c == ' ';
  default:
    return true;
  }
}

std::vector<std::string_view> charactersOf(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) {
    const size_t bytes = firstCharacter(text).bytes;
    characters.push_back(text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return characters;
}

/// The last character of a text that is not empty, as firstCharacter() would
/// find it.
static Utf8Step lastCharacter(std::string_view text) {
  for (size_t bytes = std::min<size_t>(text.size(), 4); bytes > 1; --bytes) {
    const Utf8Step step = firstCharacter(text.substr(text.size() - bytes));
    if (step.valid && step.bytes == bytes)
      return step;
  }
  return firstCharacter(text.substr(text.size() - 1));
}

std::string_view strip(std::string_view text,
                       std::optional<std::string_view> characters, int sides) {
  std::vector<std::string_view> known;
  if (characters)
    known = charactersOf(*characters);
  const auto isStripped = [&](std::string_view bytes, const Utf8Step &step) {
    return characters ? std::ranges::find(known, bytes) != known.end()
                      : isWhiteSpace(step.character);
  };
  while ((sides & 1) && !text.empty()) {
    const Utf8Step step = firstCharacter(text);
    if (!isStripped(text.substr(0, step.bytes), step))
      break;
    text.remove_prefix(step.bytes);
  }
  while ((sides & 2) && !text.empty()) {
    const Utf8Step step = lastCharacter(text);
    if (!isStripped(text.substr(text.size() - step.bytes), step))
      break;
    text.remove_suffix(step.bytes);
  }
  return text;
}

std::vector<std::string_view> words(std::string_view text, long most) {
  std::vector<std::string_view> found;
  for (;; --most) {
    text = strip(text, std::nullopt, 1);
    if (text.empty())
      return found;
    size_t end = 0;
    while (most != 0 && end < text.size()) {
      const Utf8Step step = firstCharacter(text.substr(end));
      if (isWhiteSpace(step.character))
        break;
      end += step.bytes;
    }
    found.push_back(text.substr(0, most == 0 ? text.npos : end));
    text.remove_prefix(found.back().size());
  }
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static char32_t simpleUpper(char32_t c) {
  return char32_t(utf8proc_toupper(utf8proc_int32_t(c)));
}
static char32_t simpleTitle(char32_t c) {
  return char32_t(utf8proc_totitle(utf8proc_int32_t(c)));
}

static char32_t simpleLower(char32_t c) {
  return char32_t(utf8proc_tolower(utf8proc_int32_t(c)));
}

static bool isTitle(char32_t c) {
  return categoryOf(c) == UTF8PROC_CATEGORY_LT;
}
/// Numbers such as the Roman ones have cases, too.
static bool isUpper(char32_t c) {
  return categoryOf(c) == UTF8PROC_CATEGORY_LU ||
         (simpleLower(c) != c && !isTitle(c));
}
static bool isLower(char32_t c) {
  return categoryOf(c) == UTF8PROC_CATEGORY_LL ||
         (simpleUpper(c) != c && !isTitle(c));
}
static bool isCased(char32_t c) {
  return isUpper(c) || isLower(c) || isTitle(c);
}

/// The characters that this one is compared as without regard to case.
static std::u32string folded(char32_t c) {
  std::array<utf8proc_int32_t, 8> characters;
  int boundary = 0;
  const auto count =
      utf8proc_decompose_char(utf8proc_int32_t(c), characters.data(),
                              characters.size(), UTF8PROC_CASEFOLD, &boundary);
  if (count <= 0 || size_t(count) > characters.size())
    return std::u32string(1, c);
  return std::u32string(characters.begin(), characters.begin() + count);
}

/// The folding of a character that has no single character for another case,
/// such as ß; empty for others.
static std::u32string expansion(char32_t c) {
  std::u32string characters = folded(c);
  return characters.size() > 1 && categoryOf(c) != UTF8PROC_CATEGORY_LU
             ? characters
             : std::u32string();
}

static std::u32string upper(char32_t c) {
  std::u32string characters = expansion(c);
  if (characters.empty())
    return {simpleUpper(c)};
  std::ranges::transform(characters, characters.begin(), simpleUpper);
  return characters;
}

static std::u32string title(char32_t c) {
  if (c == U'\u00DF')
    return U"Ss";
  if (c == U'\u0149')
    return U"\u02BCN";
  std::u32string characters = expansion(c);
  if (characters.empty() || simpleTitle(c) != c || isTitle(c))
    return {simpleTitle(c)};
  characters[0] = simpleTitle(characters[0]);
  return characters;
}

/// What may stand between a letter and the end of its word.
static bool isIgnoredByCase(char32_t c) {
  switch (categoryOf(c)) {
  case UTF8PROC_CATEGORY_MN:
  case UTF8PROC_CATEGORY_ME:
  case UTF8PROC_CATEGORY_CF:
  case UTF8PROC_CATEGORY_LM:
  case UTF8PROC_CATEGORY_SK:
    return true;
  default:
    return std::u32string_view(U"'.:\u00B7\u0387\u2018\u2019\u2024\u2027")
               .find(c) != std::u32string_view::npos;
  }
}

/// A sigma at the end of a word has a form of its own.
static bool isFinalSigma(std::u32string_view text, size_t at) {
  size_t before = at, after = at + 1;
  while (before > 0 && isIgnoredByCase(text[before - 1]))
    --before;
  while (after < text.size() && isIgnoredByCase(text[after]))
    ++after;
  return before > 0 && isCased(text[before - 1]) &&
         !(after < text.size() && isCased(text[after]));
}

static std::u32string lower(std::u32string_view text, size_t at) {
  const char32_t c = text[at];
  if (c == U'\u0130')
    return U"i\u0307";
  if (c == U'\u03A3' && isFinalSigma(text, at))
    return U"\u03C2";
  return {simpleLower(c)};
}

static std::u32string swapped(std::u32string_view text, size_t at) {
  if (isUpper(text[at]))
    return lower(text, at);
  return isLower(text[at]) ? upper(text[at]) : std::u32string(1, text[at]);
}

static std::u32string decoded(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) {
    const Utf8Step step = firstCharacter(text);
    characters += step.character;
    text.remove_prefix(step.bytes);
  }
  return characters;
}

static std::string encoded(std::u32string_view characters) {
  std::string text;
  for (const char32_t c : characters)
    appendUtf8(text, c);
  return text;
}

std::string inCase(std::string_view text, std::string_view name) {
  const std::u32string characters = decoded(text);
  std::u32string result;
  bool isInWord = false;
  for (size_t i = 0; i < characters.size(); ++i) {
    const char32_t c = characters[i];
    const bool isFirst = name == "title" ? !isInWord : i == 0;
    result += name == "upper"                 ? upper(c)
              : name == "casefold"            ? folded(c)
              : name == "swapcase"            ? swapped(characters, i)
              : (name == "lower" || !isFirst) ? lower(characters, i)
                                              : title(c);
    isInWord = isCased(c);
  }
  return encoded(result);
}

std::string inTitleCase(std::string_view text) {
  const std::u32string characters = decoded(text);
  const auto isBetween = [](char32_t c) {
    return isWhiteSpace(c) ||
           std::u32string_view(U"-({[<").find(c) != std::u32string_view::npos;
  };
  std::u32string result;
  for (size_t i = 0; i < characters.size();) {
    size_t end = i;
    while (end < characters.size() &&
           isBetween(characters[end]) == isBetween(characters[i]))
      ++end;
    const auto word = std::u32string_view(characters).substr(i, end - i);
    result += upper(word[0]);
    for (size_t k = 0; k + 1 < word.size(); ++k)
      result += lower(word.substr(1), k);
    i = end;
  }
  return encoded(result);
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

static constexpr std::array<std::string_view, 11> classNames = {
    "isdigit", "isdecimal", "isnumeric", "isalpha",     "isalnum", "isspace",
    "islower", "isupper",   "isascii",   "isprintable", "istitle"};

bool isClassName(std::string_view name) {
  return std::ranges::find(classNames, name) != classNames.end();
}

static bool isLetter(char32_t c) {
  switch (categoryOf(c)) {
  case UTF8PROC_CATEGORY_LU:
  case UTF8PROC_CATEGORY_LL:
  case UTF8PROC_CATEGORY_LT:
  case UTF8PROC_CATEGORY_LM:
  case UTF8PROC_CATEGORY_LO:
    return true;
  default:
    return false;
  }
}

static bool isDecimal(char32_t c) {
  return categoryOf(c) == UTF8PROC_CATEGORY_ND;
}
static bool isSuperOrSubscript(char32_t c) {
  return c == 0xB2 || c == 0xB3 || c == 0xB9 || c == 0x2070 ||
         (c >= 0x2074 && c <= 0x2079) || (c >= 0x2080 && c <= 0x2089);
}
static bool isNumeric(char32_t c) {
  return isDecimal(c) || categoryOf(c) == UTF8PROC_CATEGORY_NL ||
         categoryOf(c) == UTF8PROC_CATEGORY_NO;
}

/// Whether every word starts with a capital and goes on in lower case.
static bool isTitled(std::u32string_view text) {
  bool isInWord = false, isAny = false;
  for (const char32_t c : text) {
    if (isCased(c) && (isUpper(c) || isTitle(c)) == isInWord)
      return false;
    isInWord = isCased(c);
    isAny |= isInWord;
  }
  return isAny;
}

bool isOfClass(std::string_view text, std::string_view name) {
  const std::u32string characters = decoded(text);
  const auto all = [&](const auto &is) {
    return std::ranges::all_of(characters, is);
  };
  if (name == "isascii")
    return all([](char32_t c) { return c < 0x80; });
  if (name == "isprintable")
    return all(isPrintable);
  if (characters.empty())
    return false;
  if (name == "istitle")
    return isTitled(characters);
  if (name == "islower" || name == "isupper")
    return std::ranges::any_of(characters, isCased) && all([&](char32_t c) {
             return !isCased(c) ||
                    (name == "islower" ? isLower(c) : isUpper(c));
           });
  return all(
      name == "isspace"     ? isWhiteSpace
      : name == "isalpha"   ? isLetter
      : name == "isdecimal" ? isDecimal
      : name == "isnumeric" ? isNumeric
      : name == "isdigit"
          ? [](char32_t c) { return isDecimal(c) || isSuperOrSubscript(c); }
          : [](char32_t c) { return isLetter(c) || isNumeric(c); });
}

} // namespace tilegpt::runtime::chat
