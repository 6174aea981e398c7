// Powers with whole exponents by those with any.
#ifndef TILEGPT_CONVERSION_TILETOARITH_EXPANDPOWERS_H
#define TILEGPT_CONVERSION_TILETOARITH_EXPANDPOWERS_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tile {

/// Writes `math.fpowi` of scalars and vectors as `math.powf` of the magnitude,
/// with the sign of the base where the exponent is odd.
void populateExpandPowersPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tile

#endif
