// The order in which blocks that stay walk a grid whose places differ in work,
// or in what they read.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_GRIDWALK_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_GRIDWALK_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// Of a loop over the places of a grid: a block may also draw them, whoever is
/// free the next one (`tile_gpu.next_tile`).
inline constexpr llvm::StringLiteral dynamicScheduleName =
    "tile_gpu.dynamic_schedule";

/// What a draw gives when there are no more.
inline constexpr int64_t noTile = -1;

struct GridOrder {
  /// The axis along which places go on with the same operands, or have more and
  /// more to do. The others go round fastest.
  std::optional<int64_t> slow;
  /// Whether the slow axis is walked from its end.
  bool fromEnd = false;
  /// Places of the other axes that are walked to the end before the next ones
  /// are begun; 0 for all.
  int64_t band = 0;
};

/// The order for a kernel: heavy places first, and together those whose
/// operands fit the cache.
GridOrder findGridOrder(tile::KernelOp kernel);

/// A loop over the places of a grid that fall to a block.
struct GridWalk {
  mlir::scf::ForOp loop;
  /// The place, an index an axis; defined in the loop.
  llvm::SmallVector<mlir::Value> place;
};
GridWalk makeGridWalk(mlir::OpBuilder &builder, mlir::Location loc,
                      llvm::ArrayRef<mlir::Value> sizes, GridOrder order);

} // namespace tilegpt::tilegpu

#endif
