// Replaces the blocks of a kernel by groups of blocks.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_BLOCKGROUPS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_BLOCKGROUPS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// A block's index in its group, and the group's index in the grid.
struct BlockGroup {
  mlir::Value part, group;
};

/// Replaces each block of a kernel, whose number is known, by a group of
/// `parts` blocks that are adjacent along an axis of the grid. Uses of the
/// block index become uses of the group index.
BlockGroup multiplyGrid(tile::KernelOp kernel, int64_t axis, int64_t parts);

} // namespace tilegpt::tilegpu

#endif
