// The contents of tokenizer files in a common form for both layouts: tokens,
// merges and added tokens, not yet checked for consistency.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERSOURCE_H
#define TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERSOURCE_H

#include "TileGPT/Runtime/Data/Json.h"
#include "TileGPT/Runtime/Error.h"
#include "TokenizerPipeline.h"
#include "TokenizerSettings.h"
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::runtime {

/// Views refer to the contents of the files, to `documents` and to `texts`.
struct TokenizerSource {
  struct Token {
    std::string_view text; ///< byte-level: in the byte alphabet
    int64_t id;
    double score = 0; ///< of a unigram model: larger is likelier
  };
  struct Merge {
    std::string_view left, right; ///< as tokens are
    size_t position;              ///< line or index, for messages
  };
  struct Added {
    std::string_view text; ///< as it is
    int64_t id;
    bool special; ///< false: also found in plain text
    bool takesSpaceBefore = false, takesSpaceBehind = false;
    bool isWholeWord = false;
    bool isNormalized = false; ///< searched in normalized text
    bool isNormalForm = false; ///< the same, and the text is normalized already
  };

  std::vector<Token> tokens;
  std::vector<Merge> merges;
  std::vector<Added> added;
  TokenizerPipeline pipeline;
  /// The token for unknown characters; empty if there is none.
  std::string_view unknown;
  /// Follows the last character of a piece in its token; empty for none.
  std::string_view endOfWord;
  bool fusesUnknown = false;  ///< one token for all in a row
  bool hasByteTokens = false; ///< a character that is no token becomes <0xNN>
  bool ignoresMerges = false; ///< a piece that is a token stays whole
  bool isUnigram = false;     ///< scores decide instead of merges
  bool sumsSingle = false;    ///< sums of scores are in single precision
  std::string vocabWhere;     ///< starts messages about tokens
  std::string mergesWhere; ///< starts messages about merges, up to the position
  std::vector<JsonDocument> documents;
  std::deque<std::string> texts; ///< of tokens that no file has as they are
};

/// \param where  the location of the error: a file or a place in it.
template <typename... Parts>
tl::unexpected<Error> badTokenizer(std::string_view where,
                                   const Parts &...problem) {
  return makeError(ErrorCode::BadInput, where, " ", problem...);
}

/// Parses a tokenizer.json. Rejects unsupported parts and settings by name.
Result<TokenizerSource> parseTokenizerJson(std::string_view text,
                                           std::string_view where);

/// Parses a vocab.json and a merges.txt; see Tokenizer::fromVocabAndMerges.
/// \param settings  determine how text is split.
Result<TokenizerSource> parseVocabAndMerges(std::string_view vocab,
                                            std::string_view vocabWhere,
                                            std::string_view merges,
                                            std::string_view mergesWhere,
                                            const TokenizerSettings &settings);

/// Parses a SentencePiece file, tokenizer.model.
Result<TokenizerSource> parseSentencePiece(std::string_view bytes,
                                           std::string_view where,
                                           const TokenizerSettings &settings);

/// Parses a tekken.json.
Result<TokenizerSource> parseTekken(std::string_view text,
                                    std::string_view where);

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERSOURCE_H
