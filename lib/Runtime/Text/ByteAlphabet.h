// The byte alphabet of tokenizer files: each of the 256 bytes is one printable
// character. 188 represent themselves, the other 68 are U+0100 and following.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_BYTEALPHABET_H
#define TILEGPT_LIB_RUNTIME_TEXT_BYTEALPHABET_H

#include <array>
#include <cstdint>
#include <optional>

namespace tilegpt::runtime {

/// Byte to character.
constexpr std::array<char32_t, 256> byteAlphabet = [] {
  std::array<char32_t, 256> characters = {};
  char32_t next = 0x100;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool printable = (byte >= '!' && byte <= '~') ||
                           (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    characters[byte] = printable ? char32_t(byte) : next++;
  }
  return characters;
}();

inline constexpr char32_t byteAlphabetEnd = 0x144;
static_assert(byteAlphabet[' '] == 0x120 &&
              byteAlphabet[0xAD] == byteAlphabetEnd - 1);

/// Character to byte; nothing for a character outside the alphabet.
constexpr std::optional<uint8_t> byteOf(char32_t character) {
  constexpr auto bytes = [] {
    std::array<int16_t, byteAlphabetEnd> table = {};
    table.fill(-1);
    for (unsigned byte = 0; byte < 256; ++byte)
      table[byteAlphabet[byte]] = int16_t(byte);
    return table;
  }();
  if (character >= byteAlphabetEnd || bytes[character] < 0)
    return std::nullopt;
  return uint8_t(bytes[character]);
}

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_BYTEALPHABET_H
