// Resolves paths in objects.
#include "ConfigKeys.h"
#include "CommonKeys.h"

using namespace tilegpt::runtime;

/// A JSON number that is no integer: 192.0 differs from 192.
static std::string showNumber(double value) {
  const std::string text = concat(value);
  return text.find_first_of(".en") == text.npos ? text + ".0" : text;
}

std::string tilegpt::runtime::show(JsonValue value) {
  switch (value.kind()) {
  case JsonKind::Integer:
    return std::to_string(value.integer());
  case JsonKind::Number:
    return showNumber(value.number());
  case JsonKind::String:
    return concat("'", value.string(), "'");
  case JsonKind::Boolean:
    return value.boolean() ? "true" : "false";
  default:
    return std::string(describe(value.kind()));
  }
}

std::string tilegpt::runtime::show(const SettingScalar &value) {
  const auto *word = std::get_if<std::string>(&value);
  return word ? concat("'", *word, "'") : format(value);
}

bool tilegpt::runtime::isAbsent(JsonValue value) {
  return value.is(JsonKind::Null) ||
         ((value.is(JsonKind::Array) || value.is(JsonKind::Object)) &&
          value.size() == 0);
}

std::optional<JsonValue> ConfigKeys::find(std::string_view path) const {
  const auto value = findAny(path);
  return value && isAbsent(*value) ? std::nullopt : value;
}

/// Whether a list has numbers, one for each layer, that are all the same.
static bool isUniform(JsonValue value) {
  if (!value.is(JsonKind::Array) || value.size() < 2)
    return false;
  const JsonValue first = *value.begin();
  for (const JsonValue element : value)
    if ((!element.is(JsonKind::Integer) && !element.is(JsonKind::Number)) ||
        element.kind() != first.kind() || element.number() != first.number())
      return false;
  return true;
}

std::optional<JsonValue> ConfigKeys::findScalar(std::string_view path) const {
  const auto value = findAny(path);
  if (value && isUniform(*value))
    return *value->begin();
  return value && value->is(JsonKind::Null) ? std::nullopt : value;
}

std::optional<JsonValue> ConfigKeys::findAny(std::string_view path) const {
  JsonValue value = object;
  for (;;) {
    // A key may contain dots.
    if (const auto whole = value.find(path))
      return whole;
    const size_t dot = path.find('.');
    const auto next =
        dot == path.npos ? std::nullopt : value.find(path.substr(0, dot));
    if (!next || !next->is(JsonKind::Object))
      return std::nullopt;
    value = *next;
    path.remove_prefix(dot + 1);
  }
}

namespace {

/// Collects unknown keys.
class Collector {
public:
  Collector(const ConfigTable &table, std::span<const std::string> ignored)
      : table(table), ignored(ignored) {}

  template <typename Use>
  void forEachKnownPath(const Use &use) const {
    for (const ConfigRule &rule : table.rules)
      for (const std::string &key : rule.keys)
        use(key);
    for (const auto &[key, expected] : table.required)
      use(key);
    for (const std::string &key : table.ignored)
      use(key);
    for (const std::string &key : ignored)
      use(key);
  }

  void collect(JsonValue object, const std::string &prefix) {
    // Hugging Face writes the common keys to configurations in configurations
    // too, which have a type of their own.
    const bool isConfig = prefix.empty() || object.find("model_type");
    for (const JsonValue member : object) {
      const std::string path = prefix + std::string(member.key());
      const bool isFalse =
          member.is(JsonKind::Boolean) && !member.boolean() &&
          std::ranges::find(falseKeys, member.key()) != std::end(falseKeys);
      if (isAbsent(member) ||
          (isConfig && (isFalse || isCommonKey(member.key()))))
        continue;
      bool isKnown = false, isEntered = false;
      forEachKnownPath([&](std::string_view known) {
        isKnown |= known == path;
        isEntered |= known.starts_with(path + ".");
      });
      if (isKnown)
        continue;
      if (isEntered && member.is(JsonKind::Object))
        collect(member, path + ".");
      else
        unknown += concat(unknown.empty() ? "" : ", ", "'", path, "' to ",
                          show(member));
    }
  }

  std::string unknown;

private:
  const ConfigTable &table;
  std::span<const std::string> ignored;
};

} // namespace

std::string ConfigKeys::unknownTo(const ConfigTable &table,
                                  std::span<const std::string> ignored) const {
  Collector collector(table, ignored);
  collector.collect(object, "");
  return std::move(collector.unknown);
}
