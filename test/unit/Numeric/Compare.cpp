// Compares tensors element by element; the tolerance follows from how they were
// computed.
#include "Compare.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using tilegpt::reference::Element;
using tilegpt::reference::ElementType;
using tilegpt::reference::Tensor;

namespace tilegpt::numeric {

namespace {
struct Precision {
  double step;  ///< from 1 to the next value
  double least; ///< smallest positive value
};
} // namespace

static Precision precisionOf(ElementType type) {
  switch (type) {
  case ElementType::F8E4M3FN:
    return {0x1p-3, 0x1p-9};
  case ElementType::F8E5M2:
    return {0x1p-2, 0x1p-16};
  case ElementType::F16:
    return {0x1p-10, 0x1p-24};
  case ElementType::BF16:
    return {0x1p-7, 0x1p-133};
  case ElementType::F32:
    return {0x1p-23, 0x1p-149};
  case ElementType::F64:
    return {0x1p-52, 0x1p-1074};
  default:
    return {0, 0};
  }
}

double tolerance(ElementType type, double expected,
                 const Arithmetic &arithmetic) {
  auto [step, least] = precisionOf(type);
  double magnitude = std::fabs(expected);
  double unit = type == ElementType::F64 ? 0x1p-51 : 0x1p-22;
  double factors = arithmetic.factor ? precisionOf(*arithmetic.factor).step : 0;
  return step * magnitude +
         double(arithmetic.depth) * (unit + arithmetic.lost) *
             std::max(arithmetic.scale, magnitude) +
         factors * arithmetic.scale + least;
}

static bool agrees(Element expected, Element found, ElementType type,
                   const Arithmetic &arithmetic) {
  if (!reference::isFloat(type))
    return expected.i == found.i;
  if (std::isnan(expected.f) || std::isnan(found.f))
    return std::isnan(expected.f) && std::isnan(found.f);
  if (std::isinf(expected.f) || std::isinf(found.f))
    return expected.f == found.f;
  if (expected.f == 0 && found.f == 0)
    return std::signbit(expected.f) == std::signbit(found.f);
  // Tiny values may become zero, but an expected -0 must keep its sign.
  if (expected.f == 0 && std::signbit(expected.f) && !std::signbit(found.f))
    return false;
  return std::fabs(expected.f - found.f) <=
         tolerance(type, expected.f, arithmetic);
}

/// The part of compare() that looks at all elements together.
static std::string compareMeans(const Tensor &expected, const Tensor &found,
                                const Arithmetic &arithmetic) {
  double squares = 0, errors = 0;
  for (int64_t i = 0; i < expected.size(); ++i) {
    if (!std::isfinite(expected[i].f))
      continue;
    squares += expected[i].f * expected[i].f;
    errors += (expected[i].f - found[i].f) * (expected[i].f - found[i].f);
  }
  double most = precisionOf(*arithmetic.factor).step / 2;
  if (errors <= most * most * squares)
    return "";
  return llvm::formatv("root mean square of the differences: {0:e2} of the "
                       "elements', expected at most {1:e2}",
                       std::sqrt(errors / squares), most);
}

std::string compare(const Tensor &expected, const Tensor &found,
                    const Arithmetic &arithmetic) {
  if (expected.type() != found.type() || expected.shape() != found.shape())
    return llvm::formatv("expected {0}, found {1}",
                         reference::describe(expected.type(), expected.shape()),
                         reference::describe(found.type(), found.shape()));
  for (int64_t i = 0; i < expected.size(); ++i) {
    // Integers have no NaN to show whether they were written.
    if (!expected.isFloat() && !expected.isWritten(i))
      continue;
    if (agrees(expected[i], found[i], expected.type(), arithmetic))
      continue;
    if (!expected.isFloat())
      return llvm::formatv("element {0}: expected {1}, found {2}", i,
                           expected[i].i, found[i].i);
    return llvm::formatv("element {0}: expected {1:e9}, found {2:e9}, "
                         "tolerance {3:e2}",
                         i, expected[i].f, found[i].f,
                         tolerance(expected.type(), expected[i].f, arithmetic));
  }
  return arithmetic.factor && expected.isFloat()
             ? compareMeans(expected, found, arithmetic)
             : "";
}

} // namespace tilegpt::numeric
