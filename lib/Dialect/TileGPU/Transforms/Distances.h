// Distances of columns and rows as those in the tile and one scalar, so that
// threads compute a function of the distance once for equal ones.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_DISTANCES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_DISTANCES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// Rewrites (i + a) - (j + b), of columns i and rows j, to (i - j) + (a - b) if
/// a function or a gather depends on it, such as the buckets of a relative
/// position. A thread holds columns and rows at constant distances from its
/// first ones: the elements on a diagonal are then the same value, which is
/// computed and loaded once. Exact, since integers wrap around.
/// \returns the number of differences that were rewritten.
int64_t separateDistances(mlir::scf::ForOp loop);

} // namespace tilegpt::tilegpu

#endif
