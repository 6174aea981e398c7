// Filters that make numbers: int, float, abs, round.
#include "Characters.h"
#include "Evaluator.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tilegpt::runtime::chat {

size_t toCount(const Value &value, size_t otherwise) {
  return value.is<int64_t>()
             ? size_t(std::clamp<int64_t>(value.integer(), 0, INT32_MAX))
             : otherwise;
}

/// `round(precision, method)`: decimal digits of the exact value are rounded,
/// halves to the even neighbour.
Value Evaluator::round(const Value &object, const Arguments &arguments) {
  const Value digits = arguments.get(0, "precision");
  const Value method = arguments.get(1, "method");
  if (!object.isNumber())
    return fail(concat("rounds ", object.kind()));
  const int precision =
      digits.is<int64_t>()
          ? int(std::clamp<int64_t>(digits.integer(), -300, 300))
          : 0;
  const double scale = std::pow(10.0, precision);
  double value = object.number();
  if (method == Value("ceil") || method == Value("floor"))
    return (method == Value("ceil") ? std::ceil(value * scale)
                                    : std::floor(value * scale)) /
           scale;
  if (precision < 0) {
    value = std::nearbyint(value / std::pow(10.0, -precision)) *
            std::pow(10.0, -precision);
  } else if (object.is<double>()) {
    std::array<char, 700> text;
    std::snprintf(text.data(), text.size(), "%.*f", precision, value);
    value = std::strtod(text.data(), nullptr);
  }
  return object.is<double>() ? Value(value) : Value(int64_t(value));
}

/// The whole text as an integer, as Python's int() reads it.
static std::optional<int64_t> readInteger(std::string_view text, int64_t base) {
  std::string digits;
  for (const char c : strip(text, std::nullopt, 3))
    if (c != '_')
      digits += char(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const bool isNegative = digits.starts_with('-');
  digits.erase(0, isNegative || digits.starts_with('+'));
  for (const auto &[prefix, ofPrefix] :
       {std::pair<std::string_view, int64_t>{"0x", 16}, {"0o", 8}, {"0b", 2}})
    if (digits.starts_with(prefix) && (base == 0 || base == ofPrefix)) {
      digits.erase(0, 2);
      base = ofPrefix;
    }
  base = base == 0 ? 10 : base;
  int64_t number = 0;
  const char *end = digits.data() + digits.size();
  if (digits.starts_with('-') || base < 2 || base > 36)
    return std::nullopt;
  const auto read = std::from_chars(digits.data(), end, number, int(base));
  if (read.ec != std::errc() || read.ptr != end)
    return std::nullopt;
  return isNegative ? -number : number;
}

/// The whole text as a number, as Python's float() reads it.
static std::optional<double> readNumber(std::string_view text) {
  const std::string digits(strip(text, std::nullopt, 3));
  char *end = nullptr;
  const double number = std::strtod(digits.c_str(), &end);
  const bool isHex = digits.find_first_of("xX") != digits.npos;
  if (digits.empty() || isHex || end != digits.c_str() + digits.size())
    return std::nullopt;
  return number;
}

/// `int(default, base)`, `float(default)` and `abs`.
Value Evaluator::toNumber(const Value &object, std::string_view name,
                          const Arguments &arguments) {
  if (name == "abs") {
    if (object.is<int64_t>())
      return object.integer() == INT64_MIN
                 ? fail("has an integer that is too large")
                 : Value(std::abs(object.integer()));
    return object.comparable() ? Value(std::abs(*object.comparable()))
                               : fail(concat("expected a number for abs, "
                                             "found ",
                                             object.kind()));
  }
  const Value standard = arguments.get(0, "default");
  Value otherwise = !standard.isUndefined() ? standard
                    : name == "int"         ? Value(int64_t(0))
                                            : Value(0.0);
  if (name == "int" && object.is<int64_t>())
    return object;
  const Value base = arguments.get(1, "base");
  if (name == "int" && object.isString())
    if (const auto whole = readInteger(
            object.string(), base.is<int64_t>() ? base.integer() : 10))
      return *whole;
  const std::optional<double> number =
      object.isString() ? readNumber(object.string()) : object.comparable();
  if (!number)
    return otherwise;
  if (name == "float")
    return *number;
  if (!std::isfinite(*number))
    return otherwise;
  if (std::abs(*number) >= 0x1p63)
    return fail("has an integer that is too large");
  return int64_t(*number);
}

} // namespace tilegpt::runtime::chat
