// Follows an axis of tiles from op to op: marks it in each tile, or reports an
// op that prevents it.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_AXISFOLLOWER_H
#define TILEGPT_LIB_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_AXISFOLLOWER_H

#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"

namespace tilegpt::tilegpu {

class AxisFollower {
protected:
  AxisFollower(tile::KernelOp kernel, int64_t gridAxis, bool followsDots)
      : kernel(kernel), followsDots(followsDots) {
    found.gridAxis = gridAxis;
  }

  /// Records why the axis does not qualify; the first reason wins. Returns
  /// false.
  bool refuse(mlir::Operation *op, llvm::StringRef reason);

  /// Whether an index is the tile index along the axis.
  bool isPlace(mlir::Value index) const;
  /// Whether an index is the block id along the axis of the grid.
  bool isNumber(mlir::Value index) const;

  /// The marked axis of a tile.
  std::optional<int64_t> axisOf(mlir::Value tile) const;
  /// Marks an axis of a tile; refuses `op` if another one is marked.
  bool mark(mlir::Operation *op, mlir::Value tile, int64_t axis);
  /// The same for all values that are tiles.
  bool markAll(mlir::Operation *op, mlir::ValueRange values, int64_t axis);

  /// Propagates the marks through all ops of the kernel.
  bool follow();

  tile::KernelOp kernel;
  StreamedAxis found;
  FreeAxisRefusal refusal;
  bool isExtentOpen = false, isStreamed = false;
  bool isPlaced = false;                    ///< iotas may run along the axis
  llvm::SmallVector<mlir::Value> variables; ///< of the loops that number tiles
  bool followsDots;
  bool followsOffsets = false;

private:
  bool relate(mlir::Operation *op);
  bool relateElements(mlir::Operation *op);
  bool relate(tile::DotOp op);
  bool relate(tile::PermuteOp op);
  bool relate(tile::BroadcastOp op);
  bool relate(tile::ExpandDimsOp op);
  bool relate(tile::ExtractOp op);
  bool relate(tile::ReshapeOp op);
  bool relateAlong(mlir::Operation *op, mlir::ValueRange sources, int64_t along,
                   bool keeps);
  bool relateLoop(mlir::scf::ForOp loop);
  bool meet(mlir::Operation *op);

  bool changed = false; ///< by a mark, since all ops were asked
};

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_AXISFOLLOWER_H
