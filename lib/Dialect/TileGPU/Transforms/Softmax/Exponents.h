// Exponents of an online softmax in the form a GPU computes best: one fma per
// element and a power of two.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_EXPONENTS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_EXPONENTS_H

#include "Mainloop/OnlineSoftmax.h"

namespace tilegpt::tilegpu {

/// Whether maxima are a column of f32, and the scale of the scores is
/// loop-invariant: the conditions for simplifying exponents.
bool hasSimpleExponents(const OnlineSoftmax &match);

/// Rewrites exponents to 2^(S·c - m'·c), one fma per element, or to 2^((S -
/// m')·c) if m' may be huge: the product is then not rounded before the
/// subtraction. The scale of S and, for b = e, log₂e become a single scalar
/// before the loop.
void simplifyExponents(OnlineSoftmax match);

/// Replaces 2^((S - m')·c) by 2^(S·c - m'·c), if m' is huge only in rows that
/// have seen nothing but minus infinity and keep their initial maximum: those
/// subtract zero instead, as m'·c may overflow. The loop no longer matches
/// afterwards.
void contractExponents(const OnlineSoftmax &match);

} // namespace tilegpt::tilegpu

#endif
