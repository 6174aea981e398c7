// Converts JSON by the type of a setting and the rule of its key: words, lists
// over the layers, numbers of layers.
#include "ReadSetting.h"
#include "ConfigKeys.h"
#include <algorithm>
#include <cmath>

using namespace tilegpt::runtime;

namespace {

using Read = tl::expected<SettingValue, std::string>;

template <typename... Parts>
tl::unexpected<std::string> unfit(const SettingSource &source,
                                  const Parts &...parts) {
  return tl::unexpected(concat("expected '", source.key, "' to be ", parts...));
}

Read everyNth(const SettingSource &source, JsonValue value) {
  constexpr int64_t most = 4096;
  if (!value.is(JsonKind::Integer) || value.integer() < 1 ||
      value.integer() > most)
    return unfit(source, "an integer from 1 to ", most, ", got ", show(value));
  const auto &[others, last] = *source.rule.every;
  std::vector<SettingScalar> list(size_t(value.integer()), others);
  list.back() = last;
  return SettingValue(std::move(list));
}

Read firstOnes(const SettingSource &source, JsonValue value) {
  if (!value.is(JsonKind::Integer) || value.integer() < 0)
    return unfit(source, "a number of layers, got ", show(value));
  return firstLayers(source.rule, value.integer(), source.layers);
}

/// Converts a value to the type of the setting, through the word map of the
/// rule.
tl::expected<SettingScalar, std::string> readScalar(const SettingSource &source,
                                                    JsonValue value) {
  if (!source.rule.values.empty()) {
    std::vector<std::string_view> words;
    for (const auto &[word, meaning] : source.rule.values) {
      words.push_back(word);
      if (value.is(JsonKind::String) && value.string() == word)
        return meaning;
    }
    return unfit(source, choice(words), ", got ", show(value));
  }
  const SettingScalar &type = source.like.elements.front();
  if (std::holds_alternative<bool>(type) && value.is(JsonKind::Boolean))
    return value.boolean();
  if (std::holds_alternative<int64_t>(type) && value.is(JsonKind::Integer))
    return value.integer();
  if (std::holds_alternative<double>(type) &&
      (value.is(JsonKind::Integer) || value.is(JsonKind::Number)) &&
      std::isfinite(value.number()))
    return value.number();
  if (std::holds_alternative<std::string>(type) && value.is(JsonKind::String) &&
      isWord(value.string()))
    return std::string(value.string());
  return unfit(source, describeType(type), ", got ", show(value));
}

/// A pattern by the indices of layers.
Read namedLayers(const SettingSource &source, JsonValue value) {
  const auto &[named, others] = *source.rule.at;
  std::vector<SettingScalar> list(size_t(source.layers), others);
  for (const JsonValue index : value) {
    if (!index.is(JsonKind::Integer) || index.integer() < 0 ||
        index.integer() >= source.layers)
      return unfit(source, "a list of layers from 0 to ", source.layers - 1,
                   ", got ", show(index));
    list[size_t(index.integer())] = named;
  }
  return SettingValue(std::move(list));
}

Read readList(const SettingSource &source, JsonValue value) {
  const bool isAnyLength = source.rule.anyLength;
  if (!value.is(JsonKind::Array) && isAnyLength)
    return unfit(source, "a list, got ", show(value));
  if (!value.is(JsonKind::Array) ||
      (!isAnyLength && value.size() != source.layers))
    return unfit(
        source, "a list of ", source.layers, ", one for each layer, got ",
        value.is(JsonKind::Array) ? concat(value.size()) : show(value));
  std::vector<SettingScalar> list;
  for (const JsonValue element : value) {
    auto scalar = readScalar(source, element);
    if (!scalar)
      return tl::unexpected(scalar.error());
    list.push_back(std::move(*scalar));
  }
  return SettingValue(std::move(list));
}

} // namespace

SettingValue tilegpt::runtime::firstLayers(const ConfigRule &rule,
                                           int64_t count, int64_t layers) {
  const auto &[first, others] = *rule.first;
  std::vector<SettingScalar> list(size_t(layers), others);
  std::fill_n(list.begin(), std::min(count, layers), first);
  return SettingValue(std::move(list));
}

tl::expected<SettingValue, std::string>
tilegpt::runtime::readSetting(const SettingSource &source, JsonValue value) {
  const bool isList = value.is(JsonKind::Array);
  if (source.rule.every && !isList)
    return everyNth(source, value);
  if (source.rule.first && !isList)
    return firstOnes(source, value);
  if (source.rule.at && isList && value.size() > 0 &&
      (*value.begin()).is(JsonKind::Integer))
    return namedLayers(source, value);
  if (source.like.isList)
    return readList(source, value);
  auto scalar = readScalar(source, value);
  if (!scalar)
    return tl::unexpected(scalar.error());
  return SettingValue(std::move(*scalar));
}
