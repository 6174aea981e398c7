// Groups of blocks in the place of the blocks of a kernel.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_BLOCKGROUPS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_BLOCKGROUPS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Which block of its group one is, and the number of the group in the grid.
struct BlockGroup {
  mlir::Value part, group;
};

/// Puts groups of `parts` blocks, side by side along an axis of the grid, in
/// the place of the blocks of a kernel, whose number is known. What was the
/// place of a block is that of its group.
BlockGroup multiplyGrid(tile::KernelOp kernel, int64_t axis, int64_t parts);

} // namespace tilegpt::tilegpu

#endif
