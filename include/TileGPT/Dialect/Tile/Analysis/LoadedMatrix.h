// Matrices that kernels load, perhaps with unit axes around them.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_LOADEDMATRIX_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_LOADEDMATRIX_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// The sizes of a tile but those of 1, with the axes they belong to.
llvm::SmallVector<std::pair<unsigned, mlir::Attribute>>
longSizes(mlir::ArrayAttr sizes);

/// A loaded matrix: the axes of the tile that are no unit axes.
struct LoadedMatrix {
  LoadOp load;
  unsigned axes[2];

  /// The size along its rows or columns: a number, or a parameter.
  mlir::Attribute sizeOf(unsigned number) {
    return load.getSizes()[axes[number]];
  }
};

/// The matrix that an operand is, which may have gained or lost unit axes.
std::optional<LoadedMatrix> findMatrix(mlir::Value operand);

/// The matrix that an operand is, or is computed from element by element.
std::optional<LoadedMatrix> findMatrixBehind(mlir::Value operand);

} // namespace tilegpt::tile

#endif
