// Moves ops to an earlier place, together with the ops that define their
// values.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MOVEAHEAD_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MOVEAHEAD_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::tilegpu {

using OpSet = llvm::SetVector<mlir::Operation *>;

/// Whether the values that an op uses, itself or in its regions, are available
/// at an earlier place of its block, or can be made so by moving ops in
/// `movable`.
bool isKnownAt(mlir::Operation *place, mlir::Operation *op,
               const OpSet &movable);

/// Adds the movable ops that an op depends on to `moved`, in order.
void addSources(mlir::Operation *op, const OpSet &movable, OpSet &moved);

/// Clones the ops of a loop that compute a value, for the iteration whose
/// induction variable `mapping` contains.
mlir::Value formAhead(mlir::OpBuilder &builder, mlir::scf::ForOp loop,
                      mlir::Value value, mlir::IRMapping &mapping);

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MOVEAHEAD_H
