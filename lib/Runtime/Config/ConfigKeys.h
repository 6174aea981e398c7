// The keys of a config.json: what stands at a path, which nobody knows, and how
// messages show them.
#ifndef TILEGPT_LIB_RUNTIME_CONFIG_CONFIGKEYS_H
#define TILEGPT_LIB_RUNTIME_CONFIG_CONFIGKEYS_H

#include "TileGPT/Runtime/Config/ModelTables.h"
#include "TileGPT/Runtime/Data/Json.h"
#include <span>

namespace tilegpt::runtime {

/// A value as messages show it.
std::string show(JsonValue value);
std::string show(const SettingScalar &value);

/// "'a', 'b' or 'c'".
template <typename Range>
std::string choice(const Range &words) {
  std::string text;
  size_t left = std::size(words);
  for (const auto &word : words) {
    text += concat("'", word, "'");
    text += --left > 1 ? ", " : left == 1 ? " or " : "";
  }
  return text;
}

/// Null counts as absent, and so does what holds nothing.
bool isAbsent(JsonValue value);

class ConfigKeys {
public:
  explicit ConfigKeys(JsonValue object) : object(object) {}

  /// The value at a path of keys with dots between them, unless it counts as
  /// absent.
  std::optional<JsonValue> find(std::string_view path) const;

  /// The same where only null counts as absent: for a value that is no list and
  /// no object, which cannot hold nothing.
  std::optional<JsonValue> findScalar(std::string_view path) const;

  /// The same where nothing counts as absent that is there.
  std::optional<JsonValue> findAny(std::string_view path) const;

  /// "'a' to 1, 'b.c' to true": what is set that neither the table nor any
  /// model knows.
  /// \param ignored  keys that may be there all the same.
  std::string unknownTo(const ConfigTable &table,
                        std::span<const std::string> ignored) const;

private:
  JsonValue object;
};

} // namespace tilegpt::runtime

#endif
