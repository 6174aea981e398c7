// Reads end-of-text tokens from generation_config.json.
#include "TileGPT/Runtime/Config/ModelConfig.h"
#include "TileGPT/Runtime/Data/Json.h"
#include "TileGPT/Runtime/Data/MappedFile.h"

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
  const auto wrong = [&](JsonValue value) {
    return makeError(
        ErrorCode::BadInput, "config: '", generationConfig.string(),
        "' expected 'eos_token_id' to be ids from 0 to ", vocabulary - 1,
        ", got ",
        value.is(JsonKind::Integer) ? std::to_string(value.integer())
                                    : std::string(describe(value.kind())));
  };
  const auto add = [&](JsonValue id) {
    const bool isToken = id.is(JsonKind::Integer) && id.integer() >= 0 &&
                         id.integer() < vocabulary;
    if (isToken)
      tokens.push_back(int32_t(id.integer()));
    return isToken;
  };
  const JsonValue root = document->root();
  const auto value = root.is(JsonKind::Object) ? root.find("eos_token_id")
                                               : std::optional<JsonValue>();
  if (!value || value->is(JsonKind::Null))
    return tokens;
  if (!value->is(JsonKind::Array))
    return add(*value) ? Result<std::vector<int32_t>>(tokens) : wrong(*value);
  for (const JsonValue id : *value)
    if (!add(id))
      return wrong(id);
  return tokens;
}

} // namespace tilegpt::runtime
