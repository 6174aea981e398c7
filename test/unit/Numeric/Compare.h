// Decides whether a result is good enough: derives a tolerance from the element
// type and the length of the longest sum.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_COMPARE_H
#define TILEGPT_TEST_UNIT_NUMERIC_COMPARE_H

#include "TileGPT/Reference/Tensor.h"
#include <optional>

namespace tilegpt::numeric {

/// How a result was computed, as far as its error depends on it.
struct Arithmetic {
  int64_t depth = 1; ///< terms of the longest sum
  double scale = 1;  ///< the largest magnitude of a term
  /// The type that factors of the terms are rounded to before they are
  /// multiplied, like the exponentials of attention; none if they stay f32.
  std::optional<reference::ElementType> factor = std::nullopt;
  /// Error per added term, relative to the larger of scale and sum:
  /// `precision(fast)` keeps about 13 bits.
  double lost = 0;
};

/// How far a result of a float type may be from the one computed in double:
///
///   step(type)·|expected| + depth·(2⁻²² + lost)·max(scale, |expected|)
///       + step(factor)·scale + least(type)
///
/// step is the distance between neighbours relative to a value (2⁻⁷ for bf16):
/// a value near the middle of two neighbours may be rounded to either. The
/// second term is the error of arithmetic in f32 (2⁻⁵¹ where the type is f64):
/// a sum of `depth` terms of magnitude `scale` makes one rounding of up to
/// 2⁻²⁴·√depth·scale a term, and a function is good to four units. The third is
/// a weighted mean whose weights are rounded on both sides, each by up to
/// step(factor)/2. least is the smallest positive value: half of it may be
/// lost.
double tolerance(reference::ElementType type, double expected,
                 const Arithmetic &arithmetic);

/// Describes the first element that differs by more than the tolerance of its
/// type; returns "" if there is none. NaN equals NaN; unwritten elements equal
/// each other. An expected -0 must keep its sign. Roundings of factors are
/// independent of each other, so if there are any, the root mean square of all
/// differences must also be within step(factor)/2 of that of the expected
/// elements.
std::string compare(const reference::Tensor &expected,
                    const reference::Tensor &found,
                    const Arithmetic &arithmetic);

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_COMPARE_H
