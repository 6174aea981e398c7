// Runs normalizers; utf8proc provides the Unicode data.
#include "Normalizer.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include <algorithm>
#include <array>
#include <utf8proc.h>
#include <utility>
#include <vector>

using namespace tilegpt::runtime;

Result<NormalizerStep>
NormalizerStep::mapBy(std::string_view table,
                      CharacterMap::Sequences sequences) {
  auto map = CharacterMap::parse(table, sequences);
  if (!map)
    return tl::unexpected(std::move(map.error()));
  NormalizerStep step = {Kind::Map};
  step.map = std::make_shared<const CharacterMap>(std::move(*map));
  return step;
}

static bool isAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return uint8_t(c) < 0x80; });
}

/// Sorts each run of combining characters by combining class, in
/// O(n log n); utf8proc_map() takes quadratic time.
static void sortCombiningCharacters(std::vector<utf8proc_int32_t> &text) {
  struct Mark {
    utf8proc_propval_t combiningClass;
    size_t position;
    utf8proc_int32_t character;
  };
  std::vector<Mark> run;
  const auto finishRun = [&](size_t end) {
    std::ranges::sort(run, {}, [](const Mark &mark) {
      return std::pair(mark.combiningClass, mark.position);
    });
    for (size_t i = 0; i < run.size(); ++i)
      text[end - run.size() + i] = run[i].character;
    run.clear();
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const utf8proc_propval_t combiningClass =
        utf8proc_get_property(text[i])->combining_class;
    if (combiningClass != 0)
      run.push_back({combiningClass, i, text[i]});
    else if (!run.empty())
      finishRun(i);
  }
  finishRun(text.size());
}

static Result<std::string> toNormalForm(std::string text, int form) {
  // ASCII, the common case, is in every normal form.
  if (isAscii(text))
    return text;
  const auto options = utf8proc_option_t(UTF8PROC_STABLE | form);
  const auto failed = [](utf8proc_ssize_t code) {
    return makeError(
        ErrorCode::Failure,
        "tokenizer: cannot normalize the text: ", utf8proc_errmsg(code));
  };
  std::vector<utf8proc_int32_t> characters;
  characters.reserve(text.size());
  for (std::string_view rest = text; !rest.empty();) {
    const Utf8Step step = firstCharacter(rest);
    rest.remove_prefix(step.bytes);
    std::array<utf8proc_int32_t, 18> parts; // the longest decomposition
    int boundary = UTF8PROC_BOUNDCLASS_START;
    const utf8proc_ssize_t count =
        utf8proc_decompose_char(utf8proc_int32_t(step.character), parts.data(),
                                parts.size(), options, &boundary);
    if (count < 0 || size_t(count) > parts.size())
      return failed(count < 0 ? count : UTF8PROC_ERROR_OVERFLOW);
    characters.insert(characters.end(), parts.begin(), parts.begin() + count);
  }
  sortCombiningCharacters(characters);
  const utf8proc_ssize_t size = utf8proc_normalize_utf32(
      characters.data(), utf8proc_ssize_t(characters.size()), options);
  if (size < 0)
    return failed(size);
  std::string normal;
  normal.reserve(text.size());
  for (size_t i = 0; i < size_t(size); ++i)
    appendUtf8(normal, char32_t(characters[i]));
  return normal;
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

/// \param keepsMatches  whether `by` is put around matches instead of in their
/// place.
/// \param most  maximum size of the result in bytes.
static Result<std::string> replaceAll(std::string text, const Pattern &pattern,
                                      std::string_view by, bool keepsMatches,
                                      size_t most) {
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
    if (keepsMatches)
      result.append(text, begin, end - begin).append(by);
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
    case Kind::Surround:
      next = replaceAll(std::move(text), step.pattern, step.content,
                        step.kind == Kind::Surround, most);
      break;
    case Kind::Map:
      if (auto mapped = step.map->apply(text, most))
        next = std::move(*mapped);
      else
        return tooLong(most);
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
