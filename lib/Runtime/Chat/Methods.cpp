// Methods of strings and maps, with Python's semantics.
#include "Characters.h"
#include "Evaluator.h"
#include "Format.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include <algorithm>

namespace tilegpt::runtime::chat {

/// At most `most` times; -1: unlimited.
static List split(std::string_view text, const Value &separator, int64_t most) {
  List parts;
  const auto add = [&](std::string_view part) {
    parts.emplace_back(std::string(part));
  };
  if (separator.isString() && !separator.string().empty()) {
    const std::string &sign = separator.string();
    for (; most != 0; --most) {
      const size_t at = text.find(sign);
      if (at == text.npos)
        break;
      add(text.substr(0, at));
      text.remove_prefix(at + sign.size());
    }
    add(text);
    return parts;
  }
  for (const std::string_view word : words(text, long(most)))
    add(word);
  return parts;
}

/// The same from the right.
static List splitFromRight(std::string_view text, const Value &separator,
                           int64_t most) {
  List parts;
  const auto add = [&](std::string_view part) {
    parts.emplace_back(std::string(part));
  };
  if (separator.isString() && !separator.string().empty()) {
    const std::string &sign = separator.string();
    for (; most != 0; --most) {
      const size_t at = text.rfind(sign);
      if (at == text.npos)
        break;
      add(text.substr(at + sign.size()));
      text = text.substr(0, at);
    }
    add(text);
    std::ranges::reverse(parts);
    return parts;
  }
  const auto all = words(text);
  size_t begin = 0;
  if (most >= 0 && int64_t(all.size()) > most) {
    begin = all.size() - size_t(most);
    const std::string_view last = all[begin - 1];
    add(text.substr(0, size_t(last.data() + last.size() - text.data())));
  }
  for (size_t i = begin; i < all.size(); ++i)
    add(all[i]);
  return parts;
}

static List splitLines(std::string_view text, bool keepsEnds) {
  List lines;
  while (!text.empty()) {
    size_t end = 0, next = 0;
    while (next == end && end < text.size()) {
      const Utf8Step step = firstCharacter(text.substr(end));
      next = end + (text.substr(end).starts_with("\r\n") ? 2 : step.bytes);
      if (!isLineEnd(step.character))
        end = next;
    }
    lines.emplace_back(std::string(text.substr(0, keepsEnds ? next : end)));
    text.remove_prefix(next);
  }
  return lines;
}

static std::string replace(std::string_view text, std::string_view from,
                           std::string_view to, int64_t most) {
  std::string result;
  if (from.empty()) {
    const auto characters = charactersOf(text);
    for (size_t i = 0; i < characters.size(); ++i)
      result
          .append(most == 0 || (most > 0 && int64_t(i) >= most)
                      ? std::string_view()
                      : to)
          .append(characters[i]);
    return most < 0 || int64_t(characters.size()) < most ? result.append(to)
                                                         : result;
  }
  for (; most != 0; --most) {
    const size_t at = text.find(from);
    if (at == text.npos)
      break;
    result.append(text.substr(0, at)).append(to);
    text.remove_prefix(at + from.size());
  }
  return result.append(text);
}

/// Those of an empty text are before and after every character.
static int64_t occurrences(std::string_view text, std::string_view of) {
  if (of.empty())
    return int64_t(charactersOf(text).size()) + 1;
  int64_t count = 0;
  for (size_t at = 0; (at = text.find(of, at)) != text.npos; ++count)
    at += of.size();
  return count;
}

/// The part of a text between two places, which count characters and, if
/// negative, from its end; also the number of characters before it.
static std::pair<std::string_view, int64_t>
partOf(std::string_view text, const Value &from, const Value &to) {
  if (!from.is<int64_t>() && !to.is<int64_t>())
    return {text, 0};
  const auto characters = charactersOf(text);
  const auto count = int64_t(characters.size());
  const auto place = [&](const Value &value, int64_t otherwise) {
    if (!value.is<int64_t>())
      return otherwise;
    const int64_t at = value.integer();
    return std::clamp<int64_t>(at < 0 ? std::max(at, -count) + count : at, 0,
                               count);
  };
  const auto offset = [&](int64_t at) {
    return at == count ? text.size()
                       : size_t(characters[size_t(at)].data() - text.data());
  };
  const int64_t begin = place(from, 0), end = place(to, count);
  if (begin >= end)
    return {std::string_view(), begin};
  return {text.substr(offset(begin), offset(end) - offset(begin)), begin};
}

/// The value of a field of format(), such as `0`, `name` or `0.name[1]`.
Value Evaluator::fieldOf(std::string_view field, const Arguments &arguments) {
  size_t end = std::min(field.find_first_of(".["), field.size());
  const std::string name(field.substr(0, end));
  const bool isPlace = isOfClass(name, "isdecimal") && name.size() < 9;
  const size_t place = isPlace ? size_t(std::stoul(name)) : SIZE_MAX;
  const auto named = std::ranges::find(arguments.named, name,
                                       &std::pair<std::string, Value>::first);
  if (isPlace ? place >= arguments.values.size()
              : named == arguments.named.end())
    return fail(concat("has no value for {", name, "}"));
  Value value = isPlace ? arguments.values[place] : named->second;
  while (end < field.size() && problem.empty()) {
    const bool isIndex = field[end] == '[';
    field.remove_prefix(end + 1);
    end = std::min(field.find_first_of(isIndex ? "]" : ".["), field.size());
    value = attribute(value, std::string(field.substr(0, end)));
    end += isIndex;
  }
  return value;
}

Value Evaluator::stringMethod(const std::string &text, std::string_view name,
                              const Arguments &arguments) {
  const Value first = arguments.get(0);
  step(text.size() / 64);
  if (name == "strip" || name == "lstrip" || name == "rstrip")
    return std::string(
        strip(text,
              first.isString() ? std::optional<std::string_view>(first.string())
                               : std::nullopt,
              name == "strip"    ? 3
              : name == "lstrip" ? 1
                                 : 2));
  if (name == "startswith" || name == "endswith") {
    const std::string_view part =
        partOf(text, arguments.get(1), arguments.get(2)).first;
    const auto matches = [&](const Value &affix) {
      return affix.isString() &&
             (name == "startswith" ? part.starts_with(affix.string())
                                   : part.ends_with(affix.string()));
    };
    return first.list() ? std::ranges::any_of(*first.list(), matches)
                        : matches(first);
  }
  if (name == "split" || name == "rsplit") {
    const Value most = arguments.get(1, "maxsplit");
    const Value sign = arguments.get(0, "sep");
    List parts = (name == "split" ? split : splitFromRight)(
        text, sign, most.is<int64_t>() ? most.integer() : -1);
    step(parts.size());
    return checked(std::move(parts));
  }
  if (name == "replace") {
    const Value to = arguments.get(1), most = arguments.get(2, "count");
    if (!first.isString() || !to.isString())
      return fail("expected two strings to replace one by the other");
    // Check the maximum size before creating them.
    step(text.size() / std::max<size_t>(1, first.string().size()) *
         to.string().size() / 64);
    return problem.empty()
               ? Value(replace(text, first.string(), to.string(),
                               most.is<int64_t>() ? most.integer() : -1))
               : Value();
  }
  if (name == "upper" || name == "lower" || name == "capitalize" ||
      name == "title" || name == "swapcase" || name == "casefold")
    return inCase(text, name);
  const bool isSearch =
      name == "find" || name == "index" || name == "rfind" || name == "rindex";
  if ((isSearch || name == "count") && first.isString()) {
    const auto [part, before] =
        partOf(text, arguments.get(1), arguments.get(2));
    if (name == "count")
      return occurrences(part, first.string());
    const size_t at =
        name[0] == 'r' ? part.rfind(first.string()) : part.find(first.string());
    if (at == part.npos)
      return name.ends_with("find")
                 ? Value(int64_t(-1))
                 : fail(concat("finds no '", first.string(), "' by ", name));
    return before + int64_t(charactersOf(part.substr(0, at)).size());
  }
  if (name == "removeprefix" && first.isString())
    return text.substr(text.starts_with(first.string()) ? first.string().size()
                                                        : 0);
  if (name == "removesuffix" && first.isString())
    return text.substr(0, text.size() - (text.ends_with(first.string())
                                             ? first.string().size()
                                             : 0));
  if ((name == "partition" || name == "rpartition") && first.isString()) {
    const std::string &sign = first.string();
    const size_t at = name[0] == 'r' ? text.rfind(sign) : text.find(sign);
    if (at == text.npos)
      return Value::tuple(name[0] == 'r' ? List{"", "", text}
                                         : List{text, "", ""});
    return Value::tuple(
        {text.substr(0, at), sign, text.substr(at + sign.size())});
  }
  if (name == "splitlines") {
    List lines = splitLines(text, arguments.get(0, "keepends").isTrue());
    step(lines.size());
    return checked(std::move(lines));
  }
  if (isClassName(name))
    return isOfClass(text, name);
  if (name == "center" || name == "ljust" || name == "rjust" || name == "zfill")
    return padTo(text, name, arguments);
  if (name == "format") {
    step(text.size());
    auto result = formatFields(text, [&](std::string_view field) {
      return fieldOf(field, arguments);
    });
    return result ? Value(*std::move(result)) : fail(result.error().message);
  }
  if (name == "join")
    return filter(first, "join", {{Value(text)}, {}});
  return fail(concat("calls the method '", name,
                     "' of a string, which is not supported"));
}

Value Evaluator::method(const Value &object, std::string_view name,
                        const Arguments &arguments) {
  if (!problem.empty())
    return {};
  if (object.isString())
    return stringMethod(object.string(), name, arguments);
  if (const Map *map = object.map()) {
    if (name == "get") {
      const Value key = arguments.get(0);
      if (const Value *value = map->findKey(key))
        return *value;
      const Value otherwise = arguments.get(1);
      return otherwise.isUndefined() ? Value(None()) : otherwise;
    }
    if (name == "items" || name == "keys" || name == "values") {
      List result;
      step(map->members.size());
      for (const auto &[key, value] : map->members)
        result.push_back(name == "items"  ? Value::tuple({key, value})
                         : name == "keys" ? key
                                          : value);
      return checked(std::move(result));
    }
  }
  if (const List *list = object.list();
      list && (name == "count" || name == "index")) {
    step(list->size());
    if (name == "count")
      return int64_t(std::ranges::count(*list, arguments.get(0)));
    const auto found = std::ranges::find(*list, arguments.get(0));
    return found == list->end() ? fail("finds no such element by index")
                                : Value(int64_t(found - list->begin()));
  }
  if (name == "copy" && ((object.list() && !object.isTuple()) || object.map()))
    return object;
  return fail(concat("calls the method '", name, "' of ", object.kind(),
                     ", which is not supported"));
}

} // namespace tilegpt::runtime::chat
