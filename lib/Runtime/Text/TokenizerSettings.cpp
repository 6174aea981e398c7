// Reads the settings of a tokenizer.
#include "TokenizerSettings.h"
#include "JsonParts.h"
#include "TileGPT/Runtime/Data/MappedFile.h"
#include <string>
#include <utility>

using namespace tilegpt::runtime;

std::string_view tilegpt::runtime::tokenText(std::optional<JsonValue> value) {
  if (value && value->is(JsonKind::Object))
    value = value->find("content");
  return value && value->is(JsonKind::String) ? value->string()
                                              : std::string_view();
}

/// The special tokens that a file names.
static void addSpecial(JsonValue root, std::vector<std::string_view> &special) {
  for (const JsonValue member : root) {
    if (member.key() == "additional_special_tokens" &&
        member.is(JsonKind::Array)) {
      for (const JsonValue token : member)
        special.push_back(tokenText(token));
    } else if (member.key().ends_with("_token")) {
      special.push_back(tokenText(member));
    }
  }
  std::erase(special, std::string_view());
}

static Result<void> readFlags(JsonValue root, std::string_view where,
                              TokenizerSettings &settings) {
  const auto flag = [&](std::string_view key) -> Result<std::optional<bool>> {
    const auto value = present(root, key);
    if (!value)
      return std::nullopt;
    if (!value->is(JsonKind::Boolean))
      return makeError(ErrorCode::BadInput, where, " expected '", key,
                       "' to be a boolean, got ", describe(value->kind()));
    return value->boolean();
  };
  std::optional<bool> legacy, space;
  const std::pair<std::string_view, std::optional<bool> *> flags[] = {
      {"add_bos_token", &settings.addsBegin},
      {"add_eos_token", &settings.addsEnd},
      {"legacy", &legacy},
      {"add_prefix_space", &space}};
  for (const auto &[key, to] : flags) {
    const auto value = flag(key);
    if (!value)
      return tl::unexpected(value.error());
    *to = *value;
  }
  settings.isLegacy = legacy.value_or(settings.isLegacy);
  settings.addsSpace = space.value_or(settings.addsSpace);
  return {};
}

Result<TokenizerSettings>
tilegpt::runtime::readTokenizerSettings(const std::filesystem::path &folder) {
  TokenizerSettings settings;
  settings.documents.reserve(3); // views stay valid
  std::string where;
  const auto read =
      [&](std::string_view name) -> Result<std::optional<JsonValue>> {
    const std::filesystem::path file = folder / name;
    if (!mayExist(file))
      return std::nullopt;
    where = concat("tokenizer: '", file.string(), "'");
    auto document = JsonDocument::read(file, "tokenizer");
    if (!document)
      return tl::unexpected(document.error());
    if (!document->root().is(JsonKind::Object))
      return makeError(ErrorCode::BadInput, where, " expected an object, got ",
                       describe(document->root().kind()));
    settings.documents.push_back(std::move(*document));
    return settings.documents.back().root();
  };

  const auto config = read("tokenizer_config.json");
  if (!config)
    return tl::unexpected(config.error());
  if (*config) {
    if (auto good = readFlags(**config, where, settings); !good)
      return tl::unexpected(std::move(good.error()));
    settings.className = tokenText((*config)->find("tokenizer_class"));
    if (settings.className.ends_with("Fast"))
      settings.className.remove_suffix(4);
    settings.addedTokens = present(**config, "added_tokens_decoder");
  }
  const auto map = read("special_tokens_map.json");
  if (!map)
    return tl::unexpected(map.error());
  for (const auto *file : {&*config, &*map})
    if (*file) {
      addSpecial(**file, settings.special);
      if (settings.begin.empty())
        settings.begin = tokenText((*file)->find("bos_token"));
      if (settings.end.empty())
        settings.end = tokenText((*file)->find("eos_token"));
    }
  const auto added = read("added_tokens.json");
  if (!added)
    return tl::unexpected(added.error());
  if (*added && !settings.addedTokens)
    settings.addedTokens = **added;
  return settings;
}
