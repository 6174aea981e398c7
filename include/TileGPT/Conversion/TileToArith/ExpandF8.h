// Conversions of f8E4M3FN and f8E5M2 for machines that have none.
#ifndef TILEGPT_CONVERSION_TILETOARITH_EXPANDF8_H
#define TILEGPT_CONVERSION_TILETOARITH_EXPANDF8_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tile {

/// Writes `arith.extf` from f8 types to f16, bf16 and f32, and `arith.truncf`
/// from these to f8 types, of scalars and vectors, as arithmetic on integers
/// and f32: rounded to nearest, ties to even; what is too large becomes
/// infinity, in f8E4M3FN NaN.
void populateExpandF8Patterns(mlir::RewritePatternSet &patterns);

/// The largest f32 that an f8 type has a finite number for, once it is rounded.
float largestRoundedToF8(mlir::Type type);

} // namespace tilegpt::tile

#endif
