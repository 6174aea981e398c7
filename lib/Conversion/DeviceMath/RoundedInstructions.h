// Arithmetic rounded in a direction by the instructions of a GPU.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_ROUNDEDINSTRUCTIONS_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_ROUNDEDINSTRUCTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// `tile.rounded` of f32 and f64 becomes the instruction with that rounding:
/// `add.rm.ftz.f32`. Narrower floats are left alone.
void populateRoundedInstructions(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tilegpu

#endif
