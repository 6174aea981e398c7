// Widens f8 operands that matrix instructions cannot read as bytes.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WIDENF8_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_WIDENF8_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// A cast of an operand, and the precision of its dot before.
struct WidenedOperand {
  tile::CastOp cast;
  tile::DotOp dot;
  tile::Precision precision;
};

/// Casts the f8 operands of dots to f16, or to the type of the other operand,
/// so that a main loop can compute them, except where the depth is contiguous
/// in both operands, which stay bytes.
llvm::SmallVector<WidenedOperand> widenF8Operands(tile::KernelOp kernel);

/// Makes dots read the sources of the casts again.
void undo(llvm::ArrayRef<WidenedOperand> widened);

} // namespace tilegpt::tilegpu

#endif
