// Remainders of floats, exact: what a GPU makes of LLVM's `frem` is right only
// for small quotients.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_REMAINDER_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_REMAINDER_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// `arith.remf` of single floats becomes a loop that takes 52 digits off the
/// quotient in each iteration, in f64: one iteration where it is below 2⁵².
void populateRemainder(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tilegpu

#endif
