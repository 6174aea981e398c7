// Compares tensors element by element with a tolerance that follows from how
// they were computed.
#include "Compare.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using tilegpt::reference::Element;
using tilegpt::reference::ElementType;
using tilegpt::reference::Tensor;

namespace tilegpt::numeric {

namespace {
struct Precision {
  double step;  ///< between neighbours of 1
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

double tolerance(ElementType type, double expected, int64_t depth,
                 double scale) {
  auto [step, least] = precisionOf(type);
  double magnitude = std::fabs(expected);
  double arithmetic = type == ElementType::F64 ? 0x1p-51 : 0x1p-22;
  return step * magnitude +
         double(depth) * arithmetic * std::max(scale, magnitude) + least;
}

static bool agrees(Element expected, Element found, ElementType type,
                   int64_t depth, double scale) {
  if (!reference::isFloat(type))
    return expected.i == found.i;
  if (std::isnan(expected.f) || std::isnan(found.f))
    return std::isnan(expected.f) && std::isnan(found.f);
  if (std::isinf(expected.f) || std::isinf(found.f))
    return expected.f == found.f;
  if (expected.f == 0 && std::signbit(expected.f) && !std::signbit(found.f))
    return false;
  return std::fabs(expected.f - found.f) <=
         tolerance(type, expected.f, depth, scale);
}

std::string compare(const Tensor &expected, const Tensor &found, int64_t depth,
                    double scale) {
  if (expected.type() != found.type() || expected.shape() != found.shape())
    return llvm::formatv("expected {0}, found {1}",
                         reference::describe(expected.type(), expected.shape()),
                         reference::describe(found.type(), found.shape()));
  for (int64_t i = 0; i < expected.size(); ++i) {
    // Integers have no NaN that would say whether something was written.
    if (!expected.isFloat() && !expected.isWritten(i))
      continue;
    if (agrees(expected[i], found[i], expected.type(), depth, scale))
      continue;
    if (!expected.isFloat())
      return llvm::formatv("element {0}: expected {1}, found {2}", i,
                           expected[i].i, found[i].i);
    return llvm::formatv(
        "element {0}: expected {1:e9}, found {2:e9}, "
        "tolerance {3:e2}",
        i, expected[i].f, found[i].f,
        tolerance(expected.type(), expected[i].f, depth, scale));
  }
  return "";
}

} // namespace tilegpt::numeric
