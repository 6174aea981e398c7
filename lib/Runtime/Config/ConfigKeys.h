// Access to the keys of a config.json: lookup by path, unknown keys, and
// formatting for messages.
#ifndef TILEGPT_LIB_RUNTIME_CONFIG_CONFIGKEYS_H
#define TILEGPT_LIB_RUNTIME_CONFIG_CONFIGKEYS_H

#include "TileGPT/Runtime/Config/ModelTables.h"
#include "TileGPT/Runtime/Data/Json.h"
#include <span>

namespace tilegpt::runtime {

/// A value formatted for messages.
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

/// Null and empty values count as absent.
bool isAbsent(JsonValue value);

class ConfigKeys {
public:
  explicit ConfigKeys(JsonValue object) : object(object) {}

  /// The value at a dot-separated path, unless it counts as absent.
  std::optional<JsonValue> find(std::string_view path) const;

  /// The same for a number, truth value or word: only null counts as absent,
  /// and a list of equal numbers, one for each layer, is the number.
  std::optional<JsonValue> findScalar(std::string_view path) const;

  /// The same, but no present value counts as absent.
  std::optional<JsonValue> findAny(std::string_view path) const;

  /// "'a' to 1, 'b.c' to true": keys with values that neither the table nor the
  /// common keys include.
  /// \param ignored  further keys that are allowed.
  std::string unknownTo(const ConfigTable &table,
                        std::span<const std::string> ignored) const;

private:
  JsonValue object;
};

} // namespace tilegpt::runtime

#endif
