// f8 operands in the type in which they are multiplied with all digits.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WIDENF8_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WIDENF8_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Widens the loaded f8 operands of dots whose sums keep all digits, to f16 or
/// the type of the other operand, so that a main loop can compute them. A new
/// cast for each.
llvm::SmallVector<tile::CastOp> widenF8Operands(tile::KernelOp kernel);

/// Lets dots read what was cast.
void undo(llvm::ArrayRef<tile::CastOp> casts);

} // namespace tilegpt::tilegpu

#endif
