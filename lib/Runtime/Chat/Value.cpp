// Truth, equality and string conversion of values, with Python's semantics.
#include "Value.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace tilegpt::runtime::chat {

const Value *Map::find(std::string_view key) const {
  const auto member =
      std::ranges::find(members, key, &std::pair<std::string, Value>::first);
  return member == members.end() ? nullptr : &member->second;
}

void Map::set(std::string_view key, Value value) {
  const auto member =
      std::ranges::find(members, key, &std::pair<std::string, Value>::first);
  if (member != members.end())
    member->second = std::move(value);
  else
    members.emplace_back(key, std::move(value));
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
    levels = std::max(levels, member.levels + 1);
    values += member.values;
  }
  if (value.isNamespace)
    levels = mostLevels;
  data = std::make_shared<Map>(std::move(value));
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
    return *a == *b;
  if (const Map *a = map(), *b = other.map(); a && b)
    return a->members.size() == b->members.size() &&
           std::ranges::all_of(a->members, [&](const auto &member) {
             const Value *same = b->find(member.first);
             return same && *same == member.second;
           });
  return data == other.data;
}

std::string_view Value::kind() const {
  constexpr std::array<std::string_view, 9> names = {
      "nothing",  "none",   "a truth value", "an integer", "a number",
      "a string", "a list", "a map",         "a function"};
  return names[data.index()];
}

/// Like Python's repr(): the shortest text that round-trips.
static std::string formatNumber(double value) {
  if (!std::isfinite(value))
    return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  std::array<char, 32> digits;
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  std::string text(digits.data(), end);
  return text.find_first_of(".e") == text.npos ? text + ".0" : text;
}

static std::string quoted(std::string_view text, bool asJson) {
  const char quote = asJson || text.find('\'') != text.npos ? '"' : '\'';
  std::string result(1, quote);
  for (const char c : text)
    switch (c) {
    case '\n':
      result += "\\n";
      break;
    case '\t':
      result += "\\t";
      break;
    case '\r':
      result += "\\r";
      break;
    default:
      if (c == quote || c == '\\') {
        result += {'\\', c};
      } else if (uint8_t(c) < 0x20) {
        std::array<char, 8> code;
        std::snprintf(code.data(), code.size(), asJson ? "\\u%04x" : "\\x%02x",
                      unsigned(uint8_t(c)));
        result += code.data();
      } else {
        result += c;
      }
    }
  return result + quote;
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
    return value.isString() ? quoted(value.string(), false) : value.text();
  };
  std::string result;
  if (const List *elements = list()) {
    for (const Value &value : *elements)
      result += (result.empty() ? "" : ", ") + element(value);
    return "[" + result + "]";
  }
  if (const Map *members = map()) {
    for (const auto &[key, value] : members->members)
      result += (result.empty() ? "" : ", ") + quoted(key, false) + ": " +
                element(value);
    return "{" + result + "}";
  }
  return "";
}

std::string Value::json(int indent, int depth) const {
  if (isString())
    return quoted(string(), true);
  if (is<bool>())
    return boolean() ? "true" : "false";
  if (is<None>() || isUndefined() || function())
    return "null";
  if (isNumber())
    return text();
  const std::string line =
      indent < 0 ? "" : "\n" + std::string(size_t(indent * (depth + 1)), ' ');
  const std::string last =
      indent < 0 ? "" : "\n" + std::string(size_t(indent * depth), ' ');
  std::string result;
  const auto add = [&](const std::string &element) {
    result += (result.empty() ? "" : indent < 0 ? ", " : ",") + line + element;
  };
  const bool isList = list();
  if (isList)
    for (const Value &value : *list())
      add(value.json(indent, depth + 1));
  else
    for (const auto &[key, value] : map()->members)
      add(quoted(key, true) + ": " + value.json(indent, depth + 1));
  if (!result.empty())
    result += last;
  return isList ? "[" + result + "]" : "{" + result + "}";
}

} // namespace tilegpt::runtime::chat
