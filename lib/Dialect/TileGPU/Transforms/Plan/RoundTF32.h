// tf32 operands that do not run along the sum, for warp groups.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_ROUNDTF32_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_ROUNDTF32_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// `wgmma` reads 32-bit operands along the sum only, and cuts them off where
/// tf32 is rounded. Loops that do nothing but sum up one product in tf32 of
/// loaded operands, of which one or both run across the sum, round them
/// themselves and turn those; a turned right operand becomes the left one of
/// the transposed product.
/// \returns whether there was such a loop.
bool roundTF32Operands(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
