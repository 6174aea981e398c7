// Scalars that the producer of a kernel computes for itself: where its copies
// begin and how often its loops run.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_REPRODUCE_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_REPRODUCE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::tilegpu {

/// The argument of the kernel that a view is a part of; null where there is
/// none.
mlir::BlockArgument rootOf(mlir::Value view);

/// Whether another role can compute a scalar for itself: from arguments,
/// induction variables, and single elements and matching ranges of arguments
/// that the kernel does not write.
bool canReproduce(mlir::Value value);

/// Computes a scalar once more where the builder stands.
/// \param known  what other values are there; results are added.
mlir::Value reproduceScalar(mlir::OpBuilder &builder, mlir::Value value,
                            mlir::IRMapping &known);

} // namespace tilegpt::tilegpu

#endif
