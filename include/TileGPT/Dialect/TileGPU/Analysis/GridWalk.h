// The order in which persistent blocks traverse a grid whose tiles differ in
// work or in the operands they read.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_GRIDWALK_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_GRIDWALK_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// Unit attribute of a loop over the tiles of a grid: a block may also fetch
/// them dynamically (`tile_gpu.next_tile`).
inline constexpr llvm::StringLiteral dynamicScheduleName =
    "tile_gpu.dynamic_schedule";

/// The result of a dynamic fetch if there are no more tiles.
inline constexpr int64_t noTile = -1;

struct GridOrder {
  /// The axis along which tiles share operands, or have increasing work. The
  /// others vary fastest.
  std::optional<int64_t> slow;
  /// Whether the slow axis is traversed in reverse.
  bool fromEnd = false;
  /// Tiles of the other axes that are completed before the next ones are
  /// started; 0 for all.
  int64_t band = 0;
};

/// The order for a kernel: expensive tiles first, and adjacent those whose
/// operands fit in cache together.
GridOrder findGridOrder(tile::KernelOp kernel);

/// A loop over the tiles of a grid that are assigned to a block.
struct GridWalk {
  mlir::scf::ForOp loop;
  /// The tile's index along each axis; defined in the loop.
  llvm::SmallVector<mlir::Value> place;
};
GridWalk makeGridWalk(mlir::OpBuilder &builder, mlir::Location loc,
                      llvm::ArrayRef<mlir::Value> sizes, GridOrder order);

} // namespace tilegpt::tilegpu

#endif
