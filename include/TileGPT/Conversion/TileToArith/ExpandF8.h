// Conversions of f8E4M3FN and f8E5M2 for targets without instructions for them.
#ifndef TILEGPT_CONVERSION_TILETOARITH_EXPANDF8_H
#define TILEGPT_CONVERSION_TILETOARITH_EXPANDF8_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tile {

/// Expands `arith.extf` from f8 types to f16, bf16 and f32, and `arith.truncf`
/// from these to f8 types, on scalars and vectors, into arithmetic on integers
/// and f32. Rounds to nearest, ties to even; values that are too large become
/// infinity, or NaN in f8E4M3FN.
void populateExpandF8Patterns(mlir::RewritePatternSet &patterns);

/// The largest f32 that an f8 type has a finite number for, once it is rounded.
float largestRoundedToF8(mlir::Type type);

} // namespace tilegpt::tile

#endif
