// Arithmetic with a rounding mode by GPU instructions.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_ROUNDEDINSTRUCTIONS_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_ROUNDEDINSTRUCTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// Lowers `tile.rounded` of f32 and f64 to the instruction with that rounding
/// mode: `add.rm.ftz.f32`. Narrower floats are unchanged.
void populateRoundedInstructions(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tilegpu

#endif
