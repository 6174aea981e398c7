// Added tokens: words of a tokenizer that are found in text before it is split
// and merged.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_ADDEDTOKENS_H
#define TILEGPT_LIB_RUNTIME_TEXT_ADDEDTOKENS_H

#include "TileGPT/Runtime/Text/Tokenizer.h"
#include <array>
#include <functional>
#include <string>
#include <vector>

namespace tilegpt::runtime {

struct AddedToken {
  std::string text; ///< in the form that is searched for
  int32_t id;
  bool special;
  bool takesSpaceBefore, takesSpaceBehind;
  bool isWholeWord; ///< found only where no letter or digit touches it
};

/// The added tokens that are searched for in one form of a text: raw or
/// normalized.
class AddedTokens {
public:
  AddedTokens() = default;
  /// Tokens without text, which normalization may have removed, are never
  /// found.
  explicit AddedTokens(std::vector<AddedToken> list);

  /// Splits a text into tokens and the text between them, in order. The longest
  /// token at the leftmost position wins; special ones are text unless asked
  /// for.
  /// \param onText  gets a part, which may be empty, and its offset; an error
  ///        ends the split and is returned.
  Result<void>
  split(std::string_view text, Tokenizer::SpecialText special,
        const std::function<Result<void>(std::string_view, size_t)> &onText,
        const std::function<void(int32_t)> &onToken) const;

private:
  /// Moves `position` to the first token at or after it; returns none at the
  /// end.
  const AddedToken *find(std::string_view text, Tokenizer::SpecialText special,
                         size_t &position) const;

  /// In order of decreasing length, so that the first match is the longest.
  std::vector<AddedToken> tokens;
  /// Whether a token starts with this byte.
  std::array<bool, 256> starts = {};
};

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_ADDEDTOKENS_H
