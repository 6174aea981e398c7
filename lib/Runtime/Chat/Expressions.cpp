// Operators, members and slices.
#include "Characters.h"
#include "Evaluator.h"
#include "Format.h"
#include <algorithm>
#include <cmath>

namespace tilegpt::runtime::chat {

Value Evaluator::evaluate(const Node *node) {
  const Level level(*this);
  if (!node || !step())
    return {};
  const int outer = std::exchange(line, node->line);
  Value value = evaluateKind(*node);
  if (problem.empty())
    line = outer;
  return value;
}

Value Evaluator::evaluateKind(const Node &node) {
  const auto child = [&](size_t i) { return evaluate(node.children[i].get()); };
  switch (node.kind) {
  case Node::Literal:
    return node.value;
  case Node::Variable: {
    const Value *value = find(node.name);
    return value ? *value : Value();
  }
  case Node::ListOf:
  case Node::TupleOf: {
    List elements;
    for (size_t i = 0; i < node.children.size(); ++i)
      elements.push_back(child(i));
    return checked(node.kind == Node::TupleOf
                       ? Value::tuple(std::move(elements))
                       : Value(std::move(elements)));
  }
  case Node::MapOf: {
    Map members;
    for (size_t i = 0; i + 1 < node.children.size(); i += 2) {
      Value key = child(i);
      if (!key.isKey())
        return fail(concat("uses ", key.kind(), " as a key"));
      members.set(std::move(key), child(i + 1));
    }
    return checked(std::move(members));
  }
  case Node::Member: {
    const Value object = child(0);
    if (const Node &from = *node.children[0];
        object.isUndefined() && from.kind == Node::Variable && problem.empty())
      return fail(concat("takes '", node.name, "' of '", from.name,
                         "', which is undefined"));
    return member(object, node.name);
  }
  case Node::Index:
    return index(child(0), child(1));
  case Node::Slice:
    return slice(node);
  case Node::Call:
    return call(node);
  case Node::Filter: {
    const Value object = child(0);
    return problem.empty() ? filter(object, node.name, arguments(node))
                           : Value();
  }
  case Node::Test: {
    const Value object = child(0);
    return problem.empty() ? Value(test(object, node.name, arguments(node)))
                           : Value();
  }
  case Node::Unary: {
    Value operand = child(0);
    if (node.name == "not")
      return !operand.isTrue();
    if (operand.is<bool>())
      operand = int64_t(operand.boolean());
    if (!operand.isNumber())
      return problem.empty()
                 ? fail(concat("expected a number after '", node.name,
                               "', found ", operand.kind()))
                 : Value();
    if (node.name == "+")
      return operand;
    return operand.is<int64_t>() ? Value(int64_t(-uint64_t(operand.integer())))
                                 : Value(-operand.number());
  }
  case Node::Binary:
    return binary(node);
  case Node::Compare: {
    Value left = child(0);
    for (size_t i = 0; i < node.names.size(); ++i) {
      Value right = child(i + 1);
      if (!problem.empty() || !relation(node.names[i], left, right))
        return false;
      left = std::move(right);
    }
    return true;
  }
  case Node::Choose:
    return evaluate(node.children[child(0).isTrue() ? 1 : 2].get());
  case Node::Capture:
    return captured(*node.children[0]);
  default:
    return {};
  }
}

Value Evaluator::binary(const Node &node) {
  const std::string_view sign = node.name;
  Value a = evaluate(node.children[0].get());
  if (sign == "and" || sign == "or")
    return a.isTrue() == (sign == "or") ? a : evaluate(node.children[1].get());
  const Value b = evaluate(node.children[1].get());
  if (!problem.empty())
    return {};
  if (sign == "~") {
    std::string text = a.text() + b.text();
    step(text.size() / 64);
    return text;
  }
  return arithmetic(sign, a, b);
}

bool Evaluator::relation(std::string_view sign, const Value &a,
                         const Value &b) {
  if (sign == "==" || sign == "!=")
    return (a == b) == (sign == "==");
  if (sign == "in" || sign == "not in")
    return contains(b, a) == (sign == "in");
  return compare(sign, a, b).isTrue();
}

Value Evaluator::compare(std::string_view sign, const Value &a,
                         const Value &b) {
  int order = 0;
  if (const auto x = a.comparable(), y = b.comparable(); x && y)
    order = *x < *y ? -1 : *x > *y;
  else if (a.isString() && b.isString())
    order = a.string().compare(b.string());
  else if (a.list() && b.list() && a.isTuple() == b.isTuple()) {
    const auto [x, y] = std::ranges::mismatch(*a.list(), *b.list());
    step(a.list()->size());
    if (x != a.list()->end() && y != b.list()->end())
      return compare(sign, *x, *y);
    order = x != a.list()->end() ? 1 : y != b.list()->end() ? -1 : 0;
  } else
    return fail(concat("compares ", a.kind(), " with ", b.kind()));
  const bool isEqual = sign.size() == 2 && order == 0;
  return isEqual || (sign[0] == '<' ? order < 0 : order > 0);
}

Value Evaluator::power(const Value &a, const Value &b) {
  if (!a.is<int64_t>() || !b.is<int64_t>() || b.integer() < 0)
    return std::pow(a.number(), b.number());
  int64_t result = 1;
  for (int64_t i = 0; i < b.integer() && step(); ++i)
    if (__builtin_mul_overflow(result, a.integer(), &result))
      return fail("has an integer that is too large");
  return result;
}

Value Evaluator::arithmetic(std::string_view sign, const Value &left,
                            const Value &right) {
  const auto asNumber = [](const Value &value) {
    return value.is<bool>() ? Value(int64_t(value.boolean())) : value;
  };
  const bool isSwapped =
      sign == "*" && (right.isString() || right.list() != nullptr);
  const Value a = asNumber(isSwapped ? right : left),
              b = asNumber(isSwapped ? left : right);
  if (sign == "%" && a.isString()) {
    step(a.string().size() + b.weight());
    auto text = interpolate(a.string(), b);
    return text ? Value(*std::move(text)) : fail(text.error().message);
  }
  if (sign == "*" && a.list() && b.is<int64_t>()) {
    List all;
    for (int64_t i = 0; i < b.integer() && step(a.list()->size() + 1); ++i)
      all.insert(all.end(), a.list()->begin(), a.list()->end());
    return checked(a.isTuple() ? Value::tuple(std::move(all))
                               : Value(std::move(all)));
  }
  if (sign == "+" && a.isString() && b.isString()) {
    step(b.string().size() / 64);
    return a.string() + b.string();
  }
  if (sign == "+" && a.list() && b.list() && a.isTuple() == b.isTuple()) {
    List all = *a.list();
    step(all.size() + b.list()->size());
    all.insert(all.end(), b.list()->begin(), b.list()->end());
    return checked(a.isTuple() ? Value::tuple(std::move(all))
                               : Value(std::move(all)));
  }
  if (sign == "*" && a.isString() && b.is<int64_t>()) {
    const int64_t count = std::max<int64_t>(b.integer(), 0);
    if (!step(size_t(std::min<int64_t>(count, INT32_MAX)) *
              (1 + a.string().size() / 64)))
      return {};
    std::string text;
    for (int64_t i = 0; i < count; ++i)
      text += a.string();
    return text;
  }
  if (!a.isNumber() || !b.isNumber())
    return fail(concat("has ", a.kind(), " ", sign, " ", b.kind()));
  const bool isWhole = a.is<int64_t>() && b.is<int64_t>() && sign != "/";
  if ((sign == "/" || sign == "//" || sign == "%") && b.number() == 0)
    return fail("divides by 0");
  if (sign == "**")
    return power(a, b);
  if (!isWhole) {
    const double x = a.number(), y = b.number();
    return sign == "+"    ? x + y
           : sign == "-"  ? x - y
           : sign == "*"  ? x * y
           : sign == "/"  ? x / y
           : sign == "//" ? std::floor(x / y)
                          : x - y * std::floor(x / y);
  }
  const int64_t x = a.integer(), y = b.integer();
  int64_t result = 0;
  bool overflows = false;
  if (sign == "+")
    overflows = __builtin_add_overflow(x, y, &result);
  else if (sign == "-")
    overflows = __builtin_sub_overflow(x, y, &result);
  else if (sign == "*")
    overflows = __builtin_mul_overflow(x, y, &result);
  else if (y == -1)
    overflows = sign == "//" && __builtin_sub_overflow(int64_t(0), x, &result);
  else if (sign == "//")
    result = x / y - (x % y != 0 && (x < 0) != (y < 0));
  else
    result = (x % y + y) % y;
  return overflows ? fail("has an integer that is too large") : Value(result);
}

bool Evaluator::contains(const Value &all, const Value &one) {
  if (all.isString() && one.isString())
    return all.string().find(one.string()) != std::string::npos;
  if (const List *elements = all.list())
    return step(elements->size()) &&
           std::ranges::find(*elements, one) != elements->end();
  if (const Map *members = all.map())
    return members->findKey(one) != nullptr;
  if (all.isUndefined())
    return false;
  fail(concat("looks for ", one.kind(), " in ", all.kind()));
  return false;
}

Value Evaluator::member(const Value &object, std::string_view name) {
  if (object.isUndefined())
    return problem.empty()
               ? fail(concat("takes '", name, "' of an undefined value"))
               : Value();
  if (object.isGroup() && (name == "grouper" || name == "list"))
    return (*object.list())[name == "list"];
  const Map *map = object.map();
  const Value *value = map ? map->find(name) : nullptr;
  // That of a cycler is an attribute which changes.
  if (value && value->function() && value->function()->state &&
      value->function()->name == "current")
    return count(*value->function());
  return value ? *value : Value();
}

Value Evaluator::index(const Value &object, const Value &key) {
  if (key.isString())
    return member(object, key.string());
  if (!problem.empty())
    return {};
  if (const Map *map = object.map()) {
    const Value *value = map->findKey(key);
    return value ? *value : Value();
  }
  if (!key.is<int64_t>() || (!object.list() && !object.isString()))
    return fail(concat("takes element ", key.text(), " of ", object.kind()));
  const List characters = object.isString() ? elementsOf(object) : List();
  const List &elements = object.isString() ? characters : *object.list();
  step(characters.size() / 64);
  int64_t at = key.integer();
  at += at < 0 ? int64_t(elements.size()) : 0;
  return at >= 0 && at < int64_t(elements.size()) ? elements[size_t(at)]
                                                  : Value();
}

Value Evaluator::attribute(const Value &object, const Value &path) {
  if (!path.isString())
    return index(object, path);
  Value value = object;
  std::string_view rest = path.string();
  for (bool isLast = false; !isLast;) {
    const size_t end = rest.find('.');
    isLast = end == rest.npos;
    const std::string_view name = rest.substr(0, end);
    const bool isIndex = isOfClass(name, "isdecimal") && name.size() < 18;
    value = isIndex ? index(value, int64_t(std::stoll(std::string(name))))
                    : member(value, name);
    rest.remove_prefix(isLast ? rest.size() : end + 1);
  }
  return value;
}

Value Evaluator::slice(const Node &node) {
  const Value object = evaluate(node.children[0].get());
  Value parts[3]; // begin, end, step
  for (size_t i = 0; i < 3; ++i) {
    parts[i] = evaluate(node.children[i + 1].get());
    const bool isLeftOut = parts[i].isUndefined() || parts[i].is<None>();
    if (!isLeftOut && !parts[i].is<int64_t>())
      return fail(concat("expected integers between brackets, found ",
                         parts[i].kind()));
  }
  if (!object.list() && !object.isString())
    return problem.empty() ? fail(concat("takes a part of ", object.kind()))
                           : Value();
  const List elements = elementsOf(object);
  const auto size = int64_t(elements.size());
  const auto given = [&](size_t i) { return parts[i].is<int64_t>(); };
  step(elements.size() / 64);
  // Clamp the stride to the size.
  const int64_t stride =
      given(2) ? std::clamp(parts[2].integer(), -size - 1, size + 1) : 1;
  if (stride == 0)
    return fail("expected a step between brackets that is not 0");
  const int64_t low = stride > 0 ? 0 : -1;
  const auto place = [&](size_t i, int64_t otherwise) {
    if (!given(i))
      return otherwise;
    const int64_t at = parts[i].integer();
    return std::clamp(at < 0 ? std::max(at, -size - 1) + size : at, low,
                      size + low);
  };
  const int64_t begin = place(0, stride > 0 ? 0 : size - 1);
  const int64_t end = place(1, stride > 0 ? size : -1);
  List chosen;
  for (int64_t i = begin; stride > 0 ? i < end : i > end; i += stride)
    chosen.push_back(elements[size_t(i)]);
  if (!object.isString())
    return object.isTuple() ? Value::tuple(std::move(chosen))
                            : Value(std::move(chosen));
  std::string text;
  for (const Value &character : chosen)
    text += character.string();
  return text;
}

} // namespace tilegpt::runtime::chat
