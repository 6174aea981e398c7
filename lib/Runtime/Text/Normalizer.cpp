// Runs normalizers; utf8proc provides the Unicode data.
#include "Normalizer.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utf8proc.h>

using namespace tilegpt::runtime;

static bool isAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return uint8_t(c) < 0x80; });
}

static Result<std::string> toNormalForm(std::string text, int options) {
  // ASCII, the common case, is in every normal form.
  if (isAscii(text))
    return text;
  utf8proc_uint8_t *mapped = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t *>(text.data()),
                   utf8proc_ssize_t(text.size()), &mapped,
                   utf8proc_option_t(UTF8PROC_STABLE | options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(
      mapped, &std::free);
  if (size < 0)
    return makeError(
        ErrorCode::Failure,
        "tokenizer: cannot normalize the text: ", utf8proc_errmsg(size));
  return std::string(reinterpret_cast<const char *>(mapped), size_t(size));
}

/// The full lowercase mapping of a character, without language-specific rules.
static void appendLowercase(std::string &text, char32_t character) {
  if (character == 0x130) { // I with a dot keeps it
    text += "i\xcc\x87";
    return;
  }
  appendUtf8(text, char32_t(utf8proc_tolower(utf8proc_int32_t(character))));
}

static std::string toLowercase(std::string_view text) {
  std::string lower;
  lower.reserve(text.size());
  while (!text.empty()) {
    const Utf8Step step = firstCharacter(text);
    appendLowercase(lower, step.character);
    text.remove_prefix(step.bytes);
  }
  return lower;
}

static tl::unexpected<Error> tooLong(size_t most) {
  return makeError(ErrorCode::Failure,
                   "tokenizer: the normalizers make more than ", most,
                   " bytes of the text");
}

/// \param most  maximum size of the result in bytes.
static Result<std::string> replaceAll(std::string text, const Pattern &pattern,
                                      std::string_view by, size_t most) {
  const auto matches = pattern.find(text);
  if (!matches)
    return tl::unexpected(matches.error());
  if (matches->empty())
    return text;
  if (matches->size() * by.size() > most)
    return tooLong(most);
  std::string result;
  size_t position = 0;
  for (const auto &[begin, end] : *matches) {
    result.append(text, position, begin - position).append(by);
    position = end;
  }
  return result.append(text, position);
}

Result<std::string> Normalizer::apply(std::string text) const {
  using Kind = NormalizerStep::Kind;
  const size_t most = mostBytesOf(text.size());
  for (const NormalizerStep &step : steps) {
    Result<std::string> next;
    switch (step.kind) {
    case Kind::Nfc:
      next = toNormalForm(std::move(text), UTF8PROC_COMPOSE);
      break;
    case Kind::Nfd:
      next = toNormalForm(std::move(text), UTF8PROC_DECOMPOSE);
      break;
    case Kind::Nfkc:
      next = toNormalForm(std::move(text), UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
      break;
    case Kind::Nfkd:
      next =
          toNormalForm(std::move(text), UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
      break;
    case Kind::Lowercase:
      next = toLowercase(text);
      break;
    case Kind::Prepend:
      next = text.empty() ? std::move(text) : step.content + text;
      break;
    case Kind::Replace:
      next = replaceAll(std::move(text), step.pattern, step.content, most);
      break;
    }
    if (!next)
      return next;
    if (next->size() > most)
      return tooLong(most);
    text = std::move(*next);
  }
  return text;
}
