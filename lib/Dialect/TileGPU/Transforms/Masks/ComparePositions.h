// Rewrites masks that compare distances or quotients of positions to compare
// the positions themselves.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_COMPAREPOSITIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_COMPAREPOSITIONS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// Rewrites integer comparisons of tiles in the body of a loop:
/// - of an absolute value: |x| <= y becomes x <= y and -x <= y;
/// - of quotients by the same positive constant, if only one of them varies in
///   the loop: c / d <= r / d + n becomes c <= r / d · d + n·d + d - 1, whose
///   right side is computed before the loop. Equality becomes two such
///   comparisons.
/// \returns the number of comparisons rewritten.
unsigned comparePositions(mlir::scf::ForOp loop);

} // namespace tilegpt::tilegpu

#endif
