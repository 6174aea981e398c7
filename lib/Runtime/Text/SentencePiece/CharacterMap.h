// SentencePiece's normalization by a table of character sequences: that of a
// tokenizer.model, and the normalizer "Precompiled" of tokenizer.json.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_SENTENCEPIECE_CHARACTERMAP_H
#define TILEGPT_LIB_RUNTIME_TEXT_SENTENCEPIECE_CHARACTERMAP_H

#include "TileGPT/Runtime/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::runtime {

class CharacterMap {
public:
  /// Which sequences of a text are looked up in the table.
  enum class Sequences : uint8_t {
    Longest,   ///< at each position the longest one in the table, as
               ///< SentencePiece does
    Graphemes, ///< graphemes of less than six bytes, and the characters of
               ///< other ones, by their shortest prefix in the table, as the
               ///< tokenizers library does
  };

  /// \param table  a precompiled_charsmap: the size of a trie in bytes, the
  ///               trie as a double array of 32-bit units (darts-clone), and
  ///               the replacements, each with a zero at its end; little
  ///               endian.
  /// \returns BadInput, without a location, if the table is malformed.
  static Result<CharacterMap> parse(std::string_view table,
                                    Sequences sequences);

  /// Replaces the sequences that are in the table.
  /// \param text  valid UTF-8.
  /// \param most  maximum size of the result in bytes.
  /// \returns nothing if the result is larger.
  std::optional<std::string> apply(std::string_view text, size_t most) const;

private:
  struct Entry {
    size_t bytes;
    std::string_view replacement;
  };

  /// The longest or the shortest prefix in the table, if there is one.
  std::optional<Entry> find(std::string_view text) const;

  std::optional<std::string> mapLongest(std::string_view text,
                                        size_t most) const;
  std::optional<std::string> mapGraphemes(std::string_view text,
                                          size_t most) const;

  Sequences sequences = Sequences::Longest;
  std::vector<uint32_t> units;
  std::string replacements;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_SENTENCEPIECE_CHARACTERMAP_H
