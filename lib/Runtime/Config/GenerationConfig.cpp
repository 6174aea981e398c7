// Reads end-of-text tokens from generation_config.json.
#include "TileGPT/Runtime/Config/ModelConfig.h"
#include "TileGPT/Runtime/Data/Json.h"
#include "TileGPT/Runtime/Data/MappedFile.h"
#include "TokenIds.h"

namespace tilegpt::runtime {

Result<std::vector<int32_t>>
readEndTokens(const std::filesystem::path &generationConfig,
              int64_t vocabulary) {
  std::vector<int32_t> tokens;
  if (!mayExist(generationConfig))
    return tokens;
  const auto document = JsonDocument::read(generationConfig, "config");
  if (!document)
    return tl::unexpected(document.error());
  const JsonValue root = document->root();
  const auto value = root.is(JsonKind::Object) ? root.find("eos_token_id")
                                               : std::optional<JsonValue>();
  if (!value || value->is(JsonKind::Null))
    return tokens;
  if (const auto wrong = addTokenIds(*value, vocabulary, tokens))
    return makeError(ErrorCode::BadInput, "config: '",
                     generationConfig.string(),
                     "' expected 'eos_token_id' to be an integer or a list of "
                     "integers, got ",
                     describe(wrong->kind()));
  return tokens;
}

} // namespace tilegpt::runtime
