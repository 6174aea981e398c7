// Matrices that kernels load, possibly with additional unit axes.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_LOADEDMATRIX_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_LOADEDMATRIX_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// The sizes of a tile other than 1, with their axes.
llvm::SmallVector<std::pair<unsigned, mlir::Attribute>>
longSizes(mlir::ArrayAttr sizes);

/// A loaded matrix: the non-unit axes of the tile.
struct LoadedMatrix {
  LoadOp load;
  unsigned axes[2];

  /// The number of its rows or columns: an integer, or a parameter.
  mlir::Attribute sizeOf(unsigned number) {
    return load.getSizes()[axes[number]];
  }
};

/// The matrix of an operand, up to inserted or dropped unit axes.
std::optional<LoadedMatrix> findMatrix(mlir::Value operand);

/// The matrix that an operand is, or is computed from elementwise.
std::optional<LoadedMatrix> findMatrixBehind(mlir::Value operand);

} // namespace tilegpt::tile

#endif
