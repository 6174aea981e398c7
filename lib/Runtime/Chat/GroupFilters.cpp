// Filters that arrange elements in groups.
#include "Characters.h"
#include "Evaluator.h"
#include <algorithm>

namespace tilegpt::runtime::chat {

/// `batch(linecount, fill_with)`: lists of so many elements each.
Value Evaluator::batch(const List &elements, const Arguments &arguments) {
  const size_t size = toCount(arguments.get(0, "linecount"), 0);
  const Value filler = arguments.get(1, "fill_with");
  if (size == 0)
    return fail("expected a number of elements for batch");
  List batches;
  for (size_t i = 0; i < elements.size(); i += size) {
    const size_t count = std::min(size, elements.size() - i);
    List part(elements.begin() + std::ptrdiff_t(i),
              elements.begin() + std::ptrdiff_t(i + count));
    if (!filler.isUndefined() && !filler.is<None>())
      for (size_t k = count; k < size && step(); ++k)
        part.push_back(filler);
    batches.emplace_back(std::move(part));
  }
  return checked(std::move(batches));
}

/// `slice(slices, fill_with)`: so many lists, the first ones longer by one.
Value Evaluator::divide(const List &elements, const Arguments &arguments) {
  const size_t count = toCount(arguments.get(0, "slices"), 0);
  const Value filler = arguments.get(1, "fill_with");
  if (count == 0)
    return fail("expected a number of lists for slice");
  const size_t least = elements.size() / count, more = elements.size() % count;
  List slices;
  size_t at = 0;
  for (size_t i = 0; i < count && step(); ++i) {
    const size_t size = least + (i < more);
    List part(elements.begin() + std::ptrdiff_t(at),
              elements.begin() + std::ptrdiff_t(at + size));
    if (!filler.isUndefined() && !filler.is<None>() && i >= more)
      part.push_back(filler);
    at += size;
    slices.emplace_back(std::move(part));
  }
  return checked(std::move(slices));
}

/// `groupby(attribute, default, case_sensitive)`: pairs of a value and the
/// elements with it, in the order of the values.
Value Evaluator::group(const Value &object, const Arguments &arguments) {
  const Value path = arguments.get(0, "attribute");
  const Value otherwise = arguments.get(1, "default");
  const bool isCaseSensitive = arguments.get(2, "case_sensitive").isTrue();
  const List elements = elementsOf(object);
  List keys;
  for (const Value &element : elements) {
    Value key = attribute(element, path);
    keys.push_back(key.isUndefined() ? otherwise : std::move(key));
  }
  List places;
  for (size_t i = 0; i < elements.size(); ++i)
    places.emplace_back(int64_t(i));
  const Value order = sorted(places, keys, isCaseSensitive, false);
  if (!order.list())
    return {};
  const auto isSame = [&](const Value &a, const Value &b) {
    return a.isString() && b.isString() && !isCaseSensitive
               ? inCase(a.string(), "lower") == inCase(b.string(), "lower")
               : a == b;
  };
  List groups, members;
  const auto &sortedPlaces = *order.list();
  for (size_t i = 0; i < sortedPlaces.size(); ++i) {
    const auto place = size_t(sortedPlaces[i].integer());
    members.push_back(elements[place]);
    const bool isLast =
        i + 1 == sortedPlaces.size() ||
        !isSame(keys[place], keys[size_t(sortedPlaces[i + 1].integer())]);
    if (!isLast)
      continue;
    const auto first = size_t(sortedPlaces[i + 1 - members.size()].integer());
    groups.push_back(Value::group(keys[first], std::move(members)));
    members = {};
  }
  return checked(std::move(groups));
}

} // namespace tilegpt::runtime::chat
