#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_MATH_DIVISION_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_MATH_DIVISION_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::cpu {

/// Writes quotients and remainders of vectors of at most 32-bit integers as
/// arithmetic on floats, exact for every value; where the op is undefined, so
/// is the lane. Divisions by constants stay.
void populateDivisionPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::cpu

#endif // TILEGPT_LIB_CONVERSION_TILETOCPU_MATH_DIVISION_H
