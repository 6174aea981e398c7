// What a loaded tokenizer is made of. TokenizerLoad.cpp puts the parts
// together, TokenizerRun.cpp runs text through them.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERPARTS_H
#define TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERPARTS_H

#include "Bpe.h"
#include "PreTokenizer.h"
#include "TileGPT/Runtime/Data/StringIndex.h"
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include "TokenizerSource.h"
#include <array>
#include <string>
#include <vector>

namespace tilegpt::runtime {

struct AddedToken {
  std::string text;
  int32_t id;
  bool special;
};

struct Tokenizer::Parts {
  PreTokenizer splitter;
  /// The bytes of all tokens, and where each one's end.
  std::string pool;
  std::vector<size_t> ends;
  std::array<int32_t, 256> byteIds;
  MergeTable merges{0};
  /// By length, longest first, so that the first that fits is the right one.
  std::vector<AddedToken> added;
  /// Whether an added token starts with this byte.
  std::array<bool, 256> startsAdded = {};

  // Loading.
  Result<void> addTokens(const TokenizerSource &source, StringIndex &index);
  bool appendBytes(std::string_view text);
  Result<void> addMerges(const TokenizerSource &source,
                         const StringIndex &index);
  // Encoding.
  Result<void> encodePlain(std::string_view text, BpeEncoder &bpe,
                           std::vector<int32_t> &ids) const;
  const AddedToken *findAdded(std::string_view text, SpecialText special,
                              size_t &position) const;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERPARTS_H
