// What a tokenizer.json says around its model: normalizer, pre-tokenizer,
// decoder and post-processor.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERPIPELINE_H
#define TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERPIPELINE_H

#include "Normalizer.h"
#include "PreTokenizer.h"
#include "TileGPT/Runtime/Data/Json.h"
#include <utility>

namespace tilegpt::runtime {

/// How the texts of tokens become text again.
struct TokenDecoder {
  std::vector<std::pair<std::string, std::string>> replacements;
  /// Spaces that go from the front of a text: as many at most.
  size_t stripSpaces = 0;
};

struct TokenizerPipeline {
  Normalizer normalizer;
  PreTokenizer preTokenizer;
  /// Pieces are spelled byte by byte in GPT-2's alphabet, and so are tokens.
  bool isByteLevel = false;
  TokenDecoder decoder;
  /// Special tokens around every text, by their text.
  std::vector<std::string> before, after;
};

/// Reads the members of a tokenizer.json.
/// \returns BadInput that names what is not understood.
Result<TokenizerPipeline> parsePipeline(JsonValue root, std::string_view where);

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERPIPELINE_H
