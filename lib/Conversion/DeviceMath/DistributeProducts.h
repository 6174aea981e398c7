// Strength reduction of products with converted integers.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_DISTRIBUTEPRODUCTS_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_DISTRIBUTEPRODUCTS_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// Products of f32 that may be contracted, (x + c)·s of an integer x and a
/// constant c, become FMAs c·s + x·s: threads compute x·s once for all elements
/// of a row. FMAs (x + c)·s + t become c·s + (x·s + t). Accurate to 2⁻²³ of the
/// largest of |c·s|, |x·s| and |x·s + t| up to 2²⁴. In |x + c|·s, x is
/// converted before the sum: exact up to 2²⁴, and also once for all elements of
/// a row.
void populateDistributeProducts(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tilegpu

#endif
