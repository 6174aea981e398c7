// Filters and tests.
#include "Characters.h"
#include "Evaluator.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tilegpt::runtime::chat {

static constexpr std::array filterNames = {
    "trim",   "string",     "tojson",     "length",      "count",  "upper",
    "lower",  "capitalize", "title",      "first",       "last",   "list",
    "items",  "join",       "default",    "d",           "int",    "float",
    "abs",    "reverse",    "replace",    "safe",        "map",    "select",
    "reject", "selectattr", "rejectattr", "unique",      "e",      "escape",
    "sort",   "dictsort",   "indent",     "round",       "sum",    "min",
    "max",    "attr",       "wordcount",  "forceescape", "format", "truncate",
    "center", "urlencode",  "groupby",    "batch",       "slice"};
static constexpr std::array testNames = {
    "defined",     "undefined", "none",    "string",      "mapping", "iterable",
    "sequence",    "number",    "integer", "boolean",     "true",    "false",
    "equalto",     "eq",        "==",      "ne",          "in",      "odd",
    "even",        "float",     "lt",      "le",          "gt",      "ge",
    "<",           "<=",        ">",       ">=",          "!=",      "lessthan",
    "greaterthan", "callable",  "sameas",  "divisibleby", "lower",   "upper",
    "filter",      "test",      "escaped"};

bool isFilter(std::string_view name) {
  return std::ranges::find(filterNames, name) != filterNames.end();
}

bool isTest(std::string_view name) {
  return std::ranges::find(testNames, name) != testNames.end();
}

List Evaluator::elementsOf(const Value &value) {
  List elements;
  if (const List *list = value.list()) {
    elements = *list;
  } else if (const Map *map = value.map()) {
    for (const auto &[key, member] : map->members)
      elements.emplace_back(key);
  } else if (value.isString()) {
    for (const std::string_view character : charactersOf(value.string()))
      elements.emplace_back(std::string(character));
  } else if (!value.isUndefined()) {
    fail(concat("goes through ", value.kind()));
  }
  return elements;
}

/// map(attribute='name'), map('filter'), and filters that select elements.
Value Evaluator::selected(const Value &object, std::string_view name,
                          const Arguments &arguments) {
  List result;
  if (!object.isTrue()) // such as none
    return result;
  for (const Value &element : elementsOf(object)) {
    if (!step())
      return {};
    const Value path =
        name == "map" ? arguments.get(99, "attribute") : arguments.get(0);
    if (name == "map" && !path.isUndefined()) {
      const Value value = attribute(element, path);
      result.push_back(value.isUndefined() ? arguments.get(99, "default")
                                           : value);
      continue;
    }
    Arguments rest = arguments;
    Value subject = element;
    const bool isOfAttribute = name == "selectattr" || name == "rejectattr";
    if (isOfAttribute) {
      if (!path.isString() && !path.is<int64_t>())
        return fail(concat("expected the name of a member for ", name));
      subject = attribute(element, path);
      rest.values.erase(rest.values.begin());
    }
    const Value operation = rest.get(0);
    if (!rest.values.empty())
      rest.values.erase(rest.values.begin());
    if (name == "map") {
      if (!operation.isString() || !isFilter(operation.string()) ||
          operation.string() == "map")
        return fail("expected the name of a filter for map");
      result.push_back(filter(element, operation.string(), rest));
      continue;
    }
    const bool holds = operation.isString()
                           ? test(subject, operation.string(), rest)
                           : subject.isTrue();
    if (holds == name.starts_with("select"))
      result.push_back(element);
  }
  return checked(std::move(result));
}

/// `tojson(ensure_ascii, indent, separators, sort_keys)` as in transformers.
static JsonStyle jsonStyle(const Arguments &arguments) {
  JsonStyle style;
  style.isAscii = arguments.get(0, "ensure_ascii").isTrue();
  style.isSorted = arguments.get(3, "sort_keys").isTrue();
  if (const Value indent = arguments.get(1, "indent"); indent.is<int64_t>()) {
    style.indent = int(std::clamp<int64_t>(indent.integer(), 0, 16));
    style.separator = ",";
  }
  const Value separators = arguments.get(2, "separators");
  if (const List *pair = separators.list(); pair && pair->size() == 2) {
    style.separator = pair->front().text();
    style.colon = pair->back().text();
  }
  return style;
}

