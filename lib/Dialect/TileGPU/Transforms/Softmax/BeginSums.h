// What the dot of scores adds to.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_BEGINSUMS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_BEGINSUMS_H

#include "Mainloop/OnlineSoftmax.h"

namespace tilegpt::tilegpu {

/// Lets the dot of the scores c·(q·k) + t begin with t/c instead of zeros, and
/// with minus infinity where a mask hides a score that compares numbers from
/// memory: an iteration computes these while the dots of the one before run,
/// and has nothing but the dot beside its exponentials. c is a positive scalar
/// from in front of the loop, t made without dots and what iterations hand on:
/// positions that count from the row times scalars, tiles of f16.
/// Of 16-bit factors only: the tensor cores cut off digits of t, too. Not where
/// an iteration computes its weights under the dots of the one before, which
/// would have to end first.
/// \returns whether the dot does so now.
bool beginSums(const OnlineSoftmax &match);

} // namespace tilegpt::tilegpu

#endif
