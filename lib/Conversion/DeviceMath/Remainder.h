// Exact float remainders: the GPU lowering of LLVM's `frem` is only correct for
// small quotients.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_REMAINDER_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_REMAINDER_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// Lowers `arith.remf` of scalars to a loop that computes 52 bits of the
/// quotient per iteration, in f64: one iteration if it is below 2⁵².
void populateRemainder(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tilegpu

#endif
