// Transposes tf32 operands for wgmma if the depth is not their contiguous axis.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_ROUNDTF32_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_ROUNDTF32_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// `wgmma` reads 32-bit operands only with the depth contiguous. In loops that
/// only accumulate one tf32 product of loaded operands, with another contiguous
/// axis in one or both, this transposes these operands explicitly, and rounds
/// them on the way; a transposed rhs becomes the lhs of the transposed product.
/// \returns whether there was such a loop.
bool roundTF32Operands(tile::KernelOp kernel);

/// Whether that transposes the product of a dot of loaded operands.
bool isTransposedToRound(tile::DotOp dot);

} // namespace tilegpt::tilegpu

#endif
