// Filters that compare or add up elements: sort, dictsort, min, max, sum.
#include "Characters.h"
#include "Evaluator.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilegpt::runtime::chat {

Value Evaluator::sorted(const List &elements, List keys, bool isCaseSensitive,
                        bool isReverse) {
  if (!step(elements.size() * 16))
    return {};
  for (Value &key : keys) {
    if (key.isString() && !isCaseSensitive)
      key = inCase(key.string(), "lower");
    if (key.is<double>() && std::isnan(key.number()))
      return fail("sorts by nan");
    compare("<", keys.front(), key); // rejects keys that have no order
  }
  if (!problem.empty())
    return {};
  std::vector<size_t> order(elements.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::sort(order, [&](size_t a, size_t b) {
    return keys[a] == keys[b]
               ? a < b
               : compare(isReverse ? ">" : "<", keys[a], keys[b]).isTrue();
  });
  List result;
  for (const size_t i : order)
    result.push_back(elements[i]);
  return checked(std::move(result));
}

/// `sort(reverse, case_sensitive, attribute)`.
Value Evaluator::sort(const Value &object, const Arguments &arguments) {
  const List elements = elementsOf(object);
  const Value path = arguments.get(2, "attribute");
  List keys = elements;
  if (path.isString()) {
    // Several paths are sorted by in turn.
    const Value paths =
        stringMethod(path.string(), "split", {{Value(",")}, {}});
    for (Value &key : keys) {
      List parts;
      for (const Value &part : *paths.list())
        parts.push_back(attribute(key, part));
      key = parts.size() == 1 ? parts[0] : Value(std::move(parts));
    }
  } else if (!path.isUndefined()) {
    for (Value &key : keys)
      key = attribute(key, path);
  }
  return sorted(elements, std::move(keys),
                arguments.get(1, "case_sensitive").isTrue(),
                arguments.get(0, "reverse").isTrue());
}

/// `dictsort(case_sensitive, by, reverse)`.
Value Evaluator::sortMap(const Value &object, const Arguments &arguments) {
  if (!object.map())
    return fail(concat("sorts the members of ", object.kind()));
  const Value by = arguments.get(1, "by");
  if (!by.isUndefined() && by != Value("key") && by != Value("value"))
    return fail("expected 'key' or 'value' for dictsort to sort by");
  List items, keys;
  for (const auto &[key, value] : object.map()->members) {
    items.push_back(Value::tuple({key, value}));
    keys.push_back(by == Value("value") ? value : key);
  }
  return sorted(items, std::move(keys),
                arguments.get(0, "case_sensitive").isTrue(),
                arguments.get(2, "reverse").isTrue());
}

/// `sum(attribute, start)`, `min(case_sensitive, attribute)` and `max`.
Value Evaluator::folded(std::string_view name, const List &elements,
                        const Arguments &arguments) {
  const Value path = arguments.get(name == "sum" ? 0 : 1, "attribute");
  List keys = elements;
  if (!path.isUndefined() && !path.is<None>())
    for (Value &key : keys)
      key = attribute(key, path);
  if (name != "sum") {
    const Value all =
        sorted(elements, std::move(keys),
               arguments.get(0, "case_sensitive").isTrue(), name == "max");
    return all.list() && !all.list()->empty() ? all.list()->front() : Value();
  }
  Value total = arguments.get(1, "start");
  if (total.isUndefined())
    total = int64_t(0);
  for (const Value &key : keys)
    total = arithmetic("+", total, key);
  return total;
}

} // namespace tilegpt::runtime::chat
