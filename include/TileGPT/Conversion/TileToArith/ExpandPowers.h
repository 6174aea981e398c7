// Powers by simpler operations, or those with whole exponents by those with
// any.
#ifndef TILEGPT_CONVERSION_TILETOARITH_EXPANDPOWERS_H
#define TILEGPT_CONVERSION_TILETOARITH_EXPANDPOWERS_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tile {

/// Writes `math.powf` and `math.fpowi` with a constant exponent of 1 to 4, -1,
/// 0.5 or -0.5 as products, quotients and roots, off by 1.5 ulp; other
/// `math.fpowi` of scalars and vectors as `math.powf` of the magnitude, with
/// the sign of the base where the exponent is odd.
void populateExpandPowersPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tile

#endif
