// Depths of products that no number of matrix instructions has.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_PADDEPTH_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_PADDEPTH_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Makes the operands of dots deeper, up to a multiple of what an `mma.sync`
/// multiplies: heads of 72 features become 80. Of operands that have all of an
/// axis of their views, no less than one instruction takes, and are loaded for
/// the dot alone: they read zeros behind its end.
void padDepths(llvm::ArrayRef<tile::DotOp> dots);

} // namespace tilegpt::tilegpu

#endif