Value Evaluator::filter(const Value &object, std::string_view name,
                        const Arguments &arguments) {
  if (!isFilter(name))
    return fail(concat("uses the filter '", name, "', which is not supported"));
  if (name == "default" || name == "d") {
    const bool isUnset =
        object.isUndefined() ||
        (arguments.get(1, "boolean").isTrue() && !object.isTrue());
    return isUnset ? arguments.get(0, "default_value") : object;
  }
  if (name == "safe")
    return object;
  if (name == "groupby")
    return group(object, arguments);
  if (name == "tojson") {
    std::string text = object.json(jsonStyle(arguments));
    step(text.size() / 64);
    return text;
  }
  if (name == "round")
    return round(object, arguments);
  if (name == "attr") // members of maps are no attributes
    return object.map() && !object.map()->isNamespace
               ? Value()
               : member(object, arguments.get(0, "name").text());
  if (name == "string")
    return object.text();
  if (name == "length" || name == "count")
    return int64_t(elementsOf(object).size());
  if (name == "map" || name.starts_with("select") || name.starts_with("reject"))
    return selected(object, name, arguments);
  if (name == "items") {
    if (!object.map())
      return fail(concat("takes the items of ", object.kind()));
    return method(object, "items", arguments);
  }
  if (name == "sort")
    return sort(object, arguments);
  if (name == "dictsort")
    return sortMap(object, arguments);
  if (name == "int" || name == "float" || name == "abs")
    return toNumber(object, name, arguments);
  if (isTextFilter(name))
    return textFilter(object, name, arguments);

  // The remaining filters take elements.
  List elements = elementsOf(object);
  if (!step(elements.size()))
    return {};
  if (name == "list")
    return checked(std::move(elements));
  if (name == "batch")
    return batch(elements, arguments);
  if (name == "slice")
    return divide(elements, arguments);
  if (name == "sum" || name == "min" || name == "max")
    return folded(name, elements, arguments);
  if (name == "first" || name == "last")
    return elements.empty()  ? Value()
           : name == "first" ? elements.front()
                             : elements.back();
  if (name == "join") {
    const Value separator = arguments.get(0, "d");
    if (const Value path = arguments.get(1, "attribute"); !path.isUndefined())
      for (Value &element : elements)
        element = attribute(element, path);
    std::string text;
    for (size_t i = 0; i < elements.size() && problem.empty(); ++i) {
      text += (i && !separator.isUndefined() ? separator.text() : "") +
              elements[i].text();
      step((text.size() - std::min<size_t>(text.size(), 1)) / 4096);
    }
    return text;
  }
  if (name == "unique") {
    const bool isCaseSensitive = arguments.get(0, "case_sensitive").isTrue();
    List kept, keys;
    const Value path = arguments.get(1, "attribute");
    for (const Value &element : elements) {
      const Value subject =
          path.isUndefined() ? element : attribute(element, path);
      const Value key = subject.isString() && !isCaseSensitive
                            ? Value(inCase(subject.string(), "lower"))
                            : subject;
      if (!step(keys.size()) || std::ranges::find(keys, key) != keys.end())
        continue;
      keys.push_back(key);
      kept.push_back(element);
    }
    return kept;
  }
  std::ranges::reverse(elements); // reverse
  if (!object.isString())
    return checked(std::move(elements));
  std::string text;
  for (const Value &element : elements)
    text += element.string();
  return text;
}

bool Evaluator::test(const Value &object, std::string_view name,
                     const Arguments &arguments) {
  if (!isTest(name)) {
    fail(concat("uses the test '", name, "', which is not supported"));
    return false;
  }
  if (name == "defined" || name == "undefined")
    return object.isUndefined() == (name == "undefined");
  if (name == "none")
    return object.is<None>();
  if (name == "string")
    return object.isString();
  if (name == "mapping")
    return object.map() != nullptr;
  if (name == "iterable" || name == "sequence")
    return object.isString() || object.list() || object.map() ||
           object.isUndefined();
  if (name == "number")
    return object.comparable().has_value();
  if (name == "integer")
    return object.is<int64_t>();
  if (name == "float")
    return object.is<double>();
  if (name == "boolean")
    return object.is<bool>();
  if (name == "true" || name == "false")
    return object.is<bool>() && object.boolean() == (name == "true");
  if (name == "odd" || name == "even")
    return object.is<int64_t>() &&
           (object.integer() % 2 != 0) == (name == "odd");
  if (name == "filter" || name == "test")
    return object.isString() && (name == "filter" ? isFilter(object.string())
                                                  : isTest(object.string()));
  if (name == "in")
    return contains(arguments.get(0), object);
  if (name == "callable")
    return object.function() || object.isUndefined();
  if (name == "escaped")
    return false;
  if (name == "lower" || name == "upper")
    return stringMethod(object.text(), concat("is", name), Arguments())
        .isTrue();
  if (name == "divisibleby") {
    const Value remainder = arithmetic("%", object, arguments.get(0, "num"));
    return remainder.is<int64_t>() && remainder.integer() == 0;
  }
  if (name == "sameas") {
    const Value other = arguments.get(0, "other");
    return object.kind() == other.kind() && object.list() == other.list() &&
           object.map() == other.map() && object == other;
  }
  constexpr std::pair<std::string_view, std::string_view> orders[] = {
      {"lt", "<"},          {"lessthan", "<"}, {"le", "<="}, {"gt", ">"},
      {"greaterthan", ">"}, {"ge", ">="},      {"<", "<"},   {"<=", "<="},
      {">", ">"},           {">=", ">="},
  };
  for (const auto &[word, sign] : orders)
    if (name == word)
      return compare(sign, object, arguments.get(0)).isTrue();
  return (object == arguments.get(0)) == (name != "ne" && name != "!=");
}

} // namespace tilegpt::runtime::chat
