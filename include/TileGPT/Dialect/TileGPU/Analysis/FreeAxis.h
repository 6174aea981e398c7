// Axes of tiles whose size no result depends on: blocks may have more or fewer
// of their rows.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "llvm/ADT/MapVector.h"

namespace tilegpt::tilegpu {

/// The axes of tiles that are numbered by one axis of the grid, where elements
/// at different places of them never meet.
struct FreeAxis {
  int64_t gridAxis = 0;
  int64_t size = 0; ///< of all these axes
  /// The most elements that a view which is accessed along them has there;
  /// nothing where that is not known.
  std::optional<int64_t> extent;
  llvm::MapVector<mlir::Value, int64_t> axes; ///< by tile
  llvm::SmallVector<mlir::Operation *> accesses;
};

/// Why an axis of the grid is no free one.
struct FreeAxisRefusal {
  mlir::Operation *op = nullptr;
  llvm::StringRef reason;
};

/// Follows an axis of the grid of a specialized kernel through its tiles.
/// Nothing where a result depends on which elements a block has: where they are
/// reduced, numbered (`tile.iota`), multiplied (`tile.dot`) or moved by index,
/// where the block does something else with its number, or leaves a part of the
/// results to nobody.
std::optional<FreeAxis> findFreeAxis(tile::KernelOp kernel, int64_t gridAxis,
                                     FreeAxisRefusal *refusal = nullptr);

/// Gives the axis another size in every tile, and the grid as many blocks as
/// that takes.
void resize(tile::KernelOp kernel, const FreeAxis &axis, int64_t size);

} // namespace tilegpt::tilegpu

#endif
