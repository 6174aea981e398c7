// When a result is as good as it can be: the tolerance of a comparison, derived
// from the element type and the length of the longest sum.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_COMPARE_H
#define TILEGPT_TEST_UNIT_NUMERIC_COMPARE_H

#include "TileGPT/Reference/Tensor.h"

namespace tilegpt::numeric {

/// How far a result of a float type may be from the one computed in double:
///
///   step(type)·|expected| + depth·2⁻²²·max(scale, |expected|) + least(type)
///
/// step is the distance between neighbours relative to a value (2⁻⁷ for bf16):
/// a value near the middle of two neighbours may be rounded to either. The
/// second term is the error of arithmetic in f32 (2⁻⁵¹ where the type is f64):
/// a sum of `depth` terms of magnitude `scale` makes one rounding of up to
/// 2⁻²⁴·√depth·scale a term, and a function is good to four units. least is the
/// smallest positive value: half of it may be lost.
double tolerance(reference::ElementType type, double expected, int64_t depth,
                 double scale = 1);

/// A sentence about the first element that differs by more than the tolerance
/// of its type, or "" if there is none. NaN equals NaN; elements that nothing
/// has written equal each other. Where -0 is expected the sign must be there.
std::string compare(const reference::Tensor &expected,
                    const reference::Tensor &found, int64_t depth,
                    double scale = 1);

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_COMPARE_H
