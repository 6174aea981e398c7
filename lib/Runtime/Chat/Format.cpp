// Conversions of % and format specifications share one representation.
#include "Format.h"
#include "Characters.h"
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace tilegpt::runtime::chat {

namespace {

/// Far above what templates pad to.
constexpr size_t mostWidth = 1024;

/// How one value is written.
struct Specification {
  std::string fill = " ";
  char align = '\0'; ///< '<', '>', '^', '=' (after the sign) or none
  char sign = '-';   ///< '-', '+' or ' '
  bool isAlternate = false;
  char grouping = '\0'; ///< between thousands
  size_t width = 0;
  int precision = -1;
  char type = '\0';
};

/// The number at the start of the text, which it removes.
size_t takeNumber(std::string_view &text) {
  size_t number = 0;
  for (; !text.empty() && isDigit(text[0]); text.remove_prefix(1))
    number = std::min(number * 10 + size_t(text[0] - '0'), mostWidth);
  return number;
}

bool take(std::string_view &text, char c) {
  const bool isNext = text.starts_with(c);
  text.remove_prefix(isNext);
  return isNext;
}

std::string digitsOf(uint64_t number, int base) {
  std::array<char, 72> digits;
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), number, base)
          .ptr;
  return std::string(digits.data(), end);
}

std::string realDigits(double number, char type, int precision,
                       bool isAlternate) {
  const std::string format =
      concat("%", isAlternate ? "#" : "", ".*", std::string(1, type));
  std::array<char, 512> buffer;
  const int size = std::snprintf(buffer.data(), buffer.size(), format.c_str(),
                                 std::min(precision, 100), number);
  return std::string(buffer.data(), size_t(std::max(size, 0)));
}

/// The sign, and the number without it.
struct NumberText {
  std::string sign, digits;
};

std::string signOf(bool isNegative, char sign) {
  return isNegative ? "-" : sign == '-' ? "" : std::string(1, sign);
}

/// \returns nothing if the type does not fit the value.
std::optional<NumberText> numberText(const Value &value,
                                     const Specification &how) {
  const bool isWhole = value.is<int64_t>() || value.is<bool>();
  const std::string_view wholeTypes = "bcdoxXn", realTypes = "eEfFgG%";
  const double number = *value.comparable();
  if (isWhole &&
      (how.type == '\0' || wholeTypes.find(how.type) != wholeTypes.npos)) {
    const int64_t whole = value.is<bool>() ? value.boolean() : value.integer();
    const uint64_t size = whole < 0 ? 0 - uint64_t(whole) : uint64_t(whole);
    const int base = how.type == 'b'                      ? 2
                     : how.type == 'o'                    ? 8
                     : how.type == 'x' || how.type == 'X' ? 16
                                                          : 10;
    std::string digits = digitsOf(size, base);
    if (how.type == 'X')
      digits = inCase(digits, "upper");
    if (how.isAlternate && base != 10)
      digits = concat("0", std::string(1, how.type), digits);
    return NumberText{signOf(whole < 0, how.sign), digits};
  }
  if (how.type != '\0' && realTypes.find(how.type) == realTypes.npos)
    return std::nullopt;
  const bool isNegative = std::signbit(number);
  const double size = std::abs(number);
  std::string digits;
  if (how.type == '\0' && how.precision < 0)
    digits = Value(size).text();
  else
    digits = realDigits(how.type == '%' ? size * 100 : size,
                        how.type == '%'    ? 'f'
                        : how.type == '\0' ? 'g'
                                           : how.type,
                        how.precision < 0 ? 6 : how.precision, how.isAlternate);
  return NumberText{signOf(isNegative, how.sign),
                    digits + (how.type == '%' ? "%" : "")};
}

std::string grouped(const std::string &digits, char separator) {
  const size_t whole =
      std::min(digits.find_first_not_of("0123456789"), digits.size());
  std::string result;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && i < whole && (whole - i) % 3 == 0)
      result += separator;
    result += digits[i];
  }
  return result;
}

