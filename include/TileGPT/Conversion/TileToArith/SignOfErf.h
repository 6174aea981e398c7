// The sign of erf, which upstream's expansion loses for -0.
#ifndef TILEGPT_CONVERSION_TILETOARITH_SIGNOFERF_H
#define TILEGPT_CONVERSION_TILETOARITH_SIGNOFERF_H

#include "mlir/IR/Operation.h"

namespace tilegpt::tile {

/// Copies the sign of the operand to the result of every `math.erf` of f32, or
/// of vectors of f32, which is about to be expanded to a rational function.
void keepSignOfErf(mlir::Operation *function);

} // namespace tilegpt::tile

#endif
