// Strength reduction of products with converted integers.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_DISTRIBUTEPRODUCTS_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_DISTRIBUTEPRODUCTS_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// Products of f32 that may be contracted, (x + c)·s of an integer x and a
/// constant c, become multiply-adds c·s + x·s: threads multiply x·s once for
/// all elements of a row. Exact to 2⁻²³ of the larger of |c·s| and |x·s| up to
/// 2²⁴.
void populateDistributeProducts(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tilegpu

#endif
