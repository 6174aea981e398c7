// The exponents of an online softmax as a GPU has them: one multiply-add an
// element, then a power of two.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_EXPONENTS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_EXPONENTS_H

#include "Mainloop/OnlineSoftmax.h"

namespace tilegpt::tilegpu {

/// Whether maxima are a column of f32, and the scale of the scores is known in
/// front of the loop: what exponents are simplified for.
bool hasSimpleExponents(const OnlineSoftmax &match);

/// 2^(S·c - m'·c), one multiply-add an element, or 2^((S - m')·c) where m' may
/// be huge: then the product is not rounded before it is subtracted. What S is
/// scaled by, and log₂e where the text has b = e, is one scalar in front of the
/// loop.
void simplifyExponents(OnlineSoftmax match);

/// 2^(S·c - m'·c) in place of 2^((S - m')·c), where m' is huge only in rows
/// that have seen nothing but minus infinity and keep what the loop begins
/// with: those subtract zero instead, as m'·c may overflow. The loop is matched
/// no more.
void contractExponents(const OnlineSoftmax &match);

} // namespace tilegpt::tilegpu

#endif
