// Looks characters up in the double array of a precompiled_charsmap.
#include "CharacterMap.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include <utf8proc.h>

using namespace tilegpt::runtime;

/// Reads a little-endian word.
static uint32_t wordAt(std::string_view bytes, size_t offset) {
  uint32_t word = 0;
  for (size_t i = 0; i < 4; ++i)
    word |= uint32_t(uint8_t(bytes[offset + i])) << 8 * i;
  return word;
}

Result<CharacterMap> CharacterMap::parse(std::string_view table,
                                         Sequences sequences) {
  const size_t size = table.size() < 4 ? 0 : wordAt(table, 0);
  if (size == 0 || size % 4 != 0 || size > table.size() - 4 ||
      (table.size() > size + 4 && table.back() != '\0'))
    return makeError(ErrorCode::BadInput,
                     "is malformed; expected the size of a trie, the trie and "
                     "replacements that end with a zero");
  CharacterMap map;
  map.sequences = sequences;
  for (size_t i = 0; i < size / 4; ++i)
    map.units.push_back(wordAt(table, 4 + 4 * i));
  map.replacements = table.substr(4 + size);
  return map;
}

std::optional<CharacterMap::Entry>
CharacterMap::find(std::string_view text) const {
  // The fields of a unit: the offset of its children, the byte that leads to
  // it, and whether a value follows.
  const auto offset = [](uint32_t unit) {
    return (unit >> 10) << ((unit & (1u << 9)) >> 6);
  };
  constexpr uint32_t labelBits = 1u << 31 | 0xFF, valueBits = (1u << 31) - 1;
  std::optional<Entry> found;
  uint32_t position = offset(units[0]);
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = uint8_t(text[i]);
    position ^= byte;
    if (position >= units.size() || (units[position] & labelBits) != byte)
      return found;
    const uint32_t unit = units[position];
    position ^= offset(unit);
    if (!(unit >> 8 & 1))
      continue;
    const size_t begin =
        position < units.size() ? units[position] & valueBits : ~uint32_t(0);
    if (begin >= replacements.size())
      return found;
    found = {i + 1, replacements.c_str() + begin};
    if (sequences == Sequences::Graphemes)
      return found;
  }
  return found;
}

std::optional<std::string> CharacterMap::apply(std::string_view text,
                                               size_t most) const {
  return sequences == Sequences::Longest ? mapLongest(text, most)
                                         : mapGraphemes(text, most);
}

std::optional<std::string> CharacterMap::mapLongest(std::string_view text,
                                                    size_t most) const {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const size_t bytes = firstCharacter(text).bytes;
    const Entry entry =
        find(text).value_or(Entry{bytes, text.substr(0, bytes)});
    result += entry.replacement;
    if (result.size() > most)
      return std::nullopt;
    text.remove_prefix(entry.bytes);
  }
  return result;
}

std::optional<std::string> CharacterMap::mapGraphemes(std::string_view text,
                                                      size_t most) const {
  constexpr size_t shortGrapheme = 6;
  std::string result;
  result.reserve(text.size());
  const auto addCharacters = [&](std::string_view grapheme) {
    while (!grapheme.empty() && result.size() <= most) {
      const size_t bytes = firstCharacter(grapheme).bytes;
      const std::string_view character = grapheme.substr(0, bytes);
      result += find(character).value_or(Entry{bytes, character}).replacement;
      grapheme.remove_prefix(bytes);
    }
  };
  while (!text.empty()) {
    Utf8Step step = firstCharacter(text);
    size_t size = step.bytes;
    for (utf8proc_int32_t state = 0; size < text.size(); size += step.bytes) {
      const auto before = utf8proc_int32_t(step.character);
      step = firstCharacter(text.substr(size));
      if (utf8proc_grapheme_break_stateful(
              before, utf8proc_int32_t(step.character), &state))
        break;
    }
    const std::string_view grapheme = text.substr(0, size);
    const auto entry = size < shortGrapheme ? find(grapheme) : std::nullopt;
    if (entry)
      result += entry->replacement;
    else
      addCharacters(grapheme);
    if (result.size() > most)
      return std::nullopt;
    text.remove_prefix(size);
  }
  return result;
}
