// The components of a loaded tokenizer. TokenizerLoad.cpp builds them,
// TokenizerRun.cpp runs text through them.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERPARTS_H
#define TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERPARTS_H

#include "AddedTokens.h"
#include "Models/Bpe.h"
#include "Models/Unigram.h"
#include "TileGPT/Runtime/Data/StringIndex.h"
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include "TokenizerSource.h"
#include <array>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tilegpt::runtime {

struct Tokenizer::Parts {
  TokenizerPipeline pipeline;
  /// The bytes of all tokens and their end offsets.
  std::string pool;
  std::vector<size_t> ends;
  /// Ids below the largest one without a token.
  std::unordered_set<int32_t> leftOut;
  /// The tokens of single bytes: the whole alphabet of a byte-level tokenizer,
  /// otherwise for characters without a token; -1 for none.
  std::array<int32_t, 256> byteIds;
  /// The tokens of single characters, unless it is byte-level.
  std::unordered_map<char32_t, int32_t> characterIds;
  /// The same for the last characters of pieces, if words have an end of their
  /// own.
  std::unordered_map<char32_t, int32_t> lastCharacterIds;
  bool marksEnds = false;
  int32_t unknownId = -1; ///< -1: none
  bool fusesUnknown = false;
  MergeTable merges{0};
  /// Instead of merges.
  std::optional<Unigram> unigram;
  /// Pieces that are not merged, and their tokens; empty if merges decide.
  StringIndex whole{0};
  std::vector<int32_t> wholeIds;
  std::deque<std::string> wholeTexts;
  /// Searched for in the raw text.
  AddedTokens added;
  /// Normalized like the text, and searched for between the tokens of `added`.
  AddedTokens addedNormalized;
  std::vector<int32_t> specialIds;
  /// The special tokens that the post-processor adds around a text.
  Frame frame;

  // Loading.
  Result<void> addTokens(const TokenizerSource &source, StringIndex &index);
  void addSymbol(const TokenizerSource &source, std::string_view text,
                 int32_t id);
  Result<void> addToken(const TokenizerSource &source, std::string_view text);
  Result<void> addUnknown(const TokenizerSource &source,
                          const StringIndex &index);
  Result<void> addFrame(const TokenizerSource &source,
                        const StringIndex &index);
  /// Whether a token is special, by id.
  std::vector<bool> specialTokens() const;
  void addWhole(const TokenizerSource &source);
  void addUnigram(const TokenizerSource &source);
  bool appendBytes(std::string_view text);
  Result<void> appendDecoded(const TokenizerSource &source,
                             std::string_view text);
  Result<void> addMerges(const TokenizerSource &source,
                         const StringIndex &index);
  Result<void> checkReached(const TokenizerSource &source,
                            const StringIndex &index) const;

  // Encoding.
  /// Memory that is reused from piece to piece.
  struct Scratch {
    explicit Scratch(const MergeTable &merges) : bpe(merges) {}
    BpeEncoder bpe;
    Pieces pieces;
    std::vector<int32_t> symbols;
    std::vector<UnigramPart> parts;
    std::string bytes;
  };
  Result<void> encodePlain(std::string_view text, bool isFirst,
                           SpecialText special, Scratch &scratch,
                           std::vector<int32_t> &ids) const;
  void encodePiece(std::string_view piece, Scratch &scratch,
                   std::vector<int32_t> &ids) const;
  void appendSymbols(std::string_view piece, Scratch &scratch) const;
  void encodeUnigram(std::string_view piece, Scratch &scratch,
                     std::vector<int32_t> &ids) const;
  void appendUnknown(std::string_view text, Scratch &scratch,
                     std::vector<int32_t> &ids) const;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERPARTS_H
