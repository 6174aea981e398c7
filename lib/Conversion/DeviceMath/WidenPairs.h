// Widening of bf16 values that are loaded in pairs.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_WIDENPAIRS_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_WIDENPAIRS_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// Patterns that extend halves of a word without extracting them first.
void populateWidenPairs(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tilegpu

#endif
