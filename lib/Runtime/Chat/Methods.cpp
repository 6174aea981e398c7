// Methods of strings and maps, with Python's semantics.
#include "Characters.h"
#include "Evaluator.h"
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
  for (; most != 0 && !from.empty(); --most) {
    const size_t at = text.find(from);
    if (at == text.npos)
      break;
    result.append(text.substr(0, at)).append(to);
    text.remove_prefix(at + from.size());
  }
  return result.append(text);
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
    const auto matches = [&](const Value &affix) {
      return affix.isString() &&
             (name == "startswith" ? text.starts_with(affix.string())
                                   : text.ends_with(affix.string()));
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
  if (isSearch && first.isString()) {
    const size_t at =
        name[0] == 'r' ? text.rfind(first.string()) : text.find(first.string());
    if (at == text.npos)
      return name.ends_with("find")
                 ? Value(int64_t(-1))
                 : fail(concat("finds no '", first.string(), "' by ", name));
    return int64_t(charactersOf(std::string_view(text).substr(0, at)).size());
  }
  if (name == "count" && first.isString() && !first.string().empty()) {
    int64_t count = 0;
    for (size_t at = 0; (at = text.find(first.string(), at)) != text.npos;
         ++count)
      at += first.string().size();
    return count;
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
  if (const List *list = object.list(); list && name == "count") {
    step(list->size());
    return int64_t(std::ranges::count(*list, arguments.get(0)));
  }
  return fail(concat("calls the method '", name, "' of ", object.kind(),
                     ", which is not supported"));
}

} // namespace tilegpt::runtime::chat
