// Parses and prints tensors, and makes random ones that are the same on every
// machine.
#include "TileGPT/Reference/TensorText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <charconv>
#include <cmath>
#include <limits>

using llvm::Expected;
using llvm::formatv;
using llvm::StringRef;

namespace tilegpt::reference {

static llvm::Error error(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

Expected<TensorShape> parseShape(StringRef text) {
  if (text.trim() == "index")
    return TensorShape{ElementType::I64, {}};
  llvm::SmallVector<StringRef> parts;
  text.trim().split(parts, 'x');
  std::optional<ElementType> type = bundle::parseElementType(parts.back());
  if (!type)
    return error(
        formatv("expected a shape such as 2x3xf32, found '{0}'", text));
  TensorShape result{*type, {}};
  for (StringRef part : llvm::ArrayRef(parts).drop_back()) {
    int64_t size;
    if (part.getAsInteger(10, size) || size < 0)
      return error(formatv("expected a size of at least 0, found '{0}' in "
                           "'{1}'",
                           part, text));
    result.shape.push_back(size);
  }
  return result;
}

/// A number in the range of an integer type, signed or unsigned.
static Expected<Element> parseInteger(StringRef text, ElementType type) {
  int64_t value;
  uint64_t unsignedNumber;
  if (!text.getAsInteger(0, value)) {
    int64_t wrapped = wrapTo(value, type);
    if (signedValue(wrapped, type) == value ||
        (value >= 0 && unsignedValue(wrapped, type) == uint64_t(value)))
      return Element::of(wrapped);
  } else if (type == ElementType::I64 &&
             !text.getAsInteger(0, unsignedNumber)) {
    return Element::of(static_cast<int64_t>(unsignedNumber));
  }
  if (type == ElementType::I1 && (text == "true" || text == "false"))
    return Element::of(int64_t(text == "true"));
  return error(
      formatv("expected an {0}, found '{1}'", bundle::name(type), text));
}

static Expected<Element> parseNumber(StringRef text, ElementType type) {
  if (!isFloat(type))
    return parseInteger(text, type);
  double value;
  const char *first = text.begin() + text.starts_with("+");
  auto [end, status] = std::from_chars(first, text.end(), value);
  if (status != std::errc() || end != text.end())
    return error(formatv("expected a number of type {0}, found '{1}'",
                         bundle::name(type), text));
  return Element::of(roundTo(value, type));
}

namespace {
/// SplitMix64, by Sebastiano Vigna (public domain): small, and the same
/// everywhere.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t bits() {
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, 1).
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

private:
  uint64_t state;
};
} // namespace

/// Fills a tensor from `SEED` or `SEED:LO:HI`.
static llvm::Error fillRandom(Tensor &tensor, StringRef text) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ':');
  uint64_t seed;
  double low = tensor.isFloat() ? -1 : -100, high = tensor.isFloat() ? 1 : 100;
  if ((parts.size() != 1 && parts.size() != 3) ||
      parts[0].getAsInteger(10, seed) ||
      (parts.size() == 3 &&
       (parts[1].getAsDouble(low) || parts[2].getAsDouble(high))) ||
      !(low <= high))
    return error(formatv("expected random:SEED or random:SEED:LO:HI with LO <= "
                         "HI, found 'random:{0}'",
                         text));
  Random random(seed);
  for (int64_t i = 0; i < tensor.size(); ++i) {
    if (tensor.isFloat()) {
      double value = low + (high - low) * random.unit();
      tensor[i] = Element::of(roundTo(value, tensor.type()));
    } else {
      double value = std::floor(low + (high - low + 1) * random.unit());
      tensor[i] =
          Element::of(wrapTo(static_cast<int64_t>(value), tensor.type()));
    }
  }
  return llvm::Error::success();
}

Expected<Tensor> parseValues(const TensorShape &shape, StringRef values) {
  Expected<Tensor> tensor = Tensor::zeros(shape.type, shape.shape);
  if (!tensor)
    return tensor;
  if (values.consume_front("random:")) {
    if (llvm::Error failure = fillRandom(*tensor, values))
      return failure;
    return tensor;
  }
  std::vector<Element> elements;
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(values, words, ",[] \t\n");
  for (StringRef word : words) {
    Expected<Element> element = parseNumber(word, shape.type);
    if (!element)
      return element.takeError();
    elements.push_back(*element);
  }
  if (elements.size() != 1 && int64_t(elements.size()) != tensor->size())
    return error(formatv("expected {0} values for {1}, found {2}",
                         tensor->size(), describe(shape.type, shape.shape),
                         elements.size()));
  for (int64_t i = 0; i < tensor->size(); ++i)
    (*tensor)[i] = elements[elements.size() == 1 ? 0 : i];
  return tensor;
}

Expected<Tensor> parseTensor(StringRef text) {
  auto [shapeText, values] = text.split('=');
  Expected<TensorShape> shape = parseShape(shapeText);
  if (!shape)
    return shape.takeError();
  if (shapeText.size() == text.size())
    return Tensor::zeros(shape->type, shape->shape);
  return parseValues(*shape, values);
}

/// The shortest text that reads back as the same value of the type.
static std::string formatElement(Element value, ElementType type) {
  if (!isFloat(type))
    return std::to_string(value.i);
  // The sign of a NaN is meaningless and differs between devices.
  if (std::isnan(value.f))
    return "nan";
  char text[32];
  std::to_chars_result end =
      type == ElementType::F64
          ? std::to_chars(text, std::end(text), value.f)
          : std::to_chars(text, std::end(text), static_cast<float>(value.f));
  return std::string(text, end.ptr);
}

std::string formatTensor(const Tensor &tensor, int64_t maxElements) {
  std::string text = describe(tensor.type(), tensor.shape()) + "=";
  int64_t shown = std::min(tensor.size(), maxElements);
  // Rows end where the index of the last axis comes back to 0.
  int64_t row = tensor.rank() > 1 ? tensor.shape().back() : 0;
  for (int64_t i = 0; i < shown; ++i) {
    if (row && i % row == 0)
      text += "[";
    else if (i)
      text += " ";
    text += formatElement(tensor[i], tensor.type());
    if (row && i % row == row - 1)
      text += "]";
  }
  return shown < tensor.size() ? text + "..." : text;
}

} // namespace tilegpt::reference
