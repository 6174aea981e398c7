// Erasing what a rewrite leaves without a reader.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_ERASEDEAD_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_ERASEDEAD_H

#include "mlir/IR/Operation.h"

namespace tilegpt::tilegpu {

/// Erases those ops that nothing reads and that do nothing else, and what only
/// they have read.
/// \param ops  may hold an op twice, and null; none is inside of another.
void eraseDead(llvm::ArrayRef<mlir::Operation *> ops);

/// Erases all such ops of a block, without those of blocks inside of it.
void eraseDead(mlir::Block &block);

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_ERASEDEAD_H
