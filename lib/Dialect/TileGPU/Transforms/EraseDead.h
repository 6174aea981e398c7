// Erases ops that a rewrite leaves dead.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_ERASEDEAD_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_ERASEDEAD_H

#include "mlir/IR/Operation.h"

namespace tilegpt::tilegpu {

/// Erases the trivially dead ops among `ops`, and ops that become dead with
/// them.
/// \param ops  may contain duplicates and null; none is nested in another.
void eraseDead(llvm::ArrayRef<mlir::Operation *> ops);

/// Erases the dead ops of a block, but not those in nested blocks.
void eraseDead(mlir::Block &block);

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_ERASEDEAD_H
