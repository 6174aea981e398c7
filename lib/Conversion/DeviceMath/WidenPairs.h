// bf16 numbers that are loaded two at a time, in f32.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_WIDENPAIRS_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_WIDENPAIRS_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// Patterns that extend halves of a word without taking it apart first.
void populateWidenPairs(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tilegpu

#endif