/// \returns nothing if the type does not fit the value.
std::optional<std::string> written(const Value &value,
                                   const Specification &how) {
  const bool isNumber = value.isNumber() ||
                        (value.is<bool>() && how.type != '\0') ||
                        (value.is<bool>() && how.width > 0);
  if (!isNumber) {
    if (how.type != '\0' && how.type != 's')
      return std::nullopt;
    std::string text = value.text();
    if (how.precision >= 0) {
      const auto characters = charactersOf(text);
      if (size_t(how.precision) < characters.size())
        text.resize(
            size_t(characters[size_t(how.precision)].data() - text.data()));
    }
    return padded(text, how.width, how.align ? how.align : '<', how.fill);
  }
  auto number = numberText(value, how);
  if (!number)
    return std::nullopt;
  if (how.grouping)
    number->digits = grouped(number->digits, how.grouping);
  const size_t size = number->sign.size() + number->digits.size();
  if (how.align == '=' && size < how.width)
    for (size_t i = size; i < how.width; ++i)
      number->sign += how.fill;
  return padded(number->sign + number->digits, how.width,
                how.align ? how.align : '>', how.fill);
}

/// `[[fill]align][sign][#][0][width][,][.precision][type]`.
std::optional<Specification> parseSpecification(std::string_view text) {
  const std::string_view aligns = "<>^=";
  Specification how;
  const auto characters = charactersOf(text);
  if (characters.size() > 1 && characters[1].size() == 1 &&
      aligns.find(characters[1][0]) != aligns.npos) {
    how.fill = std::string(characters[0]);
    how.align = characters[1][0];
    text.remove_prefix(characters[0].size() + 1);
  } else if (!text.empty() && aligns.find(text[0]) != aligns.npos) {
    how.align = text[0];
    text.remove_prefix(1);
  }
  for (const char sign : {'+', '-', ' '})
    if (take(text, sign))
      how.sign = sign;
  how.isAlternate = take(text, '#');
  if (take(text, '0') && how.align == '\0') {
    how.align = '=';
    how.fill = "0";
  }
  how.width = takeNumber(text);
  for (const char separator : {',', '_'})
    if (take(text, separator))
      how.grouping = separator;
  if (take(text, '.'))
    how.precision = int(takeNumber(text));
  if (!text.empty()) {
    how.type = text[0];
    text.remove_prefix(1);
  }
  return text.empty() ? std::optional(how) : std::nullopt;
}

/// Written as `%r` or `!r`.
std::string representation(const Value &value) {
  const std::string inList = Value(List{value}).text();
  return inList.substr(1, inList.size() - 2);
}

} // namespace

std::string padded(std::string_view text, size_t width, char align,
                   std::string_view fill) {
  const size_t size = charactersOf(text).size();
  const size_t missing = width > size ? width - size : 0;
  const size_t before = align == '<' || align == '=' ? 0
                        : align == '>'               ? missing
                                                     : missing / 2;
  std::string result;
  for (size_t i = 0; i < before; ++i)
    result += fill;
  result += text;
  for (size_t i = before; i < missing; ++i)
    result += fill;
  return result;
}

