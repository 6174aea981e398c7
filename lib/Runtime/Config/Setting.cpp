// Conversion of settings to text.
#include "TileGPT/Runtime/Config/Setting.h"
#include <algorithm>
#include <charconv>

namespace tilegpt::runtime {

static std::string formatNumber(double value) {
  char digits[40];
  const auto end = std::to_chars(digits, std::end(digits), value).ptr;
  std::string text(digits, end);
  // Keeps a float distinguishable from an integer.
  if (text.find_first_not_of("-0123456789") == text.npos)
    text += ".0";
  return text;
}

std::string format(const SettingScalar &value) {
  if (const auto *flag = std::get_if<bool>(&value))
    return *flag ? "true" : "false";
  if (const auto *integer = std::get_if<int64_t>(&value))
    return std::to_string(*integer);
  if (const auto *number = std::get_if<double>(&value))
    return formatNumber(*number);
  return std::get<std::string>(value);
}

std::string format(const SettingValue &value) {
  if (!value.isList)
    return format(value.elements.front());
  std::string text = "[";
  for (const SettingScalar &element : value.elements)
    text += (text.size() > 1 ? "," : "") + format(element);
  return text + "]";
}

std::string_view describeType(const SettingScalar &value) {
  constexpr std::string_view types[] = {"true or false", "an integer",
                                        "a number", "a word"};
  return types[value.index()];
}

bool isWord(std::string_view text) {
  const auto isPlain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  return !text.empty() && std::ranges::all_of(text, isPlain);
}

const SettingValue *find(const Settings &settings, std::string_view name) {
  const auto found = std::ranges::find(settings, name, [](const auto &setting) {
    return std::string_view(setting.first);
  });
  return found == settings.end() ? nullptr : &found->second;
}

} // namespace tilegpt::runtime
