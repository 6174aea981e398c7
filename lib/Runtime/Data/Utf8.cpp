// Decodes by the table of well-formed byte sequences in the Unicode standard
// (table 3-7): the lead byte decides the length and the range of the second.
#include "TileGPT/Runtime/Data/Utf8.h"
#include <cstring>

using namespace tilegpt::runtime;

Utf8Step tilegpt::runtime::firstCharacter(std::string_view text) {
  const auto byteAt = [&](size_t i) { return uint8_t(text[i]); };
  const uint8_t lead = byteAt(0);
  if (lead < 0x80)
    return {lead, 1, true, false};

  constexpr char32_t none = 0xFFFD;
  // The second byte has a narrower range after the leads that could otherwise
  // start an overlong form, a surrogate or a character above U+10FFFF.
  uint8_t low = 0x80, high = 0xBF, length;
  if (lead >= 0xC2 && lead <= 0xDF)
    length = 2;
  else if ((lead & 0xF0) == 0xE0)
    length = 3;
  else if (lead >= 0xF0 && lead <= 0xF4)
    length = 4;
  else
    return {none, 1, false, false};
  if (lead == 0xE0)
    low = 0xA0;
  else if (lead == 0xED)
    high = 0x9F;
  else if (lead == 0xF0)
    low = 0x90;
  else if (lead == 0xF4)
    high = 0x8F;

  char32_t character = lead & (0x7F >> length);
  for (uint8_t i = 1; i < length; ++i) {
    if (i == text.size())
      return {none, i, false, true};
    if (byteAt(i) < low || byteAt(i) > high)
      return {none, i, false, false};
    character = character << 6 | (byteAt(i) & 0x3F);
    low = 0x80;
    high = 0xBF;
  }
  return {character, length, true, false};
}

std::optional<size_t> tilegpt::runtime::findInvalidUtf8(std::string_view text) {
  size_t i = 0;
  while (i < text.size()) {
    // Eight ASCII bytes at a time: most headers and most text are ASCII.
    uint64_t word;
    if (text.size() - i >= sizeof(word)) {
      std::memcpy(&word, text.data() + i, sizeof(word));
      if ((word & 0x8080808080808080) == 0) {
        i += sizeof(word);
        continue;
      }
    }
    const Utf8Step step = firstCharacter(text.substr(i));
    if (!step.valid)
      return i;
    i += step.bytes;
  }
  return std::nullopt;
}

void tilegpt::runtime::appendUtf8(std::string &text, char32_t character) {
  const auto tail = [&](int shift) {
    text += char(0x80 | (character >> shift & 0x3F));
  };
  if (character < 0x80) {
    text += char(character);
  } else if (character < 0x800) {
    text += char(0xC0 | character >> 6);
    tail(0);
  } else if (character < 0x10000) {
    text += char(0xE0 | character >> 12);
    tail(6);
    tail(0);
  } else {
    text += char(0xF0 | character >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}
