// Filters of text; other values are converted to it.
#include "Characters.h"
#include "Evaluator.h"
#include "Format.h"
#include <algorithm>
#include <array>
#include <cstdio>

namespace tilegpt::runtime::chat {

bool isTextFilter(std::string_view name) {
  constexpr std::string_view names[] = {
      "trim",   "replace", "upper",     "lower",       "capitalize",
      "title",  "indent",  "wordcount", "e",           "escape",
      "format", "center",  "truncate",  "forceescape", "urlencode"};
  return std::ranges::find(names, name) != std::end(names);
}

/// `indent(width, first, blank)`: spaces before every line but the first and
/// empty ones.
Value Evaluator::indent(const std::string &text, const Arguments &arguments) {
  const Value width = arguments.get(0, "width");
  const bool isFirst = arguments.get(1, "first").isTrue();
  const bool isBlank = arguments.get(2, "blank").isTrue();
  std::string space(4, ' ');
  if (width.isString())
    space = width.string();
  else if (width.is<int64_t>())
    space.assign(size_t(std::clamp<int64_t>(width.integer(), 0, 4096)), ' ');
  std::string result;
  for (size_t at = 0; at <= text.size() && problem.empty();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    if (at == 0 ? isFirst : isBlank || !line.empty())
      result += space;
    result += line;
    if (end < text.size())
      result += '\n';
    step(1 + space.size() / 64);
    at = end + 1;
  }
  return result;
}

/// The runs of letters, digits and underscores.
static int64_t countWords(std::string_view text) {
  int64_t count = 0;
  bool isInWord = false;
  for (const std::string_view character : charactersOf(text)) {
    const bool isPart = character == "_" || isOfClass(character, "isalnum");
    count += isPart && !isInWord;
    isInWord = isPart;
  }
  return count;
}

static std::string htmlEscaped(std::string_view text) {
  constexpr std::string_view signs = "&<>'\"";
  constexpr std::array names = {"&amp;", "&lt;", "&gt;", "&#39;", "&#34;"};
  std::string result;
  for (const char c : text)
    if (const size_t known = signs.find(c); known != signs.npos)
      result += names[known];
    else
      result += c;
  return result;
}

static std::string percentEncoded(std::string_view text, bool isQuery) {
  std::string result;
  for (const char c : text) {
    const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') ||
                         std::string_view("_.-~").find(c) != std::string::npos;
    if (isPlain || (c == '/' && !isQuery)) {
      result += c;
    } else if (c == ' ' && isQuery) {
      result += '+';
    } else {
      std::array<char, 8> code;
      std::snprintf(code.data(), code.size(), "%%%02X", unsigned(uint8_t(c)));
      result += code.data();
    }
  }
  return result;
}

/// `truncate(length, killwords, end, leeway)`.
Value Evaluator::truncate(const std::string &text, const Arguments &arguments) {
  const size_t length = toCount(arguments.get(0, "length"), 255);
  const Value given = arguments.get(2, "end");
  const std::string end = given.isUndefined() ? "..." : given.text();
  const size_t leeway = toCount(arguments.get(3, "leeway"), 5);
  const size_t endSize = charactersOf(end).size();
  const auto characters = charactersOf(text);
  step(characters.size() / 64);
  if (length < endSize)
    return fail(
        concat("expected a length of at least ", endSize, " for truncate"));
  if (characters.size() <= length + leeway)
    return text;
  std::string kept =
      text.substr(0, size_t(characters[length - endSize].data() - text.data()));
  if (!arguments.get(1, "killwords").isTrue())
    kept.resize(std::min(kept.rfind(' '), kept.size()));
  return kept + end;
}

/// `center(width)`, and the methods center, ljust, rjust and zfill.
Value Evaluator::padTo(const std::string &text, std::string_view name,
                       const Arguments &arguments) {
  const size_t width = toCount(arguments.get(0, "width"), 80);
  const Value given = arguments.get(1);
  const std::string fill = name == "zfill"    ? "0"
                           : given.isString() ? given.string()
                                              : " ";
  if (charactersOf(fill).size() != 1)
    return fail(concat("expected one character for ", name, " to fill with"));
  if (!step(width / 16))
    return {};
  if (name == "zfill") {
    const bool isSigned = text.starts_with('-') || text.starts_with('+');
    return text.substr(0, isSigned) +
           padded(std::string_view(text).substr(isSigned),
                  width - std::min<size_t>(width, isSigned), '>', fill);
  }
  return padded(text, width,
                name == "ljust"   ? '<'
                : name == "rjust" ? '>'
                                  : '^',
                fill);
}

/// `format(…)` of a text with `%` conversions.
Value Evaluator::formatted(const std::string &text,
                           const Arguments &arguments) {
  Map named;
  for (const auto &[name, value] : arguments.named)
    named.set(name, value);
  if (named.members.empty())
    return arithmetic("%", text, Value::tuple(arguments.values));
  if (!arguments.values.empty())
    return fail("expected either positional or named values for format");
  return arithmetic("%", text, named);
}

Value Evaluator::textFilter(const Value &object, std::string_view name,
                            const Arguments &arguments) {
  const std::string text = object.text();
  if (name == "urlencode" && object.map()) {
    std::string query;
    for (const auto &[key, value] : object.map()->members)
      query +=
          concat(query.empty() ? "" : "&", percentEncoded(key.text(), true),
                 "=", percentEncoded(value.text(), true));
    return query;
  }
  step(text.size() / 64);
  if (name == "urlencode")
    return percentEncoded(text, /*isQuery=*/false);
  if (name == "title")
    return inTitleCase(text);
  if (name == "upper" || name == "lower" || name == "capitalize")
    return inCase(text, name);
  if (name == "trim")
    return stringMethod(text, "strip", arguments);
  if (name == "replace")
    return stringMethod(
        text, name,
        {{arguments.get(0, "old").text(), arguments.get(1, "new").text(),
          arguments.get(2, "count")},
         {}});
  if (name == "indent")
    return indent(text, arguments);
  if (name == "wordcount")
    return countWords(text);
  if (name == "format")
    return formatted(text, arguments);
  if (name == "truncate")
    return truncate(text, arguments);
  if (name == "center")
    return padTo(text, name, arguments);
  return htmlEscaped(text); // e, escape, forceescape
}

} // namespace tilegpt::runtime::chat
