// Initializes the accumulator of the scores.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_BEGINSUMS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_BEGINSUMS_H

#include "Mainloop/OnlineSoftmax.h"

namespace tilegpt::tilegpu {

/// Starts the dot of scores c·(q·k) + t with t/c instead of zeros, and with
/// minus infinity where a mask that compares loaded values hides a score. An
/// iteration computes these while the dots of the previous one run, and then
/// has only the dot beside its exponentials. c is a positive, loop-invariant
/// scalar, t is computed without dots and loop-carried values: positions
/// relative to the row, times scalars, or f16 tiles. Only for 16-bit operands,
/// since the tensor cores truncate t as well. Not if an iteration computes its
/// weights while the previous one's dots run: these would have to finish first.
/// \returns whether the dot now starts with t/c.
bool beginSums(const OnlineSoftmax &match);

} // namespace tilegpt::tilegpu

#endif
