// Pads the depth of dots to a multiple of the matrix instruction's depth.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_PADDEPTH_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_PADDEPTH_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Pads the depth of dots to a multiple of that of `mma.sync`: heads of 72
/// features become 80. The operands must span an axis of their views, be at
/// least one instruction deep, and have no uses besides the dot: out of bounds
/// they read zeros.
void padDepths(llvm::ArrayRef<tile::DotOp> dots);

} // namespace tilegpt::tilegpu

#endif
