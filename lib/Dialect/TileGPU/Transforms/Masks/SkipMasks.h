// Skips masks in iterations that do not need them.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_SKIPMASKS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_SKIPMASKS_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilegpt::tilegpu {

/// Moves a mask in a loop into a branch that only iterations take in which it
/// may hide scores, or drops it if it never does.
/// \returns whether it could.
bool skipMask(mlir::arith::SelectOp select);

} // namespace tilegpt::tilegpu

#endif
