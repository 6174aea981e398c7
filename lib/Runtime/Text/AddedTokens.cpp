// Finds added tokens in text.
#include "AddedTokens.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include <algorithm>
#include <tuple>
#include <utf8proc.h>
#include <utility>

using namespace tilegpt::runtime;

namespace {

/// Unicode's White_Space property.
bool isWhiteSpace(char32_t c) {
  return (c >= '\t' && c <= '\r') || c == ' ' || c == 0x85 || c == 0xA0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

/// Whether a character continues a word, as `\w` of Unicode regular
/// expressions.
bool isWordCharacter(char32_t c) {
  switch (utf8proc_category(utf8proc_int32_t(c))) {
  case UTF8PROC_CATEGORY_LU:
  case UTF8PROC_CATEGORY_LL:
  case UTF8PROC_CATEGORY_LT:
  case UTF8PROC_CATEGORY_LM:
  case UTF8PROC_CATEGORY_LO:
  case UTF8PROC_CATEGORY_MN:
  case UTF8PROC_CATEGORY_MC:
  case UTF8PROC_CATEGORY_ME:
  case UTF8PROC_CATEGORY_ND:
  case UTF8PROC_CATEGORY_NL:
  case UTF8PROC_CATEGORY_PC:
    return true;
  default: // joiners, and the letters in circles and squares
    return c == 0x200C || c == 0x200D || (c >= 0x24B6 && c <= 0x24E9) ||
           (c >= 0x1F130 && c <= 0x1F149) || (c >= 0x1F150 && c <= 0x1F169) ||
           (c >= 0x1F170 && c <= 0x1F189);
  }
}

/// The last character of `text`, which must not be empty, with its size; U+FFFD
/// for invalid bytes.
Utf8Step lastCharacter(std::string_view text) {
  size_t begin = text.size() - 1;
  while (begin > 0 && (uint8_t(text[begin]) & 0xC0) == 0x80)
    --begin;
  const Utf8Step step = firstCharacter(text.substr(begin));
  return begin + step.bytes == text.size() ? step
                                           : Utf8Step{0xFFFD, 1, false, false};
}

/// The leading or trailing white space of `text`, in bytes.
size_t spaceInFront(std::string_view text) {
  size_t size = 0;
  while (size < text.size()) {
    const Utf8Step step = firstCharacter(text.substr(size));
    if (!step.valid || !isWhiteSpace(step.character))
      break;
    size += step.bytes;
  }
  return size;
}
size_t spaceAtEnd(std::string_view text) {
  size_t size = 0;
  while (size < text.size()) {
    const Utf8Step step = lastCharacter(text.substr(0, text.size() - size));
    if (!step.valid || !isWhiteSpace(step.character))
      break;
    size += step.bytes;
  }
  return size;
}

/// Whether no word continues on either side of text[begin, end).
bool isWholeWord(std::string_view text, size_t begin, size_t end) {
  const auto touches = [](Utf8Step step) {
    return step.valid && isWordCharacter(step.character);
  };
  return !(begin > 0 && touches(lastCharacter(text.substr(0, begin)))) &&
         !(end < text.size() && touches(firstCharacter(text.substr(end))));
}

} // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> list)
    : tokens(std::move(list)) {
  std::erase_if(tokens,
                [](const AddedToken &token) { return token.text.empty(); });
  std::ranges::sort(tokens, std::greater(), [](const AddedToken &token) {
    return std::tuple(token.text.size(), std::string_view(token.text),
                      token.id);
  });
  for (const AddedToken &token : tokens)
    starts[uint8_t(token.text.front())] = true;
}

const AddedToken *AddedTokens::find(std::string_view text,
                                    Tokenizer::SpecialText special,
                                    size_t &position) const {
  const auto matches = [&](const AddedToken &token) {
    return (special == Tokenizer::SpecialText::Tokens || !token.special) &&
           text.substr(position).starts_with(token.text);
  };
  while (position < text.size()) {
    const auto token = starts[uint8_t(text[position])]
                           ? std::ranges::find_if(tokens, matches)
                           : tokens.end();
    if (token == tokens.end()) {
      ++position;
      continue;
    }
    const size_t end = position + token->text.size();
    if (!token->isWholeWord || isWholeWord(text, position, end))
      return &*token;
    position = end;
  }
  return nullptr;
}

Result<void> AddedTokens::split(
    std::string_view text, Tokenizer::SpecialText special,
    const std::function<Result<void>(std::string_view, size_t)> &onText,
    const std::function<void(int32_t)> &onToken) const {
  for (size_t position = 0; position < text.size();) {
    const size_t start = position;
    const AddedToken *token = find(text, special, position);
    std::string_view plain = text.substr(start, position - start);
    if (token && token->takesSpaceBefore)
      plain.remove_suffix(spaceAtEnd(plain));
    if (auto good = onText(plain, start); !good)
      return good;
    if (!token)
      break;
    onToken(token->id);
    position += token->text.size();
    if (token->takesSpaceBehind)
      position += spaceInFront(text.substr(position));
  }
  return {};
}
