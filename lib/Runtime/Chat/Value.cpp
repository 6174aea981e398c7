// Truth, equality and string conversion of values, with Python's semantics.
#include "Value.h"
#include "Characters.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace tilegpt::runtime::chat {

const Value *Map::find(std::string_view key) const {
  for (const auto &[known, value] : members)
    if (known.isString() && known.string() == key)
      return &value;
  return nullptr;
}

const Value *Map::findKey(const Value &key) const {
  const auto member =
      std::ranges::find(members, key, &std::pair<Value, Value>::first);
  return member == members.end() ? nullptr : &member->second;
}

void Map::set(Value key, Value value) {
  const auto member =
      std::ranges::find(members, key, &std::pair<Value, Value>::first);
  if (member != members.end())
    member->second = std::move(value);
  else
    members.emplace_back(std::move(key), std::move(value));
}

Value Value::tuple(List elements) {
  Value value(std::move(elements));
  value.isFixed = true;
  return value;
}

Value Value::group(Value grouper, List list) {
  Value value = tuple({std::move(grouper), std::move(list)});
  value.hasNames = true;
  return value;
}

bool Value::isKey() const {
  if (const List *elements = list())
    return isFixed && std::ranges::all_of(*elements, &Value::isKey);
  return !map();
}

Value::Value(List value) {
  for (const Value &element : value) {
    levels = std::max(levels, element.levels + 1);
    values += element.values;
  }
  data = std::make_shared<List>(std::move(value));
}

Value::Value(Map value) {
  for (const auto &[key, member] : value.members) {
    levels = std::max({levels, key.levels + 1, member.levels + 1});
    values += key.values - 1 + member.values;
  }
  if (value.isNamespace)
    levels = mostLevels;
  data = std::make_shared<Map>(std::move(value));
}

Value::Value(Function value) {
  if (value.closure)
    levels = mostLevels;
  data = std::make_shared<Function>(std::move(value));
}

bool Value::isTrue() const {
  if (is<bool>())
    return boolean();
  if (isNumber())
    return number() != 0;
  if (isString())
    return !string().empty();
  if (const List *elements = list())
    return !elements->empty();
  if (const Map *members = map())
    return !members->members.empty();
  return function() != nullptr;
}

bool Value::operator==(const Value &other) const {
  if (const auto a = comparable(), b = other.comparable(); a && b)
    return *a == *b;
  if (const List *a = list(), *b = other.list(); a && b)
    return isFixed == other.isFixed && *a == *b;
  if (const Map *a = map(), *b = other.map(); a && b)
    return a->members.size() == b->members.size() &&
           std::ranges::all_of(a->members, [&](const auto &member) {
             const Value *same = b->findKey(member.first);
             return same && *same == member.second;
           });
  return data == other.data;
}

std::string_view Value::kind() const {
  constexpr std::array<std::string_view, 9> names = {
      "nothing",  "none",   "a truth value", "an integer", "a number",
      "a string", "a list", "a map",         "a function"};
  if (isFixed)
    return "a tuple";
  return names[data.index()];
}

/// Like Python's repr(): the shortest text that round-trips.
static std::string formatNumber(double value) {
  if (!std::isfinite(value))
    return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  std::array<char, 400> digits;
  const double size = std::abs(value);
  const bool isPlain = size == 0 || (size >= 1e-4 && size < 1e16);
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value,
                    isPlain ? std::chars_format::fixed
                            : std::chars_format::scientific)
          .ptr;
  std::string text(digits.data(), end);
  return isPlain && text.find('.') == text.npos ? text + ".0" : text;
}

static std::string escaped(const char *format, uint32_t character) {
  std::array<char, 16> code;
  std::snprintf(code.data(), code.size(), format, character);
  return code.data();
}

