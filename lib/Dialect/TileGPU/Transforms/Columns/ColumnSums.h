// Kernels that sum a matrix along its rows, in one loop over tiles of rows.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COLUMNS_COLUMNSUMS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COLUMNS_COLUMNSUMS_H

#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"

namespace tilegpt::tilegpu {

/// A loop that sums the columns of matrices of one static shape, and whose
/// tiles may have any number of rows and columns.
struct ColumnSums {
  mlir::scf::ForOp loop;
  llvm::SmallVector<tile::LoadOp> loads;
  int64_t rows = 0, columns = 0; ///< of a matrix
  StreamedAxis down;             ///< the rows of the tiles
  /// The columns of the tiles; nullopt if a tile has all of them.
  std::optional<FreeAxis> beside;

  /// The only loop of a specialized kernel; nullopt if the kernel does anything
  /// else, or if rows past the last one change a sum.
  static std::optional<ColumnSums> find(tile::KernelOp kernel);

  /// The bytes loaded per column of a row, over all loads.
  int64_t bytesOfColumn() const;

  /// Changes the tiles to `tileRows` x `tileColumns`.
  void resizeTiles(tile::KernelOp kernel, int64_t tileRows,
                   int64_t tileColumns) const;
};

} // namespace tilegpt::tilegpu

#endif
