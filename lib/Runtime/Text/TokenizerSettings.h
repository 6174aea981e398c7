// What the files beside a vocabulary say about it: tokenizer_config.json,
// special_tokens_map.json and added_tokens.json.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERSETTINGS_H
#define TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERSETTINGS_H

#include "TileGPT/Runtime/Data/Json.h"
#include "TileGPT/Runtime/Error.h"
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace tilegpt::runtime {

/// Members that are absent keep their defaults. Views refer to `documents`.
struct TokenizerSettings {
  std::vector<JsonDocument> documents;
  /// "tokenizer_class" without the "Fast" at its end.
  std::string_view className;
  /// "add_bos_token" and "add_eos_token".
  std::optional<bool> addsBegin, addsEnd;
  /// "bos_token" and "eos_token"; empty if there is none.
  std::string_view begin, end;
  /// "legacy": whether the text behind an added token, too, gets the space that
  /// SentencePiece puts in front.
  bool isLegacy = true;
  /// "add_prefix_space".
  bool addsSpace = false;
  /// All tokens that are named special: "bos_token",
  /// "additional_special_tokens".
  std::vector<std::string_view> special;
  /// "added_tokens_decoder", or the content of added_tokens.json.
  std::optional<JsonValue> addedTokens;
};

/// Reads the files in `folder` that exist.
/// \returns BadInput if one is not a JSON object, or a member has the wrong
/// kind.
Result<TokenizerSettings>
readTokenizerSettings(const std::filesystem::path &folder);

/// The text of a token: of a string, or of an object that contains one; empty
/// for anything else.
std::string_view tokenText(std::optional<JsonValue> value);

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_TOKENIZERSETTINGS_H