/// As Python's repr() writes a string.
static std::string repr(std::string_view text) {
  const bool isDouble =
      text.find('\'') != text.npos && text.find('"') == text.npos;
  const char quote = isDouble ? '"' : '\'';
  std::string result(1, quote);
  while (!text.empty()) {
    const Utf8Step step = firstCharacter(text);
    const char32_t c = step.character;
    if (c == char32_t(quote) || c == U'\\')
      result += {'\\', char(c)};
    else if (c == U'\n' || c == U'\t' || c == U'\r')
      result += c == U'\n' ? "\\n" : c == U'\t' ? "\\t" : "\\r";
    else if (!step.valid || isPrintable(c))
      result += text.substr(0, step.bytes);
    else
      result += escaped(c < 0x100     ? "\\x%02x"
                        : c < 0x10000 ? "\\u%04x"
                                      : "\\U%08x",
                        uint32_t(c));
    text.remove_prefix(step.bytes);
  }
  return result + quote;
}

/// As JSON writes a string.
static std::string jsonQuoted(std::string_view text) {
  constexpr std::string_view names = "\"\\\n\t\r\b\f", letters = "\"\\ntrbf";
  std::string result = "\"";
  for (const char c : text)
    if (const size_t known = names.find(c); known != names.npos)
      result += {'\\', letters[known]};
    else if (uint8_t(c) < 0x20)
      result += escaped("\\u%04x", uint8_t(c));
    else
      result += c;
  return result + '"';
}

std::string Value::text() const {
  if (isString())
    return string();
  if (is<bool>())
    return boolean() ? "True" : "False";
  if (is<None>())
    return "None";
  if (is<int64_t>())
    return std::to_string(integer());
  if (is<double>())
    return formatNumber(number());
  const auto element = [](const Value &value) {
    return value.isString() ? repr(value.string()) : value.text();
  };
  std::string result;
  if (const List *elements = list()) {
    for (const Value &value : *elements)
      result += (result.empty() ? "" : ", ") + element(value);
    if (isFixed)
      return "(" + result + (elements->size() == 1 ? ",)" : ")");
    return "[" + result + "]";
  }
  if (const Map *members = map()) {
    for (const auto &[key, value] : members->members)
      result +=
          (result.empty() ? "" : ", ") + element(key) + ": " + element(value);
    return "{" + result + "}";
  }
  return "";
}

/// The JSON string with `\\u` escapes for what is not ASCII.
static std::string asciiOnly(std::string_view json) {
  std::string result;
  while (!json.empty()) {
    const Utf8Step step = firstCharacter(json);
    const auto character = uint32_t(step.character);
    if (character < 0x7F) {
      result += json[0];
    } else if (character < 0x10000) {
      result += escaped("\\u%04x", character);
    } else {
      result += escaped("\\u%04x", 0xD800 + ((character - 0x10000) >> 10));
      result += escaped("\\u%04x", 0xDC00 + (character & 0x3FF));
    }
    json.remove_prefix(step.bytes);
  }
  return result;
}

std::string Value::json(const JsonStyle &style, int depth) const {
  const auto quote = [&](std::string_view text) {
    std::string json = jsonQuoted(text);
    return style.isAscii ? asciiOnly(json) : json;
  };
  if (isString())
    return quote(string());
  if (is<bool>())
    return boolean() ? "true" : "false";
  if (is<None>() || isUndefined() || function())
    return "null";
  if (isNumber())
    return text();
  const auto line = [&](int level) {
    return style.indent < 0
               ? std::string()
               : "\n" + std::string(size_t(style.indent * level), ' ');
  };
  std::string result;
  const auto add = [&](const std::string &element) {
    result +=
        (result.empty() ? "" : style.separator) + line(depth + 1) + element;
  };
  const bool isList = list();
  if (isList)
    for (const Value &value : *list())
      add(value.json(style, depth + 1));
  else {
    auto members = map()->members;
    if (style.isSorted)
      std::ranges::sort(members, {},
                        [](const auto &member) { return member.first.text(); });
    for (const auto &[key, value] : members)
      add(quote(key.isString() ? key.string() : key.json()) + style.colon +
          value.json(style, depth + 1));
  }
  if (!result.empty())
    result += line(depth);
  return isList ? "[" + result + "]" : "{" + result + "}";
}

} // namespace tilegpt::runtime::chat