Result<std::string> interpolate(std::string_view text, const Value &value) {
  const List single = {value};
  const List &values = value.isTuple() ? *value.list() : single;
  size_t used = 0;
  bool isNamed = false;
  std::string result;
  const auto nextValue = [&] {
    return used < values.size() ? &values[used++] : nullptr;
  };
  const auto tooFew = [] {
    return makeError(ErrorCode::BadInput, "has more conversions than values");
  };
  while (!text.empty()) {
    const size_t at = std::min(text.find('%'), text.size());
    result += text.substr(0, at);
    text.remove_prefix(at);
    if (!take(text, '%'))
      break;
    const Value *converted = nullptr;
    if (take(text, '(')) {
      const size_t end = std::min(text.find(')'), text.size());
      const Map *map = value.map();
      converted = map ? map->find(text.substr(0, end)) : nullptr;
      if (!converted)
        return makeError(ErrorCode::BadInput, "has no value for '%(",
                         text.substr(0, end), ")'");
      isNamed = true;
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    Specification how;
    how.align = '>';
    for (; !text.empty() &&
           std::string_view("-+ #0").find(text[0]) != std::string_view::npos;
         text.remove_prefix(1)) {
      const char flag = text[0];
      if (flag == '-')
        how.align = '<';
      else if (flag == '#')
        how.isAlternate = true;
      else if (flag == '0')
        how.fill = "0";
      else if (how.sign != '+')
        how.sign = flag;
    }
    how.width = takeNumber(text);
    if (take(text, '.'))
      how.precision = int(takeNumber(text));
    const char type = text.empty() ? '\0' : text[0];
    if (take(text, '%')) {
      result += '%';
      continue;
    }
    if (std::string_view("srdiuxXoeEfFgGc").find(type) == text.npos ||
        text.empty())
      return makeError(ErrorCode::BadInput, "has the conversion '%",
                       text.substr(0, 1), "', which is not supported");
    text.remove_prefix(1);
    if (!converted && !(converted = nextValue()))
      return tooFew();
    const bool isText =
        type == 's' || type == 'r' || (type == 'c' && converted->isString());
    Value written;
    if (isText) {
      how.type = 's';
      how.fill = " ";
      written = type == 'r' ? representation(*converted) : converted->text();
    } else {
      how.type = type == 'i' || type == 'u' ? 'd' : type;
      if (how.fill == "0" && how.align == '>')
        how.align = '=';
      else
        how.fill = " ";
      written = *converted;
      if (how.type == 'd' && written.is<double>())
        written = int64_t(written.number());
    }
    const auto one = chat::written(written, how);
    if (!one)
      return makeError(ErrorCode::BadInput, "expected a number for '%",
                       std::string(1, type), "', found ", converted->kind());
    result += *one;
  }
  if (!isNamed && used < values.size() && !value.map())
    return makeError(ErrorCode::BadInput, "has more values than conversions");
  return result;
}

Result<std::string>
formatFields(std::string_view text,
             const std::function<Value(std::string_view)> &field) {
  size_t count = 0;
  std::string result;
  while (!text.empty()) {
    const char c = text[0];
    if (c != '{' && c != '}') {
      const size_t end = std::min(text.find_first_of("{}"), text.size());
      result += text.substr(0, end);
      text.remove_prefix(end);
      continue;
    }
    text.remove_prefix(1);
    if (take(text, c)) {
      result += c;
      continue;
    }
    const size_t end = text.find('}');
    if (c == '}' || end == text.npos)
      return makeError(ErrorCode::BadInput, "has a single '", std::string(1, c),
                       "' in the text of format()");
    std::string_view inner = text.substr(0, end);
    text.remove_prefix(end + 1);
    const size_t colon = std::min(inner.find(':'), inner.size());
    std::string_view name = inner.substr(0, colon);
    const auto how =
        parseSpecification(inner.substr(std::min(colon + 1, inner.size())));
    const bool isRepresented = name.ends_with("!r");
    if (isRepresented || name.ends_with("!s"))
      name.remove_suffix(2);
    const bool isNumbered = name.empty() || name[0] == '.' || name[0] == '[';
    Value value = field(isNumbered ? concat(count++, name) : std::string(name));
    if (isRepresented)
      value = representation(value);
    const auto one = how ? written(value, *how) : std::nullopt;
    if (!one)
      return makeError(ErrorCode::BadInput, "has the format '",
                       inner.substr(colon), "', which does not fit ",
                       value.kind());
    result += *one;
  }
  return result;
}

} // namespace tilegpt::runtime::chat
