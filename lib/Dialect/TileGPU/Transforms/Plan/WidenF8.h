// Widens f8 operands to a type whose products keep full precision.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WIDENF8_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WIDENF8_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Casts the loaded f8 operands of full-precision dots to f16, or to the type
/// of the other operand, so that a main loop can compute them. Returns the new
/// casts.
llvm::SmallVector<tile::CastOp> widenF8Operands(tile::KernelOp kernel);

/// Makes dots read the sources of the casts again.
void undo(llvm::ArrayRef<tile::CastOp> casts);

} // namespace tilegpt::tilegpu

#endif
