// Scalars that the producer of a kernel recomputes: coordinates of its copies
// and trip counts of its loops.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_REPRODUCE_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_REPRODUCE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::tilegpu {

/// The argument of the kernel that a view is derived from; null if there is
/// none.
mlir::BlockArgument rootOf(mlir::Value view);

/// Whether another role can compute a scalar for itself: from arguments,
/// induction variables, scalars that loops around main loops carry, and single
/// elements and matching ranges of arguments that the kernel does not write.
bool canReproduce(mlir::Value value);

/// Whether an op, with all its regions, has no effects but reads.
bool onlyReads(mlir::Operation *op);

/// Recomputes a scalar at the builder's insertion point.
/// \param known  values that are already available; results are added.
mlir::Value reproduceScalar(mlir::OpBuilder &builder, mlir::Value value,
                            mlir::IRMapping &known);

} // namespace tilegpt::tilegpu

#endif
