// The pipeline of a tokenizer.json: normalizer, pre-tokenizer, decoder and
// post-processor.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERPIPELINE_H
#define TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERPIPELINE_H

#include "Normalizer.h"
#include "PreTokenizer.h"
#include "TileGPT/Runtime/Data/Json.h"
#include <utility>

namespace tilegpt::runtime {

/// How token texts are converted back to text.
struct TokenDecoder {
  std::vector<std::pair<std::string, std::string>> replacements;
  /// Precedes every token; a space if there is no decoder.
  std::string_view separator;
  /// The maximum number of leading spaces to strip from a text.
  size_t stripSpaces = 0;
  /// Whether the space that ends the last word is stripped from a text.
  bool stripsLastSpace = false;
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
/// \returns BadInput that names an unsupported part.
Result<TokenizerPipeline> parsePipeline(JsonValue root, std::string_view where);

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERPIPELINE_H
