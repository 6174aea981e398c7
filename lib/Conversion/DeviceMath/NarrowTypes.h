// Conversions and arithmetic of types of 8 and 16 bits.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_NARROWTYPES_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_NARROWTYPES_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// Patterns that convert parts of a word without extracting them first: bf16
/// to f32, and integers of 8 bits to f16 and f32.
void populateWidenPairs(mlir::RewritePatternSet &patterns);

/// Patterns that compute sums, differences and products in f16 or bf16 which
/// are computed in f32 and rounded, where the result is the same.
void populateNarrowArithmetic(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tilegpu

#endif
