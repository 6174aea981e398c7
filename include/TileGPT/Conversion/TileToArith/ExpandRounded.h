// Arithmetic with directed rounding for targets that only round to nearest.
#ifndef TILEGPT_CONVERSION_TILETOARITH_EXPANDROUNDED_H
#define TILEGPT_CONVERSION_TILETOARITH_EXPANDROUNDED_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tile {

/// Expands `tile.rounded` on scalars and vectors into arithmetic that rounds to
/// nearest: computes the result and its error, whose sign tells whether a
/// neighbour is the correct result. Exact for all values.
void populateExpandRoundedPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tile

#endif
