// Generates data for launches and compares results.
#include "LaunchTuning/LaunchBench.h"
#include "TileGPT/Reference/Element.h"
#include <cmath>
#include <cstring>
#include <random>

namespace tilegpt::compiler {

using bundle::ElementType;
using reference::Element;

std::vector<std::byte> makeData(ElementType type, size_t elements,
                                uint64_t seed) {
  const auto width = size_t(bundle::byteWidth(type));
  std::vector<std::byte> data(elements * width);
  if (!reference::isFloat(type))
    return data;
  std::minstd_rand source{unsigned(seed + 1)};
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (size_t i = 0; i < elements; ++i) {
    const uint64_t bits =
        reference::toBits(Element::of(double(uniform(source))), type);
    std::memcpy(&data[i * width], &bits, width);
  }
  return data;
}

uint64_t numberBits(ElementType type) {
  return reference::isFloat(type) ? reference::toBits(Element::of(1.0), type)
                                  : 0;
}

static double toleranceOf(ElementType type) {
  constexpr double wide = 1e-3, half = 1e-2, byte = 1e-1;
  switch (bundle::byteWidth(type)) {
  case 1:
    return byte;
  case 2:
    return half;
  default:
    return wide;
  }
}

static bool areClose(ElementType type, const std::vector<std::byte> &lhs,
                     const std::vector<std::byte> &rhs) {
  if (lhs == rhs)
    return true;
  if (!reference::isFloat(type) || lhs.size() != rhs.size())
    return false;
  const auto width = size_t(bundle::byteWidth(type));
  const auto at = [&](const std::vector<std::byte> &data, size_t begin) {
    uint64_t bits = 0;
    std::memcpy(&bits, &data[begin], width);
    return reference::fromBits(Element::of(int64_t(bits)).i, type).f;
  };
  double largest = 0;
  for (size_t i = 0; i < lhs.size(); i += width)
    if (const double value = std::abs(at(lhs, i)); std::isfinite(value))
      largest = std::max(largest, value);
  for (size_t i = 0; i < lhs.size(); i += width)
    if (std::memcmp(&lhs[i], &rhs[i], width) != 0 &&
        // A NaN is not within any bound.
        !(std::abs(at(lhs, i) - at(rhs, i)) <= toleranceOf(type) * largest))
      return false;
  return true;
}

bool agree(const std::vector<LaunchOperand> &operands, const Results &lhs,
           const Results &rhs) {
  size_t out = 0;
  for (const LaunchOperand &operand : operands)
    if (operand.isWritten) {
      if (!areClose(operand.type, lhs[out], rhs[out]))
        return false;
      ++out;
    }
  return true;
}

} // namespace tilegpt::compiler
