// The value of a model's setting: a number, a word, or a list of them over the
// layers.
#ifndef TILEGPT_RUNTIME_CONFIG_SETTING_H
#define TILEGPT_RUNTIME_CONFIG_SETTING_H

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tilegpt::runtime {

using SettingScalar = std::variant<bool, int64_t, double, std::string>;

struct SettingValue {
  bool isList = false;
  /// One element, or at least one for a list, all of one type.
  std::vector<SettingScalar> elements;

  SettingValue() = default;
  explicit SettingValue(SettingScalar value) : elements{std::move(value)} {}
  explicit SettingValue(std::vector<SettingScalar> list)
      : isList(true), elements(std::move(list)) {}

  friend bool operator==(const SettingValue &, const SettingValue &) = default;
};

/// As messages and `--configure` write it: `true`, `2`, `0.25`, `linear`,
/// `[1,0]`. Parsing the text of a double gives the same double, never an
/// integer.
std::string format(const SettingScalar &value);
std::string format(const SettingValue &value);

/// "true or false", "an integer", "a number" or "a word".
std::string_view describeType(const SettingScalar &value);

/// Whether `--configure` reads a text as one word: letters, digits, '_', '-'
/// and '.', at least one.
bool isWord(std::string_view text);

/// Settings by name.
using Settings = std::vector<std::pair<std::string, SettingValue>>;

/// The setting called `name`, or null.
const SettingValue *find(const Settings &settings, std::string_view name);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_CONFIG_SETTING_H
