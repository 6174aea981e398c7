// The grid of a kernel, as far as known at compile time.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_KNOWNGRID_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_KNOWNGRID_H

#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/AffineExpr.h"

namespace tilegpt::tilegpu {

/// Blocks along an axis; 1 for an axis that the grid lacks, nothing if their
/// number depends on a size or the launch, or is not positive.
inline std::optional<int64_t> knownBlocks(tile::KernelOp kernel, int64_t axis) {
  if (kernel.isRaw())
    return std::nullopt;
  if (axis >= int64_t(kernel.getGrid().size()))
    return 1;
  auto size = mlir::dyn_cast<mlir::AffineConstantExpr>(
      mlir::cast<tile::ExprAttr>(kernel.getGrid()[axis]).getMap().getResult(0));
  if (!size || size.getValue() < 1)
    return std::nullopt;
  return size.getValue();
}

/// Blocks of the whole grid.
inline std::optional<int64_t> knownBlocks(tile::KernelOp kernel) {
  int64_t blocks = 1;
  for (int64_t axis = 0; axis < int64_t(kernel.getGridRank()); ++axis) {
    std::optional<int64_t> along = knownBlocks(kernel, axis);
    if (!along)
      return std::nullopt;
    blocks *= *along;
  }
  return blocks;
}

/// Upper bound of the number of blocks, if the number of rows of all launches
/// is bounded; nothing if unknown.
inline std::optional<int64_t> mostBlocks(tile::KernelOp kernel) {
  if (kernel.isRaw())
    return std::nullopt;
  auto rows = kernel->getAttrOfType<mlir::IntegerAttr>(tile::mostRowsAttr);
  int64_t blocks = 1;
  for (auto expr : kernel.getGrid().getAsRange<tile::ExprAttr>()) {
    // Only sizes are bounded.
    for (mlir::Attribute source : expr.getSources()) {
      auto size = mlir::dyn_cast<mlir::DenseI64ArrayAttr>(source);
      if (!rows || !size || size.size() != 2)
        return std::nullopt;
    }
    llvm::SmallVector<mlir::Attribute> results;
    if (mlir::failed(expr.getMap().constantFold(
            llvm::SmallVector<mlir::Attribute>(expr.getSources().size(), rows),
            results)))
      return std::nullopt;
    blocks *= mlir::cast<mlir::IntegerAttr>(results.front()).getInt();
  }
  return blocks;
}

} // namespace tilegpt::tilegpu

#endif
