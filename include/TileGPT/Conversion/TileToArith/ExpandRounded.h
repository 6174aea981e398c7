// Arithmetic rounded in a direction for machines that only round to nearest.
#ifndef TILEGPT_CONVERSION_TILETOARITH_EXPANDROUNDED_H
#define TILEGPT_CONVERSION_TILETOARITH_EXPANDROUNDED_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tile {

/// Writes `tile.rounded` of scalars and vectors as arithmetic that rounds to
/// nearest: the result and what is left of the exact one, whose sign says
/// whether a neighbour is the right number. Exact for all values.
void populateExpandRoundedPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tile

#endif
